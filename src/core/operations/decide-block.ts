import { evsesOf, isMissing, refuseMissing } from '../../domain/charging/demands.ts'
import type { BlockOrder } from '../../domain/ports/blocks.ts'
import type { Outcome } from '../../domain/ports/sessions.ts'
import type { Refusal } from '../../domain/ports/storage-records.ts'
import { refuse } from '../../domain/refuse.ts'
import { KEEPS_NOTHING } from '../../domain/reservations/rules.ts'
import type { OcppVersion } from '../../ocpp/version.ts'
import type { CoreContext } from '../context.ts'
import type { Station } from '../memory/station.ts'
import { decideAnd } from '../reconcile/decide-now.ts'
import { findStation, NO_CHARGE_POINT, OrderRefused, refusalOf } from './find-station.ts'
import { chargingObjection } from './send-command.ts'

/** Refused: not in the account, or against the rule; then nothing changed. */
export async function decideBlockOrder(
  context: CoreContext,
  { accountId, chargePointId, input }: BlockOrder,
): Promise<Outcome | Refusal> {
  const { stations } = context
  const found = stations.current(chargePointId) ?? (await stations.load(chargePointId))
  if (found?.chargePoint.accountId !== accountId) return NO_CHARGE_POINT
  // A station that only still shows as online (OCPP-CN4) can store nothing.
  if (input.kind === 'reservationOrdered' && found.connection === undefined) return KEEPS_NOTHING
  const missing = missingPlace(found, input)
  if (missing) return missing
  if (input.kind === 'rawProfileRequested') {
    const known = await findStation(context, accountId, chargePointId)
    if ('refused' in known) return known
    const { station, version } = known
    const { evseId, profile } = input
    const call = version.charging.set(evseId, profile)
    const objection =
      chargingObjection(context, station, version, { kind: 'set', evseId, profile }, true, (place) => place) ??
      unfit(version.validateRequest(call.method, call.request))
    if (objection) return objection
  }
  try {
    const { station, decision } = await decideAnd(context, chargePointId, input, (made) =>
      made.decision.outcome.refused === undefined ? context.decisions.applied(made.station, made.decision) : undefined,
    )
    const { outcome, requests = [] } = decision
    if (outcome.refused !== undefined) return refusalOf(new OrderRefused(outcome.refused))
    for (const request of requests) context.outgoing.ask(station, request)
    return outcome
  } catch (error) {
    return refusalOf(error)
  }
}

/** An order for an EVSE that the charge point lacks can never hold (CHARGING-S10). */
function missingPlace({ state }: Station, input: BlockOrder['input']): Refusal | undefined {
  const evses = state && evsesOf(state)
  switch (input.kind) {
    case 'chargingDemanded': {
      const missing = input.demands.find(({ evseId, caps }) => caps !== undefined && isMissing(evses, evseId))
      return missing && refuseMissing(evses, missing.evseId)
    }
    case 'reservationOrdered': {
      const { evseId, connectorId } = input.order
      return refuseMissing(evses, evseId ?? connectorId ?? 0, evseId === undefined ? 'connectorId' : 'evseId')
    }
    default:
      return undefined
  }
}

/** OCPP-RP13: requests must satisfy their schema. */
function unfit(faults: ReturnType<OcppVersion['validateRequest']>): Refusal | undefined {
  const errors = faults.map(({ pointer, message }) => ({ pointer, code: 'invalid_request', message }))
  const detail = errors.map(({ pointer, message }) => `${pointer} ${message}.`).join(' ')
  return errors.length === 0 ? undefined : refuse(422, 'charging_profile_refused', detail, errors)
}
