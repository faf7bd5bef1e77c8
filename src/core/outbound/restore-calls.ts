/**
 * The calls of an earlier process (OCPP-RP15). What waited goes on waiting; what was open when it ended may have been
 * received, so it is not sent again (OCPP-RP9).
 */
import type { CoreStore } from '../../domain/ports/storage.ts'
import type { CoreContext } from '../context.ts'
import type { Station } from '../memory/station.ts'
import { UNSENT } from './call-outcome.ts'
import { settle, watchExpiry } from './outbound.ts'
import type { QueuedCall } from './outgoing-queue.ts'
import { ruleOf } from './purpose-rule.ts'
import { callOf } from './stored-call.ts'

/** A charge point came into memory, and its calls with it. */
export function restoreCalls(context: CoreContext, station: Station): void {
  for (const stored of station.state?.records.all('outgoing_calls') ?? []) {
    const call = callOf(context.sealedCalls, stored)
    const queued: QueuedCall = {
      stored,
      call: call ?? { method: stored.method, request: {} },
      connection: undefined,
    }
    if (stored.sentAt !== undefined) settle(context, station, queued, { status: 'dropped' })
    else if (!call || ruleOf(context.purposes, stored.purpose).waitsUntil === 'connection') {
      settle(context, station, queued, UNSENT)
    } else station.outgoing.restore(queued)
  }
  watchExpiry(context, station)
}

/** At start, and when a node has ended: whoever has an open one is loaded, which ends it. */
export async function dropInterrupted(context: CoreContext, store: CoreStore): Promise<void> {
  let after: { readonly chargePointId: string; readonly id: number } | undefined
  for (;;) {
    const page = await store.listRecords('outgoing_calls', {
      where: { sentAt: { from: 0 } },
      limit: PAGE,
      ...(after && { after }),
    })
    for (const { chargePointId } of page) {
      if (!context.stations.known(chargePointId)) await context.stations.loadAll([chargePointId], 'unowned')
    }
    after = page.at(-1)
    if (!after || page.length < PAGE) return
  }
}

const PAGE = 500
/** Times to live are given in seconds. */
const SWEEP_MS = 1_000

/**
 * Calls that expire while their charge point is not in memory: it may never come back. The others have a timer each.
 * @returns stops it
 */
export function sweepExpired(context: CoreContext, store: CoreStore): () => void {
  const { clock, stations, log } = context
  let isStopped = false
  const sweep = async (): Promise<void> => {
    const where = { expiresAt: { below: clock.now() + 1 } }
    for (const { chargePointId } of await store.listRecords('outgoing_calls', { where, limit: PAGE })) {
      if (isStopped) return
      if (!stations.known(chargePointId)) await stations.loadAll([chargePointId], 'unowned')
    }
  }
  const later = (): (() => void) =>
    clock.after(SWEEP_MS, () => {
      sweep()
        .catch((error: Error) => log.error({ error: error.message }, 'expired calls could not be looked for'))
        .finally(() => {
          if (!isStopped) cancel = later()
        })
    })
  let cancel = later()
  return () => {
    isStopped = true
    cancel()
  }
}
