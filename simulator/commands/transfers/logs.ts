import { request } from 'node:http'
import { isoTime } from '../../../src/domain/iso-time.ts'
import type { CommandTarget } from '../target.ts'
import { inTime, isHttp } from './download.ts'

export type UploadStatus = 'Uploading' | 'Uploaded' | 'UploadFailure' | 'PermissionDenied' | 'AcceptedCanceled'

export interface UploadOrder {
  readonly location: string
  readonly fileName: string
  readonly fromAt?: number | undefined
  readonly toAt?: number | undefined
  readonly retries?: number | undefined
  readonly say: (status: UploadStatus) => Promise<void>
}

const TRANSFER_TIMEOUT_MS = 30_000
const STEP_SECONDS = 10
const DEFAULT_RETRIES = 0
const PIECES_PER_NOTICE = 16
const PIECE = Buffer.alloc(64 * 1024, 'nothing special happened\n')

export type Logs = ReturnType<typeof createLogs>

export function createLogs(target: CommandTarget) {
  let running: UploadOrder | undefined
  const run = async (order: UploadOrder): Promise<void> => {
    await inTime(target, 1, () => order.say('Uploading'))
    let status: UploadStatus = 'UploadFailure'
    for (let attempt = 0; attempt <= (order.retries ?? DEFAULT_RETRIES) && running === order; attempt++) {
      status = await inTime(target, STEP_SECONDS, () => send(target, order))
      if (status !== 'UploadFailure') break
    }
    if (running !== order) return
    running = undefined
    await inTime(target, 0, () => order.say(status))
  }
  return {
    /** True where it replaces a running upload. */
    upload(order: UploadOrder): boolean {
      const before = running
      running = order
      target.afterAnswer(async () => {
        await before?.say('AcceptedCanceled')
        void run(order).catch(() => undefined)
      })
      return before !== undefined
    },
    sayProgress: (idle: () => Promise<void>) => (running ? running.say('Uploading') : idle()),
  }
}

/** PUT, and POST where the server does not know that (N01.FR.18). */
async function send(target: CommandTarget, order: UploadOrder): Promise<UploadStatus> {
  if (!isHttp(order.location)) return 'UploadFailure'
  if (target.behaviour.endlessUpload) return sendWithoutEnd(order)
  try {
    const text = textOf(target, order)
    const first = await sendBy('PUT', order, text)
    const status = first === 405 || first === 501 ? await sendBy('POST', order, text) : first
    if (status === 401 || status === 403) return 'PermissionDenied'
    return status >= 200 && status < 300 ? 'Uploaded' : 'UploadFailure'
  } catch {
    return 'UploadFailure'
  }
}

async function sendBy(method: 'PUT' | 'POST', { location, fileName }: UploadOrder, body: string): Promise<number> {
  const response = await fetch(location, {
    method,
    headers: { 'content-type': 'text/plain', 'content-disposition': `attachment; filename="${fileName}"` },
    body,
    redirect: 'error',
    signal: AbortSignal.timeout(TRANSFER_TIMEOUT_MS),
  })
  await response.body?.cancel()
  return response.status
}

function textOf({ journal, serialNumber, clock }: CommandTarget, { fromAt, toAt }: UploadOrder): string {
  const lines = journal().filter(
    ({ at }) => (fromAt === undefined || at >= fromAt) && (toAt === undefined || at <= toAt),
  )
  const head = `${isoTime(clock.now())} ${serialNumber} log of ${lines.length} lines\n`
  return head + lines.map(({ at, text }) => `${isoTime(at)} ${text}\n`).join('')
}

/** Until the server cuts it. */
function sendWithoutEnd({ location, say }: UploadOrder): Promise<UploadStatus> {
  return new Promise((resolve) => {
    const headers = { 'content-type': 'text/plain' }
    const upload = request(location, { method: 'PUT', headers, timeout: TRANSFER_TIMEOUT_MS })
    let pieces = 0
    const over = (): void => {
      upload.destroy()
      resolve('UploadFailure')
    }
    const goOn = (): void => {
      while (!upload.destroyed && upload.write(PIECE)) pieces += 1
      if (pieces % PIECES_PER_NOTICE === 0) void say('Uploading').catch(() => undefined)
      pieces += 1
    }
    for (const end of ['error', 'response', 'timeout', 'close']) upload.on(end, over)
    upload.on('drain', goOn)
    goOn()
  })
}
