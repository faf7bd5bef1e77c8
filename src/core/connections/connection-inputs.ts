/** Connections as inputs (TIMELINE-A1): what the sockets tell is decided upon and committed like any message. */
import type { BlockInput } from '../../domain/records/records.ts'
import { type CoreContext, decideOn } from '../context.ts'
import type { Job } from '../groups/engine.ts'
import { isNotOwner } from '../groups/not-owner.ts'
import { stored } from '../reconcile/stored.ts'

/** @param accountId for an identity that is not registered */
export function happened(context: CoreContext, stationId: string, input: BlockInput, accountId?: string): Job {
  return {
    stationId,
    accountId,
    decide: (station) =>
      station.state ? context.decisions.applied(station, decideOn(context, station, input)) : undefined,
    failed(error, station) {
      // It was deleted meanwhile, and its history with it; or another node has it, and writes its history.
      if (!station || isNotOwner(error)) return
      context.log.error({ chargePoint: stationId, error: error.message, kind: input.kind }, 'not stored')
    },
  }
}

/** Control characters of a close frame would end up in logs and pages. */
export function closeReason(text: string | undefined): string | undefined {
  const shown = text?.replace(/\p{Cc}+/gu, ' ').trim()
  return shown === '' ? undefined : shown
}

/** An end without a close frame (RFC 6455 §7.1.5). */
export const ABNORMAL = 1006
const SERVER_ENDED = 'the server ended without closing it'

/** TIMELINE-A2: connections that an earlier process left open, or a node that has ended. */
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
