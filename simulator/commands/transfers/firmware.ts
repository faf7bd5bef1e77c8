import { X509Certificate } from 'node:crypto'
import type { CommandTarget } from '../target.ts'
import { download, type Fetched, inTime, pause } from './download.ts'

export interface FirmwareOrder {
  readonly location: string
  readonly retrieveAt?: number | undefined
  readonly installAt?: number | undefined
  readonly retries?: number | undefined
  readonly retrySeconds?: number | undefined
  /** Together with `signature`; PEM. */
  readonly certificate?: string | undefined
  readonly signature?: string | undefined
  readonly say: (status: string) => Promise<void>
  /** 1.6 without security knows only the statuses of `PLAIN`. */
  readonly isPlain?: boolean
}

const TRANSFER_TIMEOUT_MS = 30_000
const STEP_SECONDS = 10
const LOOK_SECONDS = 5
const DEFAULT_RETRIES = 2
const DEFAULT_RETRY_SECONDS = 10
const AGAIN_MS = 50
const PLAIN = new Set(['Downloading', 'Downloaded', 'DownloadFailed', 'Installing', 'Installed', 'InstallationFailed'])

export function createFirmwareUpdates(target: CommandTarget) {
  let running: { readonly order: FirmwareOrder; status?: string } | undefined

  const run = async (order: FirmwareOrder): Promise<void> => {
    const isOver = () => running?.order !== order
    const say = async (status: string): Promise<void> => {
      if (isOver() || (order.isPlain && !PLAIN.has(status))) return
      if (running) running.status = status
      await order.say(status)
    }
    const step = (seconds: number, status: string) => inTime(target, seconds, () => say(status))
    const waitUntil = async (at: number | undefined, status: string) => {
      if (at === undefined || at <= target.clock.now()) return
      await step(0, status)
      await pause(target, (at - target.clock.now()) / 1000)
    }
    await waitUntil(order.retrieveAt, 'DownloadScheduled')
    await step(1, 'Downloading')
    const file = await inTime(target, STEP_SECONDS, async () => {
      const fetched = isOver() ? undefined : await fetchFile(target, order, say)
      await say(fetched ? 'Downloaded' : 'DownloadFailed')
      return fetched
    })
    if (!file || isOver()) return
    if (order.certificate !== undefined) {
      const isRight = isTrusted(target, file, order)
      await inTime(target, STEP_SECONDS, async () => {
        await say(isRight ? 'SignatureVerified' : 'InvalidSignature')
        if (!isRight) await target.securityEvent('InvalidFirmwareSignature')
      })
      if (!isRight) return
    }
    await waitUntil(order.installAt, 'InstallScheduled')
    if (isBusy(target)) await step(0, 'InstallScheduled')
    while (isBusy(target) && !isOver()) await pause(target, LOOK_SECONDS)
    await step(STEP_SECONDS, 'Installing')
    if (file.isDigestRight === false) return step(1, order.isPlain ? 'InstallationFailed' : 'InstallVerificationFailed')
    if (target.behaviour.failsInstallation) return step(STEP_SECONDS, 'InstallationFailed')
    await step(STEP_SECONDS, 'InstallRebooting')
    if (isOver()) return
    await inTime(target, 1, () => target.useFirmware(versionOf(file, order.location)))
    await step(STEP_SECONDS, 'Installed')
  }

  return {
    update(order: FirmwareOrder): 'Accepted' | 'AcceptedCanceled' | 'InvalidCertificate' {
      if (order.certificate !== undefined && !isUsable(target, order.certificate)) {
        target.afterAnswer(() => target.securityEvent('InvalidFirmwareSigningCertificate'))
        return 'InvalidCertificate'
      }
      const before = running
      running = { order }
      target.afterAnswer(async () => {
        void run(order)
          .catch(() => undefined)
          .finally(() => {
            if (running?.order === order) running = undefined
          })
      })
      return before ? 'AcceptedCanceled' : 'Accepted'
    },
    sayProgress: (idle: () => Promise<void>) =>
      running?.status === undefined ? idle() : running.order.say(running.status),
  }
}

async function fetchFile(
  target: CommandTarget,
  { location, retries = DEFAULT_RETRIES, retrySeconds = DEFAULT_RETRY_SECONDS }: FirmwareOrder,
  say: (status: string) => Promise<void>,
): Promise<Fetched | undefined> {
  return download({
    location,
    attempts: retries + 1,
    signal: AbortSignal.timeout(TRANSFER_TIMEOUT_MS),
    ...(target.behaviour.breaksOffDownload && { breaksOff: true }),
    async again() {
      await say('DownloadPaused')
      // Real time, because the other side is real, and short, because simulated time stands still meanwhile.
      await new Promise<void>((resolve) => void target.clock.after(Math.min(retrySeconds * 1000, AGAIN_MS), resolve))
      await say('Downloading')
    },
  })
}

function isBusy({ outlets }: CommandTarget): boolean {
  return outlets.some(({ transaction }) => transaction)
}

function isTrusted({ behaviour }: CommandTarget, file: Fetched, { certificate = '', signature = '' }: FirmwareOrder) {
  return !behaviour.distrustsFirmware && file.isSignedBy(new X509Certificate(certificate).publicKey, signature)
}

/** A valid one, and where the manufacturer's roots are installed one that was issued by them. */
function isUsable({ certificates, clock }: CommandTarget, pem: string): boolean {
  try {
    const certificate = new X509Certificate(pem)
    const roots = certificates.installed(['ManufacturerRootCertificate']).map((root) => new X509Certificate(root.pem))
    const now = clock.now()
    const isValid = Date.parse(certificate.validFrom) <= now && now < Date.parse(certificate.validTo)
    const isIssued = (root: X509Certificate) => certificate.checkIssued(root) && certificate.verify(root.publicKey)
    return isValid && (roots.length === 0 || roots.some(isIssued))
  } catch {
    return false
  }
}

/** `version 2.1.0` at the head of an image, or a number in its name; otherwise what shows where it came from. */
function versionOf({ head, name, sha256 }: Fetched, location: string): string {
  const written = /version[ :="]+(\d+(?:\.\d+)+)/i.exec(head)?.[1]
  const named = /\d+(?:\.\d+)+/.exec(name)?.[0]
  const last = new URL(location).pathname.split('/').at(-1) ?? ''
  const origin = /^[\w.-]{1,40}$/.test(last) ? last : sha256.slice(0, 12)
  return (written ?? named ?? `updated-${origin}`).slice(0, 50)
}
