import type { BlockDraft } from '../ports/blocks.ts'
import { KEY_OWNER } from './demands.ts'
import type { ChargingDemand, ChargingStation, Proof, StoredProfile } from './records.ts'

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

/** Far from what people choose in commands of their own. */
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
