/** Deletes a registration (API-A6): drops what waits, ends and reports what is open, then removes it. */

import type { Removed } from '../../domain/ports/core.ts'
import type { Session } from '../../domain/ports/sessions.ts'
import type { Refusal } from '../../domain/ports/storage-records.ts'
import { refuse } from '../../domain/refuse.ts'
import type { Decision } from '../../domain/sessions/decision.ts'
import { type CoreContext, decideOn } from '../context.ts'
import { withDueFigures } from '../groups/wake-ups.ts'
import type { Station } from '../memory/station.ts'
import { dropOutgoing } from '../outbound/outbound.ts'
import { NO_CHARGE_POINT } from './find-station.ts'

/** @returns refused: 404 without such a charge point, 503 when the disk refuses; then nothing changes */
export async function removeChargePoint(
  context: CoreContext,
  accountId: string,
  chargePointId: string,
): Promise<Removed | Refusal> {
  const { stations } = context
  const station = stations.current(chargePointId) ?? (await stations.load(chargePointId))
  if (!station || station.chargePoint.accountId !== accountId) return NO_CHARGE_POINT
  dropOutgoing(context, station)
  const ended = await endEverything(context, chargePointId)
  if (ended !== 'stored') return ended === 'gone' ? NO_CHARGE_POINT : NOT_STORED
  try {
    const isDeleted = await context.writes.deleteChargePoint(accountId, chargePointId)
    stations.finishLeaving(chargePointId, true)
    return isDeleted ? { chargePointId } : NO_CHARGE_POINT
  } catch (error) {
    stations.finishLeaving(chargePointId, false)
    context.log.error({ chargePoint: chargePointId, error: String(error) }, 'a charge point could not be deleted')
    return NOT_STORED
  }
}

const NOT_STORED = refuse(503, 'not_stored', 'The charge point could not be deleted. Try again later.')

/**
 * In two steps, as a completing session is settled first (COST-L4); then it counts as gone. `gone`: removed already.
 */
function endEverything(context: CoreContext, stationId: string): Promise<'stored' | 'failed' | 'gone'> {
  const { engine, stations } = context
  const { applied } = context.decisions
  let isLeaving = false
  let isBroken = false
  return new Promise((resolve) => {
    engine.enqueue({
      stationId,
      decide: (station) => applied(station, decideOn(context, station, { kind: 'removed' })),
      failed() {
        isBroken = true
      },
    })
    engine.enqueue({
      stationId,
      decide(station) {
        if (isBroken) throw new Error('Open sessions could not be ended.')
        // Certificates issued from here on have no owner, so all must be revoked by then (CERT-C19).
        const revoked = { kind: 'certificatesRevoked' } as const
        const gone = { kind: 'chargePointGone' } as const
        const decision = decideOn(context, station, { kind: 'tick' }, undefined, undefined, revoked, gone)
        const changes = applied(station, withWaitingFigures(decision, station))
        stations.beginLeaving(stationId)
        isLeaving = true
        return changes
      },
      rolledBack() {
        stations.finishLeaving(stationId, false)
        isLeaving = false
      },
      committed: () => resolve('stored'),
      failed(_error, station) {
        if (isLeaving) stations.finishLeaving(stationId, false)
        resolve(isLeaving || station ? 'failed' : 'gone')
      },
    })
  })
}

/** HOOK-M3: the last figures are always sent, and their interval will not end. */
function withWaitingFigures(decision: Decision, { state }: Station): Decision {
  if (!state) return decision
  const { changes, ...rest } = withDueFigures(decision, state, Number.POSITIVE_INFINITY)
  return { ...rest, changes: { ...changes, sessions: changes.sessions?.map(sendable) } }
}

function sendable(session: Session): Session {
  return session.figuresDueAt === undefined ? session : { ...session, figuresSentAt: undefined }
}
