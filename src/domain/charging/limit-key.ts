/** The configuration key that limits a station without smart charging, and then has its value back (CHARGING-S5). */
import { backOff } from '../intents/states.ts'
import type { BlockDraft } from '../ports/blocks.ts'
import { type HeldKey, heldKey, KEY_OWNER } from './demands.ts'
import type { ChargingCall, ChargingDemand, ChargingInput, ChargingStation } from './records.ts'
import { acceptDemand, putStation, stationOf, unexpired } from './rows.ts'

export const NOT_READ = 'the charge point did not say what its key was before: deleting the limit leaves it as it is'

/** @param station as it is put, but for what the key changes */
export function onKeyAnswered(
  draft: BlockDraft,
  station: ChargingStation,
  call: Extract<ChargingCall, { readonly step: 'key' | 'keyRead' | 'keyRestore' }>,
  { answer, value }: Pick<Extract<ChargingInput, { readonly kind: 'chargingAnswered' }>, 'answer' | 'value'>,
): void {
  if (call.step === 'keyRead') {
    // Where limits were set before any read, the value is theirs.
    const isOurs = unexpired(draft).some(({ appliedRevision }) => appliedRevision !== undefined)
    putKey(draft, { name: call.key, ...(!isOurs && { before: value }) })
    putStation(draft, station)
    return
  }
  if (answer.outcome !== 'accepted') {
    const attempts = stationOf(draft).attempts + 1
    putStation(draft, { ...station, attempts, nextAttemptAt: draft.now + backOff(attempts) })
    return
  }
  const keyAmps = call.step === 'key' ? call.amps : undefined
  putStation(draft, { ...station, keyAmps })
  if (keyAmps === undefined) {
    putKey(draft, undefined)
    return
  }
  const reason = heldKey(draft.state.records.all('charging_demands'))?.before === undefined ? NOT_READ : undefined
  for (const demand of unexpired(draft)) acceptDemand(draft, demand, reason)
}

function putKey(draft: BlockDraft, asked: HeldKey | undefined): void {
  const { now } = draft
  const key = { chargePointId: draft.state.chargePointId, owner: KEY_OWNER, evseId: 0 }
  const dates = { createdAt: now, updatedAt: now }
  const put: ChargingDemand = { ...key, asked, caps: {}, revision: 1, state: 'pending', ...dates }
  draft.changeRecord({ kind: 'charging_demands', ...(asked ? { put } : { remove: key }) })
}
