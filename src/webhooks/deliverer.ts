/** The delivery loop (HOOK-F1 to HOOK-F4). Its state is in the database; claims of a dead process expire. */

import { periodically } from '../domain/periodic.ts'
import type { Clock, Log } from '../domain/ports/core.ts'
import type { ClaimedDelivery, WebhookWrites } from '../domain/ports/storage-webhooks.ts'
import { type AttemptContext, attemptDelivery, type Ended, finishedAttempt } from './sending/one-attempt.ts'

export interface DeliveryContext extends AttemptContext {
  readonly writes: Pick<
    WebhookWrites,
    | 'claimDeliveries'
    | 'finishAttempts'
    | 'releaseDeliveries'
    | 'alignDeliveries'
    | 'pullInDeliveries'
    | 'deleteOldDeliveries'
  >
  readonly log: Log
  /** No other process delivers from this database: what is in flight at the start is of one that has ended. */
  readonly isAlone: boolean
}

export interface Deliveries {
  wake(): void
  /** Claims nothing more, waits up to 10 s for what is in flight, gives back the rest (HOOK-F4). */
  stop(): Promise<void>
  statistics(): { readonly inFlight: number; readonly succeeded: number; readonly failed: number }
}

/** Finds retries that were planned long ago, by this process or an earlier one. */
const POLL_MS = 1000
/** For delays longer than this a second more or less does not matter. */
const ALARM_HORIZON_MS = 60_000
/** Longer than an attempt can take: a lease only ends when its process did. */
const LEASE_EXTRA_MS = 30_000
const STOP_MS = 10_000

export function startDeliveries(parts: DeliveryContext): Deliveries {
  const { writes, sender, clock, settings, log } = parts
  const interrupt = new AbortController()
  const counters = { inFlight: 0, succeeded: 0, failed: 0 }
  const claimed = new Set<string>()
  const putBackMs = watchClock(clock)
  /** Put back, and what waits is not pulled in yet. */
  let owedMs = 0
  let ended: Ended[] = []
  let last: string | undefined
  let asked = false
  let turning: Promise<void> | undefined
  let stopping = false
  let settled: () => void = () => undefined

  const wake = (): void => {
    asked = true
    turning ??= turn().finally(() => {
      turning = undefined
      if (asked && !stopping) wake()
    })
  }

  const alarms = createAlarms(clock, ALARM_HORIZON_MS, wake)

  /** Records first: a finished delivery frees a place for the claim that follows. */
  const turn = async (): Promise<void> => {
    while (asked) {
      asked = false
      try {
        await keepDistances()
        await record()
        if (!stopping) await claim()
      } catch (error) {
        // Results are kept and written at the next turn; claims are due again when their leases end.
        log.error({ error: String(error) }, 'webhook deliveries could not be claimed or recorded')
        return
      }
    }
  }

  /** HOOK-F7: before anything else is planned or claimed by a clock that was put back. */
  const keepDistances = async (): Promise<void> => {
    const backMs = putBackMs()
    owedMs += backMs
    if (owedMs === 0) return
    if (backMs > 0) log.warn({ backMs }, 'the clock was put back; waiting webhooks keep their distance')
    await writes.pullInDeliveries({ now: clock.now(), backMs: owedMs })
    owedMs = 0
  }

  const record = async (): Promise<void> => {
    if (ended.length === 0) return
    const now = clock.now()
    const elapsed = clock.monotonic()
    const batch = ended.map((one) => finishedAttempt(one, now, elapsed))
    const disabled = await writes.finishAttempts(batch, now)
    ended = ended.slice(batch.length)
    for (const { deliveryId } of batch) claimed.delete(deliveryId)
    for (const { dueAt } of batch) if (dueAt !== undefined) alarms.set(dueAt)
    for (const { id, reason } of disabled) {
      log.warn({ webhook: id, reason }, 'the webhook is disabled; its events are held until it is enabled again')
      align(id)
    }
  }

  /** Runs beside everything else: a long backlog takes seconds, and none of it is claimed meanwhile. */
  const align = (subscriptionId?: string): void => {
    writes.alignDeliveries(clock.now(), subscriptionId).catch((error: unknown) => {
      // The next start goes on with it.
      if (!stopping)
        log.warn({ webhook: subscriptionId, error: String(error) }, 'waiting webhooks could not be aligned')
    })
  }

  /** What a clock that was put back while no process ran left too far ahead (HOOK-F7). */
  const pullIn = (): void => {
    const done = (): void => {
      if (!stopping) wake()
    }
    writes.pullInDeliveries({ now: clock.now(), backMs: 0 }).then(done, (error: unknown) => {
      if (!stopping) log.warn({ error: String(error) }, 'the due times of waiting webhooks could not be checked')
    })
  }

  const claim = async (): Promise<void> => {
    const now = clock.now()
    const leaseUntil = now + settings.totalTimeoutMs + LEASE_EXTRA_MS
    const claims = await writes.claimDeliveries({ now, leaseUntil, after: last })
    last = claims.last
    for (const id of claims.revoked) align(id)
    for (const delivery of claims.deliveries) {
      counters.inFlight++
      claimed.add(delivery.id)
      void deliver(delivery).finally(() => {
        counters.inFlight--
        wake()
        if (counters.inFlight === 0) settled()
      })
    }
  }

  const deliver = async (delivery: ClaimedDelivery): Promise<void> => {
    try {
      const result = await attemptDelivery(parts, delivery, interrupt.signal)
      if (!result) return
      counters[result.verdict.state === 'succeeded' ? 'succeeded' : 'failed']++
      ended = [...ended, result]
    } catch (error) {
      // No attempt was made: the lease ends and the delivery is due again.
      log.error({ delivery: delivery.id, error: String(error) }, 'a webhook could not be sent')
    }
  }

  const poll = (): void => {
    wake()
    cancelPoll = clock.after(POLL_MS, poll)
  }
  let cancelPoll = clock.after(POLL_MS, poll)
  const stopCleaning = startCleaning(parts)

  // HOOK-F4: what a killed process had in flight is due first; beside other servers when its lease ends.
  const release = parts.isAlone ? writes.releaseDeliveries(clock.now()) : Promise.resolve(0)
  turning = release
    .catch((error: unknown) => log.error({ error: String(error) }, 'interrupted webhooks could not be given back'))
    .then(() => undefined)
    .finally(() => {
      turning = undefined
      if (stopping) return
      wake()
      align()
      pullIn()
    })

  return {
    wake,
    statistics: () => ({ ...counters }),
    async stop() {
      stopping = true
      cancelPoll()
      stopCleaning()
      await turning
      if (counters.inFlight > 0) {
        await new Promise<void>((resolve) => {
          const cancel = clock.after(STOP_MS, () => interrupt.abort())
          settled = () => {
            cancel()
            resolve()
          }
        })
      }
      await turning
      try {
        await record()
        await writes.releaseDeliveries(clock.now(), [...claimed])
      } catch (error) {
        log.error({ error: String(error) }, 'webhook deliveries could not be recorded; they are sent again')
      }
      alarms.cancelAll()
      await sender.close()
    },
  }
}

/** Wakes the delivery loop when retries are due, so that short delays keep to their plan (HOOK-R4). */

/** Retries that are due at one moment share a timer, so there are few timers however many deliveries fail. */
const STEP_MS = 10

interface Alarms {
  /** @param dueAt milliseconds since the epoch */
  set(dueAt: number): void
  cancelAll(): void
}

/** @param horizonMs later ones are left to the loop's own polling, which also finds those of an earlier process */
export function createAlarms(clock: Clock, horizonMs: number, wake: () => void): Alarms {
  const cancels = new Map<number, () => void>()
  return {
    set(dueAt) {
      const delayMs = dueAt - clock.now()
      const step = Math.ceil((clock.monotonic() + delayMs) / STEP_MS) * STEP_MS
      if (delayMs > horizonMs || cancels.has(step)) return
      const ring = (): void => {
        cancels.delete(step)
        wake()
      }
      cancels.set(step, clock.after(Math.max(0, step - clock.monotonic()), ring))
    },
    cancelAll() {
      for (const cancel of cancels.values()) cancel()
      cancels.clear()
    },
  }
}

const INTERVAL_MS = 60_000
const NEXT_STEP_MS = 1000
const ROWS_PER_STEP = 500

interface CleaningContext {
  readonly writes: Pick<WebhookWrites, 'deleteOldDeliveries'>
  readonly clock: Clock
  readonly log: { warn(fields: object, message: string): void }
}

/** Deletes deliveries past their retention (HOOK-F6), some rows at a time. @returns ends it */
function startCleaning({ writes, clock, log }: CleaningContext): () => void {
  const cleaning = periodically({
    clock,
    work: async () => {
      const deleted = await writes.deleteOldDeliveries(clock.now(), ROWS_PER_STEP)
      return deleted >= ROWS_PER_STEP ? NEXT_STEP_MS : INTERVAL_MS
    },
    everyMs: INTERVAL_MS,
    failed: (error) => log.warn({ error: error.message }, 'old webhook deliveries could not be deleted'),
  })
  return () => void cleaning.stop()
}

/** Notices that the machine's clock was put back, so that what waits by it can be pulled in (HOOK-F7). */

/** Less may lie between the two readings on a busy machine; a clock that is slewed gets there in minutes. */
const NOTICED_MS = 100

/** @returns by how many ms the clock was put back since the last call; 0: not, or forward, which is harmless */
export function watchClock({ now, monotonic }: Pick<Clock, 'now' | 'monotonic'>): () => number {
  let ahead = now() - monotonic()
  return () => {
    const before = ahead
    const current = now() - monotonic()
    if (before - current > 0 && before - current < NOTICED_MS) return 0
    ahead = current
    return Math.max(0, Math.ceil(before - current))
  }
}
