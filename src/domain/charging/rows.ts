import type { BlockDraft } from '../ports/blocks.ts'
import type { Session, Transaction } from '../ports/sessions.ts'
import { evseOf } from './charges.ts'
import { KEY_OWNER } from './demands.ts'
import type { ChargingDemand, ChargingStation, ConnectorWiring, Proof, StoredProfile, Wiring } from './records.ts'

export function stationOf(draft: BlockDraft): ChargingStation {
  const { chargePointId } = draft.state
  return (
    draft.record('charging_stations', { chargePointId }) ?? {
      chargePointId,
      isKnown: false,
      clearsForeign: false,
      nextRequestId: FIRST_REQUEST_ID,
      isUnsupported: false,
      attempts: 0,
      proofs: {},
      resumedAt: {},
      needs: {},
      updatedAt: draft.now,
    }
  )
}

const FIRST_REQUEST_ID = 1_600_000_000

export function putStation(draft: BlockDraft, station: ChargingStation): void {
  draft.changeRecord({ kind: 'charging_stations', put: { ...station, updatedAt: draft.now } })
}

export function storedProfile(
  profile: StoredProfile['profile'],
  facts: Omit<StoredProfile, 'profile' | 'id' | 'purpose' | 'stackLevel' | 'transactionId' | 'validFrom' | 'validTo'>,
): StoredProfile {
  const { id, purpose, stackLevel, transactionId, validFrom, validTo } = profile
  return { ...facts, id, purpose, stackLevel, transactionId, validFrom, validTo, profile }
}

/** An answer that comes late does not open again what is over. */
export function unexpired({ state: { records } }: BlockDraft): readonly ChargingDemand[] {
  return records.all('charging_demands').filter(({ owner, state }) => owner !== KEY_OWNER && state !== 'expired')
}

export function putDemand(draft: BlockDraft, demand: ChargingDemand): void {
  draft.changeRecord({ kind: 'charging_demands', put: { ...demand, updatedAt: draft.now } })
}

export function acceptDemand(draft: BlockDraft, demand: ChargingDemand, reason?: string): void {
  const { revision: appliedRevision } = demand
  putDemand(draft, { ...demand, state: 'accepted', reason, appliedRevision, acceptedAt: draft.now })
}

export function putProfile(draft: BlockDraft, put: StoredProfile): void {
  draft.changeRecord({ kind: 'charging_profiles', put })
}

export function profileOf(draft: BlockDraft, id: number): StoredProfile | undefined {
  return draft.record('charging_profiles', { chargePointId: draft.state.chargePointId, source: 'desired', id })
}

export function proofOf(draft: BlockDraft, evseId: number): Proof | undefined {
  return stationOf(draft).proofs[evseId]
}

export function putProof(draft: BlockDraft, evseId: number, proof: Proof): void {
  const station = stationOf(draft)
  putStation(draft, { ...station, proofs: { ...station.proofs, [evseId]: proof } })
}

/** What should hold there is sent again; what is on its way too, so that its answer says nothing of now. */
export function staleAt(draft: BlockDraft, evseId: number): void {
  for (const row of draft.state.records.all('charging_profiles')) {
    const isOut = row.state === 'accepted' || row.state === 'sent'
    if (row.source === 'desired' && row.evseId === evseId && isOut) putProfile(draft, staled(row))
  }
}

export function staled({ nextAttemptAt: _, refusedForms: _f, ...row }: StoredProfile): StoredProfile {
  return { ...row, state: 'stale', attempts: 0 }
}

/** 0: nothing, or by a clock that was put back since. */
export function newestAcceptance(profiles: readonly StoredProfile[], evseId: number, now: number): number {
  const times = profiles.map((row) => (row.evseId === evseId ? (row.acceptedAt ?? 0) : 0))
  return Math.max(0, ...times.filter((at) => at <= now))
}

/** What of a charge concerns limits: that it began, ended, or went on after a pause (CHARGING-S8). */
export interface ChangedCharges {
  readonly sessions?: readonly Session[] | undefined
  readonly transactions?: readonly Transaction[] | undefined
}

/** Stations forget limits while a charge pauses: sent again when it goes on. @returns whether anything changed */
export function followCharges(draft: BlockDraft, { sessions = [], transactions = [] }: ChangedCharges): boolean {
  const { state } = draft
  const isEnded = endForeign(draft, transactions)
  if (state.records.all('charging_demands').length === 0) return isEnded
  const resumed = sessions.flatMap((session) => {
    const before = state.sessions.get(session.id)
    const evseId = evseOf(session)
    const goesOn = before?.state === 'suspended' && session.state === 'charging'
    // OCPP21-B8
    const isResumed = before !== undefined && before.atStation?.resumedAt !== session.atStation?.resumedAt
    return (goesOn || isResumed) && evseId !== undefined ? [evseId] : []
  })
  const isOther = transactions.some(({ transactionId, open }) => state.transactions.get(transactionId)?.open !== open)
  if (resumed.length === 0 && !isOther) return isEnded
  for (const evseId of resumed) staleAt(draft, evseId)
  const station = stationOf(draft)
  const now = Object.fromEntries(resumed.map((evseId) => [evseId, draft.now]))
  putStation(draft, { ...station, resumedAt: { ...station.resumedAt, ...now } })
  return true
}

/** What others set for a charge, as with its start, ends with it. */
function endForeign(draft: BlockDraft, transactions: readonly Transaction[]): boolean {
  const { chargePointId, records } = draft.state
  let isEnded = false
  for (const { source, id, evseId, purpose, transactionId } of records.all('charging_profiles')) {
    if (source !== 'reported' || purpose !== 'TxProfile') continue
    const ofIt = (one: Transaction): boolean =>
      transactionId === undefined ? evseId === 0 || evseId === evseOf(one) : transactionId === one.transactionId
    if (!transactions.some((one) => !one.open && ofIt(one))) continue
    draft.changeRecord({ kind: 'charging_profiles', remove: { chargePointId, source, id } })
    isEnded = true
  }
  return isEnded
}

// How an EVSE is wired. One connector is in use at a time, unknown before a car is there: any may be (GROUP-P1).

/** A connector that the charge point reports beside described ones counts as undescribed: any may be in use. */
export function withUndescribed(
  described: readonly ConnectorWiring[],
  reported: Iterable<Pick<ConnectorWiring, 'evseId' | 'connectorId'>>,
): readonly ConnectorWiring[] {
  const added = [...reported].filter(({ evseId, connectorId }) => {
    const here = evseId === undefined ? [] : connectorsOf(described, evseId)
    return here.length > 0 && !here.some((one) => one.connectorId === connectorId)
  })
  return [...described, ...added.map(({ evseId, connectorId }) => ({ evseId, connectorId }))]
}

/** Those of the EVSE that the account described; 1.6 has no EVSEs: the connector is one. */
export function connectorsOf(connectors: readonly ConnectorWiring[], evseId: number): readonly ConnectorWiring[] {
  return connectors.filter((one) => (one.evseId ?? one.connectorId) === evseId)
}

/** On so many phases it may draw: watts come to the fewest amperes on each. On three where it was not described. */
export function mostPhases(connectors: readonly ConnectorWiring[], evseId: number): number {
  const phases = connectorsOf(connectors, evseId).map((one) => one.phases ?? 3)
  return phases.length > 0 ? Math.max(...phases) : 3
}

export function mostAmps(connectors: readonly ConnectorWiring[], evseId: number): number {
  const reported = connectorsOf(connectors, evseId).map(({ maxAmps = UNKNOWN_AMPS }) => maxAmps)
  return reported.length > 0 ? Math.max(...reported) : UNKNOWN_AMPS
}

/** What the outlet gives in watts, of a voltage at its upper end; undefined where no amperes were described. */
export function ratedPowerW(wiring: Wiring, outlet: number | undefined, voltage: number): number | undefined {
  const here = outlet !== undefined ? connectorsOf(wiring.connectors, outlet) : []
  const powers = here.map(({ maxAmps, phases = 3 }) => (maxAmps ?? Number.NaN) * phases * voltage * 1.1)
  const most = powers.length > 0 ? Math.round(Math.max(...powers)) : Number.NaN
  return Number.isNaN(most) ? undefined : most
}

/** Of a connector without a description (GROUP-A3). */
const UNKNOWN_AMPS = 32

/** On so few: amperes come to the fewest watts, and watts to the most amperes. */
export function fewestPhases(connectors: readonly ConnectorWiring[], evseId: number): number {
  return Math.min(3, ...connectorsOf(connectors, evseId).map((one) => one.phases ?? 3))
}
