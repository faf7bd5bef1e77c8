/** Energy, times and cost of a session, derived anew from its transaction, never counted on (COST-CO1, HOOK-M6). */

import { credibleEnergy, type FinalEnergy, finalEnergy, lastSampleAt } from '../../energy/meter.ts'
import type { FrozenTariff, Session } from '../../ports/sessions.ts'
import type { Course } from '../../tariffs/course.ts'
import type { Priced } from '../../tariffs/price.ts'
import { hasOwnTime, type MeteredTransaction } from '../draft.ts'
import { firstChargingAt, idleOf } from '../states/activities.ts'
import { isUnauthorised } from '../states/transition.ts'
import { orderOfEnd } from '../transactions/sequence.ts'
import { type CostFacts, costParts, NO_RATES } from './cost.ts'
import { piecesOf } from './course.ts'
import { pricedBy, simpleAmount } from './priced.ts'

export interface FinalFigures extends FinalEnergy {
  readonly startedAt: number
  /** Never before the start (ENERGY-W3). */
  readonly stoppedAt: number
  readonly idleMs: number
  /** SESSION-S8: no user was accepted for it, so only its energy is billed. */
  readonly isEnergyOnly: boolean
}

/** SESSION-S6: where the station numbers its transactions the first charging, else the start itself. */
export function startOf({ sequence, activities, startedAt }: MeteredTransaction): number {
  return (sequence && firstChargingAt(activities)) ?? startedAt.occurredAt
}

/** The station's stop is the truth (ENERGY-N4); of an orphan, the newest trustworthy sample (SESSION-A15). */
export function finalFigures(transaction: MeteredTransaction): FinalFigures {
  const { meter, stoppedAt, stopRegisterMilliWh, activities } = transaction
  const startedAt = startOf(transaction)
  const stopAt = stoppedAt?.occurredAt ?? startedAt
  const byStation = transaction.endedBy === 'station'
  const { energyMilliWh, estimated, relative, suspectMilliWh, flags }: FinalEnergy = byStation
    ? finalEnergy(meter, {
        at: stopAt,
        order: transaction.sequence && orderOfEnd(transaction.sequence),
        registerMilliWh: stopRegisterMilliWh,
        elapsedMs: elapsedMs(transaction),
      })
    : { ...credibleEnergy(meter), relative: false }
  const until = Math.max(startedAt, byStation ? stopAt : (lastSampleAt(meter) ?? stopAt))
  return {
    energyMilliWh,
    estimated,
    relative,
    suspectMilliWh,
    flags,
    startedAt,
    stoppedAt: until,
    idleMs: idleOf(activities, until, energyMilliWh),
    isEnergyOnly: isUnauthorised(transaction),
  }
}

/** By the station's clock, or by ours where that was set back meanwhile or is none. */
function elapsedMs({ startedAt, stoppedAt = startedAt }: MeteredTransaction): number {
  const received = stoppedAt.receivedAt - startedAt.receivedAt
  if (!hasOwnTime(startedAt) || !hasOwnTime(stoppedAt)) return received
  return Math.max(stoppedAt.occurredAt - startedAt.occurredAt, received)
}

/** Whether anything that a session shows would differ. */
export function finalFiguresDiffer(a: FinalFigures, b: FinalFigures): boolean {
  return (
    a.energyMilliWh !== b.energyMilliWh ||
    a.startedAt !== b.startedAt ||
    a.stoppedAt !== b.stoppedAt ||
    a.idleMs !== b.idleMs ||
    a.suspectMilliWh !== b.suspectMilliWh ||
    a.isEnergyOnly !== b.isEnergyOnly
  )
}

export interface CostBasis {
  readonly energyMilliWh: number
  readonly startedAt: number
  readonly until: number
  readonly idleMs: number
  readonly isEnergyOnly: boolean
}

/** By its frozen tariff; as it was without one, or once settled by hand. The same object when nothing moved. */
export function costOf(session: Session, basis: CostBasis, transaction: MeteredTransaction): Session['cost'] {
  const { tariff, cost, costFixed } = session
  if (!tariff || costFixed) return cost
  const micros = netMicros(basis.isEnergyOnly ? withoutFees(tariff) : tariff, basis, transaction)
  return cost?.micros === micros && cost.currency === tariff.currency ? cost : { micros, currency: tariff.currency }
}

function netMicros(tariff: FrozenTariff, basis: CostBasis, transaction: MeteredTransaction): number {
  if (tariff.elements) return pricedBy(tariff, courseOf(tariff, basis, transaction)).netMicros
  return simpleAmount(tariff, factsOf(basis)).netMicros
}

function courseOf({ timeZone = 'UTC' }: FrozenTariff, basis: CostBasis, transaction: MeteredTransaction): Course {
  return { pieces: piecesOf(transaction, basis), timeZone }
}

/** Period by period, up to what the session shows; undefined: no tariff, it did not begin, or settled by hand. */
export function pricedSession(session: Session, transaction: MeteredTransaction | undefined): Priced | undefined {
  const { tariff, startedAt, stoppedAt, energyMilliWh, cost, costFixed, idleMs = 0 } = session
  if (!tariff || startedAt === undefined || costFixed || !cost || !transaction) return undefined
  const until = Math.max(startedAt, stoppedAt ?? lastSampleAt(transaction.meter) ?? startedAt)
  const isEnergyOnly = isUnauthorised(transaction)
  const basis: CostBasis = { energyMilliWh, startedAt, until, idleMs, isEnergyOnly }
  const priced = pricedBy(isEnergyOnly ? withoutFees(tariff) : tariff, courseOf(tariff, basis, transaction))
  return addedUpTo(priced, cost.micros)
}

/** What the session shows may be more than its newest samples come to: that belongs to the last period. */
function addedUpTo(priced: Priced, micros: number): Priced {
  const more = micros - priced.netMicros
  const last = priced.periods.at(-1)
  if (more === 0 || !last) return priced
  const periods = priced.periods.with(-1, { ...last, netMicros: last.netMicros + more })
  const grossMicros = priced.netMicros > 0 ? Math.round((priced.grossMicros * micros) / priced.netMicros) : micros
  return { ...priced, netMicros: micros, grossMicros, periods }
}

function factsOf({ energyMilliWh, until, startedAt, idleMs }: CostBasis): CostFacts {
  return { energyMilliWh, elapsedMs: Math.max(0, until - startedAt), idleMs }
}

/** CONSOLE-C8: part by part; empty without a tariff, or before it began. @param now until then a running one counts */
export function costPartsOf(session: Session, transaction: MeteredTransaction | undefined, now: number) {
  const { tariff, startedAt, stoppedAt, energyMilliWh, idleMs = 0 } = session
  if (!tariff || startedAt === undefined) return []
  // These are no sum of prices and quantities: their periods are shown instead.
  if (tariff.elements || tariff.taxIncluded === 'yes' || tariff.minPrice || tariff.maxPrice) return []
  const until = stoppedAt ?? (transaction && lastSampleAt(transaction.meter)) ?? now
  const isEnergyOnly = transaction !== undefined && isUnauthorised(transaction)
  const basis = { energyMilliWh, startedAt, until, idleMs, isEnergyOnly }
  return costParts(isEnergyOnly ? withoutFees(tariff) : tariff, factsOf(basis))
}

/** SESSION-S8: no user agreed to a fee for the start, the time or the idle time. */
function withoutFees(tariff: FrozenTariff): FrozenTariff {
  const elements = tariff.elements?.map((element) => ({
    ...element,
    priceComponents: element.priceComponents.filter(({ type }) => type === 'ENERGY'),
  }))
  return { ...tariff, ...NO_RATES, perKwhMicros: tariff.perKwhMicros, minPrice: undefined, elements }
}
