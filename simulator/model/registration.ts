/** BootNotification until it is accepted, and the heartbeat from then on (1.6 §4.2, 2.0.1 B01 to B03). */
import type { Payload } from '../../src/ocpp/translate/payload.ts'
import type { StationTime } from '../time/simulated-time.ts'
import type { BootReason, Call } from './facts.ts'

interface RegistrationContext {
  readonly time: Pick<StationTime, 'after'>
  readonly isOnline: () => boolean
  readonly notification: (reason: BootReason) => Call
  readonly ask: (call: Call) => Promise<Payload>
  readonly background: (work: () => Promise<unknown>) => void
  readonly heartbeat: () => Promise<void>
  readonly answered: (status: string) => void
  readonly accepted: (reason: BootReason) => Promise<void>
}

export function notAccepted(id: string, status: string): string {
  const isKnown = status === 'Pending' || status === 'Rejected'
  const advice = isKnown ? 'approve it there, then try again' : 'expected Accepted, Pending or Rejected'
  return `the central system answered the BootNotification of ${id} with ${status}: ${advice}`
}

/** What a station waits after Pending or Rejected when the answer leaves it to the station, and after an error. */
const RETRY_SECONDS = 10

export function createRegistration(parts: RegistrationContext) {
  const { time, background } = parts
  let isAccepted = false
  let heartbeatSeconds = 0
  let cancelHeartbeat: (() => void) | undefined
  let waiting: { readonly reason: BootReason; readonly cancel: () => void } | undefined

  const stopAsking = (): void => {
    waiting?.cancel()
    waiting = undefined
  }
  const askLater = (reason: BootReason, seconds: number): void => {
    stopAsking()
    const cancel = time.after(seconds * 1000, () => {
      if (parts.isOnline()) background(() => boot(reason))
    })
    waiting = { reason, cancel }
  }
  /** 0: none. */
  const beat = (intervalSeconds: number): void => {
    heartbeatSeconds = intervalSeconds
    cancelHeartbeat?.()
    if (intervalSeconds <= 0) return
    cancelHeartbeat = time.after(intervalSeconds * 1000, () => {
      beat(heartbeatSeconds)
      background(parts.heartbeat)
    })
  }
  /** Rejects with what went wrong; a boot that is not accepted is retried. */
  const boot = async (reason: BootReason = 'PowerUp'): Promise<string> => {
    stopAsking()
    const answer = await parts.ask(parts.notification(reason)).catch((error: unknown) => {
      if (!isAccepted) askLater(reason, RETRY_SECONDS)
      throw error
    })
    const status = typeof answer.status === 'string' ? answer.status : 'no status'
    parts.answered(status)
    const intervalSeconds = Number(answer.interval)
    isAccepted = status === 'Accepted'
    if (!isAccepted) {
      askLater(reason, intervalSeconds || RETRY_SECONDS)
      return status
    }
    beat(intervalSeconds)
    await parts.accepted(reason)
    return status
  }
  return {
    get isAccepted() {
      return isAccepted
    },
    boot,
    /** True where the station must still be accepted and has sent BootNotification. */
    async asksAgain(): Promise<boolean> {
      if (!waiting) return false
      await boot(waiting.reason)
      return true
    },
    forget(): void {
      isAccepted = false
      stopAsking()
    },
    beat,
  }
}
