/** What a station turned out not to be able to do, after it was ordered. */
import type { BlockDraft } from '../ports/blocks.ts'
import { abilityFaults } from './checks.ts'
import type { ChargingAbilities } from './records.ts'
import { putDemand, putProfile, unexpired } from './rows.ts'

export const NO_ABILITY = 'the charge point has no smart charging: name a key that limits it (PUT /2/station-models)'

/** Of demands one without smart charging carries out none; of profiles as they were given each is checked. */
export function refuseUnable(draft: BlockDraft, abilities: ChargingAbilities | undefined): void {
  const hasNone = abilities?.smartCharging === false
  for (const demand of hasNone ? unexpired(draft) : []) {
    putDemand(draft, { ...demand, state: 'refused', reason: NO_ABILITY })
  }
  for (const row of draft.state.records.all('charging_profiles')) {
    const isOpen = row.owner === 'raw' && (row.state === 'due' || row.state === 'stale')
    const [fault] = isOpen ? abilityFaults(row.profile, abilities) : []
    if (!fault) continue
    const reason = `${fault.pointer} ${fault.message} (${fault.clause})`
    putProfile(draft, { ...row, state: 'refused', reason, updatedAt: draft.now })
  }
}
