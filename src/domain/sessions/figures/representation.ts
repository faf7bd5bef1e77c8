/** The Session as the API and the webhooks show it (API-B3): exactly these attributes, absent never null. */

import { isoTime } from '../../iso-time.ts'
import type { Session } from '../../ports/sessions.ts'
import { roundCost } from './cost.ts'

export type PublicSession = ReturnType<typeof representSession>

/** API-G1: the webhook's `data` and `GET /sessions/{id}` are both made here. */
export function representSession(session: Session) {
  return {
    id: session.id,
    evseControllerId: session.chargePointId,
    state: session.state,
    externalReference: session.externalReference,
    energyKwh: wattHours(session.energyMilliWh) / 1000,
    ...(session.cost && {
      cost: roundCost(session.cost.micros, session.cost.currency),
      currency: session.cost.currency,
    }),
    settlementCount: session.settlementCount,
    startedAt: isoTime(session.startedAt),
    stoppedAt: isoTime(session.stoppedAt),
  }
}

export function suspectEnergyKwh({ suspectMilliWh }: Session): number | undefined {
  return suspectMilliWh === undefined ? undefined : wattHours(suspectMilliWh) / 1000
}

/** COST-CO1: whether energy or cost moved as far as the outside can see it. */
export function figuresDiffer(a: Session, b: Session): boolean {
  return wattHours(a.energyMilliWh) !== wattHours(b.energyMilliWh) || costsDiffer(a.cost, b.cost)
}

/** Whether the two look different from outside: the version rises exactly then. */
export function representationsDiffer(a: Session, b: Session): boolean {
  return (
    a.state !== b.state ||
    a.startedAt !== b.startedAt ||
    a.stoppedAt !== b.stoppedAt ||
    a.settlementCount !== b.settlementCount ||
    a.externalReference !== b.externalReference ||
    figuresDiffer(a, b)
  )
}

function costsDiffer(a: Session['cost'], b: Session['cost']): boolean {
  if (a === b) return false
  if (!a || !b) return true
  if (a.currency !== b.currency) return true
  return a.micros !== b.micros && roundCost(a.micros, a.currency) !== roundCost(b.micros, b.currency)
}

/** Round half up: three decimals of a kilowatt-hour are whole watt-hours. */
function wattHours(milliWattHours: number): number {
  return Math.floor((milliWattHours + 500) / 1000)
}
