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
import { costPartsOf } from '../sessions/figures/figures.ts'
import { grossOf, withoutTax } from '../tax.ts'
import {
  CDR_MADE,
  type Cdr,
  type CdrFacts,
  type CdrPeriod,
  laneOf,
  type PartnerOfSession,
  type SealedPlace,
} from './records.ts'

const MICROS = 1_000_000
const MILLI_WH_PER_KWH = 1_000_000
const HOUR_MS = 3_600_000
/** ISO 4217: no currency. Nothing says what the charge costs. */
const NO_CURRENCY = 'XXX'

export interface PartnersSession extends Session {
  readonly partner: PartnerOfSession
  readonly place: SealedPlace
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
    const parts = costPartsOf(session, draft.transaction(session.transactionId ?? ''), draft.now)
    const made = cdrsOf({ ...session, partner, place }, parts, draft.now)
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
): SealedPlace | undefined {
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

/** The CDRs that this settlement makes: one, and before it the credit of the one that it corrects. */
export function cdrsOf(session: PartnersSession, parts: readonly CostPart[], now: number): readonly Cdr[] {
  const { id: sessionId, accountId, settlementCount, billed, partner } = session
  if (settlementCount === undefined || settlementCount === billed) return []
  const common = { accountId, partnerId: partner.partnerId, sessionId, lastUpdated: now }
  const cdr = { ...common, cdrId: cdrId(sessionId, settlementCount), facts: factsOf(session, parts) }
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

function factsOf(session: PartnersSession, parts: readonly CostPart[]): CdrFacts {
  const { startedAt = session.createdAt, tariff, partner: token, place, energyMilliWh } = session
  const stoppedAt = Math.max(startedAt, session.stoppedAt ?? startedAt)
  return {
    startedAt,
    stoppedAt,
    token,
    place,
    tariff,
    periods: periodsOf(session, stoppedAt),
    energyMilliWh,
    ...totalOf(session),
    ...(parts.length > 0 && !session.costFixed && { parts: partCosts(session, parts, stoppedAt - startedAt) }),
  }
}

/** As the session shows it: rounded to its currency. */
export function totalOf({ cost, tariff }: Pick<Session, 'cost' | 'tariff'>) {
  const currency = cost?.currency ?? tariff?.currency ?? NO_CURRENCY
  return { currency, ...withTax(Math.round(roundCost(cost?.micros ?? 0, currency) * MICROS), tariff) }
}

/** PARKING_TIME is what the vehicle asked for no power; both are the whole session (TARIFF-A4). None: not begun. */
export function periodsOf(session: Session, stoppedAt: number): readonly CdrPeriod[] {
  const { startedAt: startAt, energyMilliWh, idleMs = 0, tariff } = session
  if (startAt === undefined) return []
  const parkedMs = Math.min(idleMs, stoppedAt - startAt)
  const dimensions = [
    { type: 'ENERGY', volume: energyMilliWh / MILLI_WH_PER_KWH },
    { type: 'TIME', volume: (stoppedAt - startAt - parkedMs) / HOUR_MS },
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

/** Of an amount as the tariff has it: without tax unless it says otherwise (TARIFF-A5). */
function withTax(micros: number, tariff: FrozenTariff | undefined) {
  if (tariff?.taxPercent === undefined) return { costMicros: micros }
  if (tariff.taxIncluded !== 'yes') return { costMicros: micros, costInclVatMicros: grossOf(micros, tariff) }
  return { costMicros: Math.round(withoutTax(micros, tariff)), costInclVatMicros: micros }
}
