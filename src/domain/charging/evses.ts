/** Which EVSEs a charge point has, as far as known, and what becomes of a demand for one that it does not have. */
import type { BlockDraft } from '../ports/blocks.ts'
import type { Refusal } from '../ports/refusal.ts'
import type { ChargePointState, Connector, Outcome } from '../ports/sessions.ts'
import { refuse } from '../refuse.ts'
import { chargesOf, evseOf } from './charges.ts'
import { isOpenDemand } from './demands.ts'
import type { ChargingDemand, ChargingInput } from './records.ts'

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

/** Behind the name of the member, or of the charge point. */
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
): Outcome {
  const evses = evsesOf(draft.state)
  if (!evses || !isMissing(evses, evseId)) return {}
  for (const demand of demandsAt(draft, evseId)) {
    if (isOpenDemand(demand)) putState(draft, demand, 'refused', missingText(evses, evseId))
  }
  return {}
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
