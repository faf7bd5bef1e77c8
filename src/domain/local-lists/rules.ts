/** What becomes of the list of one charge point (LIST-A2 to LIST-A6). Pure. */
import type { BlockDraft, InputOf } from '../ports/blocks.ts'
import type { Outcome } from '../ports/sessions.ts'
import { recordsOf } from '../records/records-of.ts'
import type { ListAnswer, StationList, StoredEntry } from './records.ts'

const FIRST_PAUSE_MS = 60_000
/** Of one charge point; the newest. */
const MAX_FORGOTTEN = 100
const MAX_PAUSE_MS = 3600_000
/** OCPP's integers have 32 bits at many charge points. */
const LAST_VERSION = 2 ** 31 - 1

const lists = recordsOf('station_lists')

export type ListStep =
  | { readonly kind: 'askVersion' }
  | { readonly kind: 'clear' }
  | {
      readonly kind: 'send'
      readonly list: string
      readonly upTo: number
      readonly from?: number | undefined
      readonly after?: string | undefined
    }

/** Undefined: it has what it is to have, or does not take it. */
export function nextStep(known: StationList): ListStep | undefined {
  const { list, held, heldAt, series, wantedAt, asksVersion, state } = known
  if (state === 'unsupported') return undefined
  if (asksVersion) return { kind: 'askVersion' }
  if (list === undefined) return held === undefined ? undefined : { kind: 'clear' }
  if (held !== list || (heldAt === undefined && !series?.isFull)) return { kind: 'send', list, upTo: wantedAt }
  if (series) {
    const from = series.isFull ? undefined : (heldAt ?? 0) + 1
    return { kind: 'send', list, upTo: series.upTo, from, after: series.after }
  }
  return heldAt === wantedAt ? undefined : { kind: 'send', list, upTo: wantedAt, from: (heldAt ?? 0) + 1 }
}

/** Rises; behind the last one it begins again, which a whole list may (LIST-A3, 2.0.1 D01.FR.18). */
export function versionAfter(version: number): number {
  return version < LAST_VERSION ? version + 1 : 1
}

export function onLocalListRequested(draft: BlockDraft, { list, contentAt }: InputOf<'localListRequested'>): Outcome {
  const known = lists.find(draft, {})
  if (known ? known.list === list && known.wantedAt === contentAt : list === undefined) return {}
  const { chargePointId, accountId } = draft.state
  const fresh: StationList = {
    chargePointId,
    accountId,
    wantedAt: 0,
    version: 0,
    asksVersion: true,
    state: 'pending',
    attempts: 0,
    nextAttemptAt: draft.now,
    updatedAt: draft.now,
  }
  // INTENT-A4: who has no such list is asked again only for another one.
  const isHopeless = known?.state === 'unsupported' && known.list === list
  const desired = { ...(known ?? fresh), list, wantedAt: contentAt }
  return put(draft, isHopeless ? desired : { ...tried(desired, draft.now), series: known?.series })
}

export function onLocalListAnswered(
  draft: BlockDraft,
  { sent, answer, reason }: InputOf<'localListAnswered'>,
): Outcome {
  const known = lists.find(draft, {})
  if (!known) return {}
  if (answer !== 'accepted') return put(draft, failed(known, answer, reason, draft.now))
  const { list, version, series, isLast } = sent
  const accepted = { ...tried(known, draft.now), version, held: list }
  if (list === undefined) return put(draft, { ...accepted, heldAt: undefined })
  if (isLast) return put(draft, { ...accepted, heldAt: series.upTo })
  return put(draft, { ...accepted, heldAt: series.isFull ? undefined : known.heldAt, series })
}

export function onLocalListUnchanged(draft: BlockDraft, { upTo }: InputOf<'localListUnchanged'>): Outcome {
  const known = lists.find(draft, {})
  return known ? put(draft, { ...tried(known, draft.now), heldAt: upTo }) : {}
}

export function onLocalListVersionReported(
  draft: BlockDraft,
  { version, answer, reason }: InputOf<'localListVersionReported'>,
): Outcome {
  const known = lists.find(draft, {})
  if (!known) return {}
  if (version === undefined) return put(draft, failed(known, answer, reason, draft.now))
  const isOurs = version === known.version
  const reported = { ...known, asksVersion: false, series: undefined, version: Math.max(version, known.version) }
  if (isOurs) return put(draft, { ...reported, nextAttemptAt: Math.max(reported.nextAttemptAt, draft.now) })
  // LIST-A6: the charge point has lost its list, or another system gave it one; 0: no list.
  const held = version === 0 ? undefined : (known.held ?? '')
  return put(draft, { ...reported, held, heldAt: undefined })
}

/** LIST-A6: whether it kept its list over the boot is seen by the number. */
export function localListAfterBoot(draft: BlockDraft): void {
  const known = lists.find(draft, {})
  if (known) put(draft, { ...tried(known, draft.now), asksVersion: true, series: undefined })
}

/** DRIVER-I4, N10.FR.02: it was ordered to forget this card, so it gets the whole list without it. */
export function forgetListed(draft: BlockDraft, idToken: string): void {
  const known = lists.find(draft, {})
  if (!known || known.list === undefined || known.state === 'unsupported') return
  const card = idToken.toLowerCase()
  const others = (known.forgotten ?? []).filter((one) => one.idToken !== card)
  const forgotten = [...others, { idToken: card, at: draft.now }].slice(-MAX_FORGOTTEN)
  put(draft, { ...tried(known, draft.now), heldAt: undefined, forgotten })
}

/** The entry is unchanged since the charge point was ordered to forget the card. */
export function isForgotten(
  { forgotten = [] }: Pick<StationList, 'forgotten'>,
  { idToken, changedAt }: Pick<StoredEntry, 'idToken' | 'changedAt'>,
): boolean {
  return forgotten.some((one) => one.idToken === idToken && one.at >= changedAt)
}

function tried(known: StationList, now: number): StationList {
  return { ...known, state: 'pending', reason: undefined, series: undefined, attempts: 0, nextAttemptAt: now }
}

/** LIST-A5: what it has is asked for, and then it gets the whole list; again and again later where that fails. */
function failed(known: StationList, answer: ListAnswer, reason: string | undefined, now: number): StationList {
  if (answer === 'unsent') return { ...known, nextAttemptAt: now }
  if (answer === 'unsupported') return { ...known, state: 'unsupported', reason, series: undefined, updatedAt: now }
  const attempts = known.attempts + 1
  const pause = attempts === 1 ? 0 : Math.min(FIRST_PAUSE_MS * 2 ** (attempts - 2), MAX_PAUSE_MS)
  const again = { asksVersion: true, heldAt: undefined, series: undefined, attempts, nextAttemptAt: now + pause }
  return { ...known, ...again, state: attempts === 1 ? 'pending' : 'rejected', reason }
}

function put(draft: BlockDraft, changed: StationList): Outcome {
  const { state } = changed
  const isThere = state === 'pending' && nextStep(changed) === undefined
  lists.change(draft, { ...changed, state: isThere ? 'applied' : state })
  return {}
}
