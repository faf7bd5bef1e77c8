/** How a demand ends by itself (CHARGING-S2). */
import type { BlockDraft } from '../ports/blocks.ts'
import type { ChargePointState, Connector, Session } from '../ports/sessions.ts'
import type { Refusal } from '../ports/storage-records.ts'
import { refuse } from '../refuse.ts'
import { chargesOf, evseOf } from './charges.ts'
import type { ChargingDemand, ChargingInput } from './records.ts'

export function isOpenDemand({ state }: Pick<ChargingDemand, 'state'>): boolean {
  return state === 'pending' || state === 'accepted'
}

export const SHARE_OWNER = 'group:'

/** Of a charging profile of a partner: the session's id follows (OCPI-A6). */
export const PROFILE_OWNER = 'ocpi:'

/** It ends with its session. */
export function endPartnerProfiles(
  draft: BlockDraft,
  { sessions = [] }: { readonly sessions?: readonly Session[] | undefined },
) {
  const ended = sessions.filter(({ state }) => state === 'completed' || state === 'failed')
  const over = draft.state.records
    .all('charging_demands')
    .filter(({ owner }) => ended.some(({ id }) => owner === PROFILE_OWNER + id))
  for (const { chargePointId, owner, evseId } of over) {
    draft.changeRecord({ kind: 'charging_demands', remove: { chargePointId, owner, evseId } })
  }
  return over.length > 0
}

/** A share of a connection: what it allows may be drawn on one phase (GROUP-P3). */
export function isShare({ owner }: Pick<ChargingDemand, 'owner'>): boolean {
  return owner.startsWith(SHARE_OWNER)
}

export interface AskedByGroup {
  readonly revision: number
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

/** Those reported, those with a charge and those whose wiring was described. Undefined: none reported yet. */
export function evsesOf(state: ChargePointState): ReadonlySet<number> | undefined {
  const { chargePointId, connectors, records } = state
  const wired = records.find('wirings', { chargePointId })?.connectors ?? []
  const reported = [...connectors.values()].flatMap((one) => evseOf(one) ?? []).filter((evseId) => evseId > 0)
  if (reported.length === 0) return undefined
  const others = [...chargesOf(state).map(({ evseId }) => evseId), ...wired.flatMap((one) => evseOf(one) ?? [])]
  return new Set([...reported, ...others].sort((one, other) => one - other))
}

/** CHARGING-S10: 0 is the charge point itself. */
export function isMissing(evses: ReadonlySet<number> | undefined, evseId: number): boolean {
  return evseId !== 0 && evses?.has(evseId) === false
}

export function missingText(evses: ReadonlySet<number>, evseId: number): string {
  return `the charge point has no EVSE ${evseId}: it has ${[...evses].join(', ')}`
}

/** @param member of the order that names it */
export function refuseMissing(
  evses: ReadonlySet<number> | undefined,
  evseId: number,
  member: 'evseId' | 'connectorId' = 'evseId',
): Refusal | undefined {
  if (!evses || !isMissing(evses, evseId)) return undefined
  const pointer = `/${member}`
  const message = `is not there: ${missingText(evses, evseId)}`
  return refuse(422, 'unknown_evse', `${pointer} ${message}.`, [{ pointer, code: 'unknown_evse', message }])
}

export function onEvseMissing(
  draft: BlockDraft,
  { evseId }: Extract<ChargingInput, { readonly kind: 'evseMissing' }>,
): void {
  const evses = evsesOf(draft.state)
  if (!evses || !isMissing(evses, evseId)) return
  for (const demand of demandsAt(draft, evseId)) {
    if (isOpenDemand(demand)) putState(draft, demand, 'refused', missingText(evses, evseId))
  }
}

export interface ReportedEvses {
  readonly connectors?: readonly Connector[] | undefined
}

/** What was refused of an EVSE that is reported for the first time is desired again. @returns whether that changed */
export function followEvses(draft: BlockDraft, { connectors = [] }: ReportedEvses): boolean {
  const { state } = draft
  const before = new Set([...state.connectors.values()].map(evseOf))
  const added = new Set(connectors.map(evseOf).filter((evseId) => evseId !== undefined && !before.has(evseId)))
  const refused = [...added].flatMap((evseId = 0) => demandsAt(draft, evseId)).filter((one) => one.state === 'refused')
  for (const demand of refused) putState(draft, demand, 'pending')
  return refused.length > 0
}

function demandsAt({ state }: BlockDraft, evseId: number): readonly ChargingDemand[] {
  return state.records.all('charging_demands').filter((demand) => demand.evseId === evseId)
}

function putState(
  draft: BlockDraft,
  { reason: _, ...demand }: ChargingDemand,
  state: ChargingDemand['state'],
  reason?: string,
): void {
  const put = { ...demand, state, ...(reason !== undefined && { reason }), updatedAt: draft.now }
  draft.changeRecord({ kind: 'charging_demands', put })
}
