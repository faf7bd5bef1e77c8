/** Firmware that is fetched and logs that are uploaded: real transfers over HTTP, told step by step. */
import type { CommandTarget } from './target.ts'
import { inTurn } from './target.ts'

const TRANSFER_TIMEOUT_MS = 30_000
const STEP_SECONDS = 10

export interface FirmwareOrder {
  readonly location: string
  readonly say: (status: string) => Promise<void>
  /** Secure updates check the signature before they install. */
  readonly signed: boolean
}

/** Downloading, Downloaded, Installing, a boot with the new version, Installed; or DownloadFailed. */
export function updateFirmware(target: CommandTarget, { location, say, signed }: FirmwareOrder): void {
  const install = [
    ...(signed ? [[STEP_SECONDS, () => say('SignatureVerified')] as const] : []),
    [STEP_SECONDS, () => say('Installing')] as const,
    [STEP_SECONDS, () => target.useFirmware(versionOf(location))] as const,
    [STEP_SECONDS, () => say('Installed')] as const,
  ]
  inTurn(target, [
    [1, () => say('Downloading')],
    [
      STEP_SECONDS,
      async () => {
        const arrived = await download(location)
        await say(arrived ? 'Downloaded' : 'DownloadFailed')
        if (arrived) inTurn(target, install)
      },
    ],
  ])
}

export interface UploadOrder {
  readonly location: string
  readonly fileName: string
  readonly say: (status: 'Uploading' | 'Uploaded' | 'failed') => Promise<void>
}

export function uploadLog(target: CommandTarget, { location, fileName, say }: UploadOrder): void {
  const text = `${new Date(target.clock.now()).toISOString()} ${target.serialNumber} nothing special happened\n`
  inTurn(target, [
    [1, () => say('Uploading')],
    [STEP_SECONDS, async () => say((await upload(location, fileName, text)) ? 'Uploaded' : 'failed')],
  ])
}

async function download(location: string): Promise<boolean> {
  if (!isHttp(location)) return false
  try {
    const response = await fetch(location, { signal: AbortSignal.timeout(TRANSFER_TIMEOUT_MS) })
    for await (const _part of response.body ?? []);
    return response.ok
  } catch {
    return false
  }
}

async function upload(location: string, fileName: string, body: string): Promise<boolean> {
  if (!isHttp(location)) return false
  const headers = { 'content-type': 'text/plain', 'content-disposition': `attachment; filename="${fileName}"` }
  try {
    const signal = AbortSignal.timeout(TRANSFER_TIMEOUT_MS)
    const response = await fetch(location, { method: 'PUT', headers, body, signal })
    await response.body?.cancel()
    return response.ok
  } catch {
    return false
  }
}

function isHttp(location: string): boolean {
  return URL.canParse(location) && /^https?:$/.test(new URL(location).protocol)
}

/** `…/station-2.1.0.bin` brings version 2.1.0; a name without a version one that shows where it came from. */
function versionOf(location: string): string {
  const name = new URL(location).pathname.split('/').at(-1) ?? ''
  return (/\d+(?:\.\d+)+/.exec(name)?.[0] ?? `updated-${name}`).slice(0, 50)
}
