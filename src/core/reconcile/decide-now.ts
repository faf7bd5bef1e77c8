import { lookups } from '../../domain/blocks/decide.ts'
import type { Outcome } from '../../domain/ports/sessions.ts'
import type { BlockInput } from '../../domain/records/records.ts'
import { type CoreContext, decideOn } from '../context.ts'
import type { Station } from '../memory/station.ts'

/** Resolves when committed. Rejects when nothing was stored. */
export function decideNow(context: CoreContext, stationId: string, input: BlockInput): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    let outcome: Outcome = {}
    context.engine.enqueue({
      stationId,
      prepare: () => lookups(input),
      decide(station) {
        const decision = decideOn(context, station, input)
        outcome = decision.outcome
        // Nothing has changed for most stations of a reconnecting fleet.
        return outcome.refused === undefined && decision.changes.records
          ? context.decisions.applied(station, decision)
          : undefined
      },
      committed: () => resolve(outcome),
      failed: reject,
    })
  })
}

/** Without a waiting caller: retried with its cause. */
export function decideSoon(context: CoreContext, stationId: string, input: BlockInput): void {
  decideNow(context, stationId, input).catch((error: Error) =>
    context.log.warn({ chargePoint: stationId, input: input.kind, error: error.message }, 'a decision was not stored'),
  )
}

/** Resolves once all earlier decisions of this charge point are stored, or known not to be. */
export function whenCommitted(context: CoreContext, stationId: string): Promise<void> {
  return new Promise((resolve) =>
    context.engine.enqueue({
      stationId,
      committed: () => resolve(),
      failed: () => resolve(),
    }),
  )
}

/** INTENT-A5: not before the connection's first message. */
export function isReachable(station: Station): boolean {
  const { connection, isHeld, awaitsFirstMessage, version, state, chargePoint } = station
  return (
    connection !== undefined &&
    !isHeld &&
    !awaitsFirstMessage &&
    version !== undefined &&
    state !== undefined &&
    chargePoint.registrationStatus === 'Accepted' &&
    // A station refuses everything until its boot is answered (OCPP-DR9).
    state.status.bootedAt !== undefined
  )
}

export function isUnderWay({ state }: Station, ...purposes: readonly string[]): boolean {
  return state?.records.all('outgoing_calls').some(({ purpose }) => purposes.includes(purpose.kind)) === true
}
