/**
 * What is billed to a partner (OCPI-A5): a CDR for each settlement of a session of its customer, made in the commit of
 * the settlement. Its ids follow from session and settlement, so deciding again makes no other one. Pure.
 */
import { hash } from 'node:crypto'
import { evseOf } from '../charging/charges.ts'
import type { ChargePointState, FrozenTariff, Session } from '../ports/sessions.ts'
import type { EventData } from '../ports/storage-webhooks.ts'
import type { Draft } from '../sessions/draft.ts'
import { type CostPart, roundCost } from '../sessions/figures/cost.ts'
import { costPartsOf, pricedSession } from '../sessions/figures/figures.ts'
import type { PriceDimension } from '../tariffs/elements.ts'
import type { Part, Priced } from '../tariffs/price.ts'
import { grossOf } from '../tax.ts'
import {
  CDR_MADE,
  type Cdr,
  type CdrFacts,
  type CdrPeriod,
  laneOf,
  type PartnerOfSession,
  type SealedLocation,
} from './records.ts'

const MICROS = 1_000_000
const MILLI_WH_PER_KWH = 1_000_000
const HOUR_MS = 3_600_000
/** ISO 4217: no currency. Nothing says what the charge costs. */
const NO_CURRENCY = 'XXX'

export interface PartnersSession extends Session {
  readonly partner: PartnerOfSession
  readonly place: SealedLocation
}

/**
 * Seals where sessions of partners begin, bills what was settled, and notes when they changed. A session at a charge
 * point that stands in no location is shown to no partner. @returns whether anything changed
 */
export function followPartners(draft: Draft, changed: readonly Session[]): boolean {
  let isChanged = false
  for (const session of changed) {
    const { id, accountId, partner, lastEventAt = 0 } = session
    if (!partner) continue
    const place = placeAtStart(draft.state, draft.state.sessions.get(id), session)
    if (!place) continue
    isChanged = true
    const transaction = draft.transaction(session.transactionId ?? '')
    const basis = { parts: costPartsOf(session, transaction, draft.now), priced: pricedSession(session, transaction) }
    const made = cdrsOf({ ...session, partner, place }, basis, draft.now)
    for (const cdr of made) {
      draft.changeRecord({ kind: 'cdrs', put: cdr })
      draft.tell(cdrMade(cdr))
    }
    draft.putSession({ ...session, place, billed: made.length > 0 ? session.settlementCount : session.billed })
    const lastUpdated = Math.max(draft.now, lastEventAt + 1)
    const { partnerId } = partner
    draft.changeRecord({ kind: 'partner_sessions', put: { accountId, partnerId, sessionId: id, lastUpdated } })
  }
  return isChanged
}

/** As it is when the charge begins; what changes during the charge is not seen. */
function placeAtStart(
  { records }: ChargePointState,
  before: Session | undefined,
  session: Session,
): SealedLocation | undefined {
  if (session.place && (before?.startedAt ?? session.stoppedAt) !== undefined) return session.place
  const evseId = evseOf(session)
  const found = records.all('location_evses').find((one) => one.ocppEvseId === undefined || one.ocppEvseId === evseId)
  if (!found?.place) return session.place
  const { connectors, ...place } = found.place
  // An EVSE of OCPP 1.6 has one connector; those of 2.x are numbered from 1, in the order of the location.
  const number = session.evseId === undefined ? 1 : (session.connectorId ?? 1)
  const connector = connectors[number - 1] ?? connectors[0]
  return connector && { ...place, ...connector }
}

/** What the cost comes from, as far as it is known: the parts of a simple tariff, or the course by any. */
interface CostBasis {
  readonly parts: readonly CostPart[]
  readonly priced?: Priced | undefined
}

/** The CDRs that this settlement makes: one, and before it the credit of the one that it corrects. */
export function cdrsOf(session: PartnersSession, basis: CostBasis, now: number): readonly Cdr[] {
  const { id: sessionId, accountId, settlementCount, billed, partner } = session
  if (settlementCount === undefined || settlementCount === billed) return []
  const common = { accountId, partnerId: partner.partnerId, sessionId, lastUpdated: now }
  const cdr = { ...common, cdrId: cdrId(sessionId, settlementCount), facts: factsOf(session, basis) }
  if (billed === undefined) return [cdr]
  const creditOf = cdrId(sessionId, billed)
  return [{ ...common, cdrId: `${creditOf}C`, creditOf }, cdr]
}

/** With the mark of a credit at most 36 characters, as reconciliations list ids: for 99 settlements of a session. */
function cdrId(sessionId: string, settlement: number): string {
  const plain = sessionId.replaceAll('-', '')
  const short = /^[0-9a-f]{32}$/i.test(plain) ? plain : hash('sha256', sessionId, 'hex').slice(0, 32)
  return `${short}-${settlement.toString(36)}`
}

function cdrMade({ cdrId, sessionId, partnerId }: Cdr): EventData {
  const alsoTo = [laneOf(partnerId)]
  return { type: CDR_MADE, subject: sessionId, orderKey: `cdr ${sessionId}`, data: { cdrId }, alsoTo }
}

function factsOf(session: PartnersSession, { parts, priced }: CostBasis): CdrFacts {
  const { startedAt = session.createdAt, tariff, partner: token, place, energyMilliWh } = session
  const stoppedAt = Math.max(startedAt, session.stoppedAt ?? startedAt)
  return {
    startedAt,
    stoppedAt,
    token,
    place,
    tariff,
    periods: priced ? pricedPeriods(priced, tariff) : periodsOf(session, stoppedAt),
    energyMilliWh,
    ...totalOf(session, priced),
    ...(!session.costFixed &&
      (tariff?.elements
        ? priced && { parts: pricedAmounts(priced) }
        : parts.length > 0 && { parts: partCosts(session, parts, stoppedAt - startedAt) })),
  }
}

/** As the session shows it: rounded to its currency. @param priced where tax is not one rate of all */
export function totalOf({ cost, tariff }: Pick<Session, 'cost' | 'tariff'>, priced?: Priced) {
  const currency = cost?.currency ?? tariff?.currency ?? NO_CURRENCY
  const rounded = (micros: number): number => Math.round(roundCost(micros, currency) * MICROS)
  const costMicros = rounded(cost?.micros ?? 0)
  if (!priced) return { currency, ...withTax(costMicros, tariff) }
  return { currency, costMicros, ...(priced.hasGross && { costInclVatMicros: rounded(priced.grossMicros) }) }
}

function pricedPeriods({ periods }: Priced, tariff: FrozenTariff | undefined): readonly CdrPeriod[] {
  return periods.map(({ start, end, phase, energyMilliWh }) => {
    const energy = { type: 'ENERGY', volume: energyMilliWh / MILLI_WH_PER_KWH } as const
    const time = { type: phase === 'parking' ? 'PARKING_TIME' : 'TIME', volume: (end - start) / HOUR_MS } as const
    return {
      startAt: start,
      dimensions: energyMilliWh > 0 ? [energy, time] : [time],
      tariffId: tariff?.tariffId,
    }
  })
}

const PARTS = { energy: 'ENERGY', fixed: 'FLAT', time: 'TIME', parking: 'PARKING_TIME' } as const

function pricedAmounts({ parts, hasGross }: Priced): CdrFacts['parts'] {
  const named = Object.entries(PARTS) as readonly (readonly [keyof typeof PARTS & Part, PriceDimension])[]
  return Object.fromEntries(
    named.flatMap(([part, dimension]) => {
      const { netMicros: costMicros, grossMicros } = parts[part]
      return costMicros === 0 ? [] : [[dimension, { costMicros, ...(hasGross && { costInclVatMicros: grossMicros }) }]]
    }),
  )
}

/** PARKING_TIME is what the vehicle asked for no power; both are the whole session (TARIFF-A4). None: not begun. */
export function periodsOf(session: Session, stoppedAt: number): readonly CdrPeriod[] {
  const { startedAt: startAt, energyMilliWh, idleMs = 0, tariff } = session
  if (startAt === undefined) return []
  const elapsedMs = Math.max(0, stoppedAt - startAt)
  const parkedMs = Math.min(idleMs, elapsedMs)
  const dimensions = [
    { type: 'ENERGY', volume: energyMilliWh / MILLI_WH_PER_KWH },
    { type: 'TIME', volume: (elapsedMs - parkedMs) / HOUR_MS },
    { type: 'PARKING_TIME', volume: parkedMs / HOUR_MS },
  ] as const
  const taken = dimensions.filter(({ type, volume }) => type === 'TIME' || volume > 0)
  return [{ startAt, dimensions: taken, tariffId: tariff?.tariffId }]
}

/** A minute of a simple tariff is paid for while the vehicle is parked, too. */
function partCosts({ idleMs = 0, tariff }: Session, parts: readonly CostPart[], elapsedMs: number): CdrFacts['parts'] {
  const of = (part: CostPart['part']) => parts.find((one) => one.part === part)?.micros
  const time = of('time')
  const parkedShare = elapsedMs > 0 ? Math.min(1, idleMs / elapsedMs) : 0
  const parkedTime = time === undefined ? undefined : Math.round(time * parkedShare)
  const amount = (micros: number | undefined) => micros !== undefined && withTax(micros, tariff)
  const costs = {
    ENERGY: amount(of('energy')),
    FLAT: amount(of('session')),
    TIME: amount(time === undefined ? undefined : time - (parkedTime ?? 0)),
    PARKING_TIME: idleMs > 0 && amount((parkedTime ?? 0) + (of('idle') ?? 0)),
  }
  return Object.fromEntries(Object.entries(costs).filter(([, cost]) => cost))
}

/** Costs are without tax, whatever the prices are (TARIFF-A5). */
function withTax(costMicros: number, tariff: FrozenTariff | undefined) {
  return tariff?.taxPercent === undefined
    ? { costMicros }
    : { costMicros, costInclVatMicros: grossOf(costMicros, tariff) }
}
