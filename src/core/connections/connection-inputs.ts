/** Connections as inputs (TIMELINE-A1): what the sockets tell is decided upon and committed like any message. */
import type { CoreStore } from '../../domain/ports/storage.ts'
import type { BlockInput } from '../../domain/records/records.ts'
import { type CoreContext, decideOn } from '../context.ts'
import type { Job } from '../groups/engine.ts'
import { isNotOwner } from '../groups/not-owner.ts'

/** @param accountId for an identity that is not registered */
export function happened(context: CoreContext, stationId: string, input: BlockInput, accountId?: string): Job {
  return {
    stationId,
    ...(accountId !== undefined && { accountId }),
    prepare: () => undefined,
    decide: (station) => (station.state ? context.applied(station, decideOn(context, station, input)) : undefined),
    committed: () => undefined,
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
const PAGE = 500

/**
 * TIMELINE-A2: of each connection that an earlier process left open, or a node that has ended.
 * @param before charge points that were in memory already: their connections are none of those
 */
export async function endInterrupted(
  context: CoreContext,
  store: Pick<CoreStore, 'listRecords'>,
  before: ReadonlySet<string>,
): Promise<void> {
  const { clock, engine, nextLogId, stations } = context
  let after: { readonly chargePointId: string; readonly about: string } | undefined
  for (;;) {
    const page = await store.listRecords('timeline_folds', {
      where: { openSince: { from: 0 } },
      limit: PAGE,
      ...(after && { after }),
    })
    const ids = page.map(({ chargePointId }) => chargePointId).filter((id) => !before.has(id))
    const unknown = ids.filter((id) => !stations.known(id))
    if (unknown.length > 0) await stations.loadAll(unknown, 'unowned')
    for (const chargePointId of ids) {
      const station = stations.known(chargePointId)
      if (!station || station.connection !== undefined) continue
      const id = nextLogId(clock.now())
      engine.enqueue(
        happened(context, chargePointId, { kind: 'disconnected', id, code: ABNORMAL, reason: SERVER_ENDED }),
      )
    }
    after = page.at(-1)
    if (!after || page.length < PAGE) return
  }
}
