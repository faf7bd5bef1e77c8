/** What is shown of the EVSEs of a charge point that stand in locations (LOCATION-A2, LOCATION-A3). Pure. */
import { chargesOf, evseOf } from '../charging/charges.ts'
import type { BlockDraft, InputOf } from '../ports/blocks.ts'
import type { ChargePointState, Connector, Outcome, Transaction } from '../ports/sessions.ts'
import { recordsOf } from '../records/records-of.ts'
import { connectorKey } from '../sessions/records.ts'
import { locationUpdated } from './events.ts'
import type { LocationEvseState } from './records.ts'
import { evseStatus, SILENCE_MS } from './status.ts'

const kept = recordsOf('location_evses')
const newest = recordsOf('timeline_folds')

/** OCPP-CN4: shorter losses of the connection are not shown, also when the server itself was away. */
const GRACE_MS = 60_000

/** Makes these EVSEs, and no others, those of a location at this charge point. Refused: another location has one. */
export function onLocationEvsesPlaced(
  draft: BlockDraft,
  { locationId, evses, at }: InputOf<'locationEvsesPlaced'>,
): Outcome | undefined {
  const { chargePointId, accountId, records } = draft.state
  const others = records.all('location_evses').filter((one) => one.locationId !== locationId)
  if (others.some((other) => evses.some((evse) => overlap(evse, other)))) return { refused: 'evse_elsewhere' }
  for (const one of records.all('location_evses')) {
    if (one.locationId === locationId && !evses.some(({ uid }) => uid === one.uid)) kept.remove(draft, one)
  }
  const facts = factsOf(draft.state)
  for (const { uid, ocppEvseId, place } of evses) {
    const before = kept.find(draft, { uid })
    if (before && before.ocppEvseId === ocppEvseId && before.locationId === locationId) {
      if (JSON.stringify(before.place) !== JSON.stringify(place)) kept.put(draft, { ...before, place })
      continue
    }
    const placed = { chargePointId, uid, accountId, locationId, ocppEvseId, place }
    const silentAt = (draft.state.status.lastSeenAt ?? 0) + SILENCE_MS
    const unknownDueAt = isConnected(draft) || silentAt <= draft.now ? undefined : silentAt
    const shown = statusOf(draft, facts, placed, silentAt <= draft.now)
    // Its owner's change is reported by itself.
    kept.put(draft, { ...placed, shown, shownSince: later(at, before?.shownSince), unknownDueAt })
  }
}

/** Two places of a charge point of which one is part of the other. */
export function overlap(
  one: Pick<LocationEvseState, 'ocppEvseId'>,
  other: Pick<LocationEvseState, 'ocppEvseId'>,
): boolean {
  return one.ocppEvseId === undefined || other.ocppEvseId === undefined || one.ocppEvseId === other.ocppEvseId
}

/** The ten minutes of a silent charge point are over; `followEvseStatus` does the rest. */
export function onEvseSilenceDue(): void {}

export interface ChangedEvses {
  readonly connectors?: readonly Connector[] | undefined
  readonly transactions?: readonly Transaction[] | undefined
}

/** Whatever a decision changed: what is shown otherwise now is kept and reported in the same commit. */
export function followEvseStatus(draft: BlockDraft, changes: ChangedEvses): boolean {
  const facts = factsOf(draft.state, changes)
  let isChanged = false
  for (const { uid } of draft.state.records.all('location_evses')) {
    const one = kept.find(draft, { uid })
    if (!one) continue
    const due = silenceDue(draft, one)
    const isSilent = due !== undefined && due <= draft.now
    const shown = statusOf(draft, facts, one, isSilent || (one.shown === 'UNKNOWN' && due === undefined))
    const unknownDueAt = isSilent ? undefined : due
    if (shown === one.shown && unknownDueAt === one.unknownDueAt) continue
    isChanged = true
    if (shown === one.shown) {
      kept.put(draft, { ...one, unknownDueAt })
      continue
    }
    const at = draft.changeTime(one.locationId, later(draft.now, one.shownSince))
    kept.put(draft, { ...one, shown, shownSince: at, unknownDueAt })
    const { accountId, locationId, chargePointId } = one
    draft.changeRecord({ kind: 'location_changes', put: { accountId, locationId, changedAt: at } })
    const evse = { uid, chargePointId, status: shown, previousStatus: one.shown }
    draft.tell(locationUpdated.of({ locationId, at, evse }))
  }
  return isChanged
}

export function wakeOfSilence({ unknownDueAt = Number.POSITIVE_INFINITY }: LocationEvseState): number {
  return unknownDueAt
}

/** LOCATION-A3: strictly upwards, also when the clock stepped back. */
export function later(now: number, before = 0): number {
  return Math.max(now, before + 1)
}

/** When a lost connection has lasted for so long that nothing is known; undefined: connected, or unknown already. */
function silenceDue(draft: BlockDraft, { shown, unknownDueAt }: LocationEvseState): number | undefined {
  if (isConnected(draft) || !wasConnected(draft)) return undefined
  if (unknownDueAt !== undefined || shown === 'UNKNOWN') return unknownDueAt
  return Math.max((draft.state.status.lastSeenAt ?? 0) + SILENCE_MS, draft.now + GRACE_MS)
}

function isConnected(draft: BlockDraft): boolean {
  return newest.find(draft, { about: 'connected' })?.openSince !== undefined
}

function wasConnected(draft: BlockDraft): boolean {
  const { lastSeenAt, bootedAt } = draft.state.status
  return (lastSeenAt ?? bootedAt) !== undefined || newest.find(draft, { about: 'connected' }) !== undefined
}

interface Facts {
  readonly connectors: readonly Connector[]
  readonly transactions: ReadonlyMap<string, Transaction>
}

/** As the decision leaves it. */
function factsOf(state: ChargePointState, { connectors, transactions = [] }: ChangedEvses = {}): Facts {
  const changed = connectors && new Map(connectors.map((one) => [connectorKey(one.evseId, one.connectorId), one]))
  const open = new Map(state.transactions)
  for (const one of transactions) open.set(one.transactionId, one)
  return {
    connectors: [...(changed ? new Map([...state.connectors, ...changed]) : state.connectors).values()],
    transactions: open,
  }
}

function statusOf(
  draft: BlockDraft,
  { connectors, transactions }: Facts,
  { ocppEvseId }: Pick<LocationEvseState, 'ocppEvseId'>,
  isSilent: boolean,
) {
  const isHere = (evseId: number | undefined): boolean =>
    ocppEvseId === undefined ? evseId !== 0 : evseId === ocppEvseId
  return evseStatus({
    wasConnected: wasConnected(draft),
    isAccepted: draft.state.registrationStatus === 'Accepted',
    isSilent: isSilent && !isConnected(draft),
    connectors: connectors.filter((one) => isHere(evseOf(one))).map(({ status }) => status),
    station: connectors.find((one) => evseOf(one) === 0)?.status,
    hasTransaction: chargesOf({ transactions }).some(({ evseId }) => isHere(evseId)),
    isReserved: draft.state.records.all('reservations').some((key) => {
      const { state, asked } = draft.record('reservations', key) ?? key
      const evseId = evseOf(asked)
      return state === 'active' && evseId !== undefined && isHere(evseId)
    }),
  })
}
