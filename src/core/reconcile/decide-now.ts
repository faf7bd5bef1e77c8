import { lookups } from '../../domain/blocks/decide.ts'
import type { Outcome } from '../../domain/ports/sessions.ts'
import type { ChangeSet } from '../../domain/ports/storage.ts'
import type { BlockInput } from '../../domain/records/records.ts'
import type { Decision, Input } from '../../domain/sessions/decision.ts'
import { type CoreContext, decideOn, NO_CHANGES } from '../context.ts'
import type { Station } from '../memory/station.ts'

interface Decided {
  readonly station: Station
  readonly decision: Decision
}

/**
 * Resolves when committed, with the station as it is then. Rejects when nothing was stored.
 * @param apply what is stored of the decision; undefined: nothing @param accountId also where the charge point is gone
 */
export function decideAnd(
  context: CoreContext,
  stationId: string,
  input: Input,
  apply: (decided: Decided) => ChangeSet | undefined,
  accountId?: string,
): Promise<Decided> {
  return new Promise((resolve, reject) => {
    let decision = NO_CHANGES
    context.engine.enqueue({
      stationId,
      accountId,
      prepare: () => lookups(input),
      decide(station) {
        decision = decideOn(context, station, input)
        return apply({ station, decision })
      },
      committed: (station) => resolve({ station, decision }),
      failed: reject,
    })
  })
}

export async function decideNow(context: CoreContext, stationId: string, input: BlockInput): Promise<Outcome> {
  const { decision } = await decideAnd(context, stationId, input, ({ station, decision }) =>
    // Nothing has changed for most stations of a reconnecting fleet.
    decision.outcome.refused === undefined && decision.changes.records
      ? context.decisions.applied(station, decision)
      : undefined,
  )
  return decision.outcome
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
