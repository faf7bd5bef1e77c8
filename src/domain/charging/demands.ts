/** How a demand ends by itself (CHARGING-S2). */
import type { BlockDraft } from '../ports/blocks.ts'
import type { ChargingDemand } from './records.ts'

export function isOpenDemand({ state }: Pick<ChargingDemand, 'state'>): boolean {
  return state === 'pending' || state === 'accepted'
}

/** Prefix of the owner of a share: a limit group. */
export const SHARE_OWNER = 'group:'

/** A share of a connection: what it allows may be drawn on one phase (GROUP-P3). */
export function isShare({ owner }: Pick<ChargingDemand, 'owner'>): boolean {
  return owner.startsWith(SHARE_OWNER)
}

export interface AskedByGroup {
  readonly revision: number
  /** When a plan gave less than the one before it. */
  readonly cutAt?: number | undefined
}

/** Of the key that limits a station without smart charging: it stands until the key has its own value again. */
export const KEY_OWNER = 'key'

/** What a key had before we set it (CHARGING-S5). */
export interface HeldKey {
  readonly name: string
  readonly before?: string | undefined
}

export function heldKey(demands: readonly ChargingDemand[]): HeldKey | undefined {
  return demands.find(({ owner }) => owner === KEY_OWNER)?.asked as HeldKey | undefined
}

/** From when on an open one says nothing any more; infinite: it stands until it is withdrawn. */
export function wakeOfDemand(demand: ChargingDemand): number {
  const { standing, charge } = demand.caps
  const ends = [standing, charge].flatMap((cap) => (cap ? [cap.until ?? Number.POSITIVE_INFINITY] : []))
  return isOpenDemand(demand) && ends.length > 0 ? Math.max(...ends) : Number.POSITIVE_INFINITY
}

export function expireDemands(draft: BlockDraft): void {
  for (const key of draft.state.records.all('charging_demands')) {
    const demand = draft.record('charging_demands', key)
    if (!demand || wakeOfDemand(demand) > draft.now) continue
    draft.changeRecord({ kind: 'charging_demands', put: { ...demand, state: 'expired', updatedAt: draft.now } })
  }
}
