import { type IsKeeper, periodically } from '../../domain/periodic.ts'
import { type PostContext, sendDue } from './mail-queue.ts'
import { createWatch, type WatchContext } from './watch.ts'

/** What a start begins with is left in peace for so long. */
const FIRST_SWEEP_MS = 1000
/** A mail server that does not answer holds up no stop; what it took is sent again then. */
const LAST_MAIL_MS = 2000

export interface AlertContext extends WatchContext {
  readonly intervalMs: number
  /** Absent: nothing is configured, so what is to be sent waits. */
  readonly post?: Omit<PostContext, 'reads' | 'writes' | 'clock' | 'log'> | undefined
  readonly isKeeper?: IsKeeper | undefined
}

export interface Alerts {
  stop(): Promise<void>
}

export function startAlerts(parts: AlertContext): Alerts {
  const { clock, log, intervalMs, reads, writes, post, isKeeper } = parts
  const watch = createWatch(parts)
  let sending: Promise<void> | undefined

  // A mail server may be slow; the next sweep does not wait for it.
  const send = (): void => {
    if (!post || sending || sweeps.isStopped()) return
    sending = sendDue({ ...post, reads, writes, clock, log })
      .catch(report('mail about alerts could not be sent'))
      .finally(() => {
        sending = undefined
      })
  }
  const report = (message: string) => (error: Error) => {
    if (!sweeps.isStopped()) log.error({ error: error.message }, message)
  }
  const sweeps = periodically({
    clock,
    isKeeper,
    work: async () => {
      await watch.sweep().catch(report('alerts could not be looked at'))
      send()
    },
    everyMs: intervalMs,
    firstMs: Math.min(FIRST_SWEEP_MS, intervalMs),
    failed: report('alerts could not be looked at'),
  })
  return {
    async stop() {
      await sweeps.stop()
      if (sending) await Promise.race([sending, new Promise<void>((resolve) => clock.after(LAST_MAIL_MS, resolve))])
    },
  }
}
