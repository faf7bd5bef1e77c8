/** Connections as inputs (TIMELINE-A1): socket events are decided on and committed like any message. */
import type { BlockInput } from '../../domain/records/records.ts'
import { type CoreContext, decideOn } from '../context.ts'
import type { Job } from '../groups/engine.ts'
import { isNotOwner } from '../groups/store-refusals.ts'
import { stored } from '../reconcile/subject.ts'

export function happened(context: CoreContext, stationId: string, input: BlockInput, accountId?: string): Job {
  return {
    stationId,
    accountId,
    decide: (station) =>
      station.state ? context.decisions.applied(station, decideOn(context, station, input)) : undefined,
    failed(error, station) {
      // The charge point was deleted, or another node owns it and writes its history.
      if (!station || isNotOwner(error)) return
      context.log.error({ chargePoint: stationId, error: error.message, kind: input.kind }, 'not stored')
    },
  }
}

/** Strips control characters: the text appears in logs and pages. */
export function closeReason(text: string | undefined): string | undefined {
  const shown = text?.replace(/\p{Cc}+/gu, ' ').trim()
  return shown === '' ? undefined : shown
}

/** An end without a close frame (RFC 6455 §7.1.5). */
export const ABNORMAL = 1006
const SERVER_ENDED = 'the server ended without closing it'

/** TIMELINE-A2: connections left open by an earlier process or a node that ended. */
export const INTERRUPTED_CONNECTIONS = stored(
  'timeline_folds',
  () => ({ openSince: { from: 0 } }),
  (_, { logIds, clock }) => ({
    kind: 'disconnected',
    id: logIds.next(clock.now()),
    code: ABNORMAL,
    reason: SERVER_ENDED,
  }),
)
