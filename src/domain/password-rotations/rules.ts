/** What becomes of the password of a charge point in a rotation (OCPP-AU7 to OCPP-AU10). */

import { isDue } from '../due.ts'
import type { BlockDraft, InputOf } from '../ports/blocks.ts'
import type { ChargePointState, Outcome } from '../ports/sessions.ts'
import type { ChargePointView } from '../ports/storage-records.ts'
import { recordsOf } from '../records/records-of.ts'
import { OPEN_CHANGES, type PasswordChange } from './records.ts'

/** One that is away, or restarts once it is idle, has a day for its login. */
export const PROOF_MS = 24 * 3600_000
/** A charge point connects anew by itself within seconds (2.0.1 A01); one that does not has its connection closed. */
const RECONNECT_MS = 60_000
/** One that comes back with its former password each time does not take the new one. */
const MAX_SENT = 3
const MAX_KEPT = 10

const kept = recordsOf('password_changes')

/** Why a charge point cannot get a password; undefined: it can. */
export function unsuitable({
  securityProfile,
  registrationStatus,
}: Pick<ChargePointView, 'securityProfile' | 'registrationStatus'>): string | undefined {
  if (registrationStatus !== 'Accepted') return 'it is not accepted'
  if (securityProfile === 0) return 'security profile 0 has no password'
  return securityProfile === 3 ? 'security profile 3 has a certificate in place of the password' : undefined
}

export function isOpen({ state }: PasswordChange): boolean {
  return OPEN_CHANGES.some((open) => open === state)
}

export function onPasswordOrdered(draft: BlockDraft, input: InputOf<'passwordOrdered'>): void {
  const { rotationId, password, hash } = input
  const { chargePointId, accountId, records } = draft.state
  const changes = records.all('password_changes')
  // The server that ordered it died before it could note that.
  if (changes.some((change) => change.rotationId === rotationId)) return
  kept.makeRoom(draft, MAX_KEPT, (change) => !isOpen(change))
  const times = { createdAt: draft.now, updatedAt: draft.now }
  const reason = input.unsuitable ?? (changes.some(isOpen) ? 'another rotation of its password is not over' : undefined)
  const fresh = { chargePointId, rotationId, accountId, hash, attempts: 0, ...times }
  kept.put(
    draft,
    reason === undefined ? { ...fresh, state: 'pending', password } : { ...fresh, state: 'skipped', reason },
  )
}

export function onPasswordCallOrdered(
  draft: BlockDraft,
  { rotationId }: InputOf<'passwordCallOrdered'>,
): Outcome | undefined {
  const change = kept.find(draft, { rotationId })
  if (change?.state !== 'pending') return { refused: 'password_change_over' }
  const proofBy = draft.now + PROOF_MS
  kept.change(draft, { ...change, state: 'sent', attempts: change.attempts + 1, proofBy, dueAt: proofBy })
}

export function onPasswordAnswered(draft: BlockDraft, input: InputOf<'passwordAnswered'>): void {
  const { rotationId, answer, reason } = input
  const change = kept.find(draft, { rotationId })
  // A login or another order was faster.
  if (!change || !isOpen(change)) return
  const { now } = draft
  const proofBy = change.proofBy ?? now + PROOF_MS
  if (answer === 'rejected') kept.change(draft, failed(change, reason ?? 'the charge point refused it'))
  else if (answer === 'accepted')
    kept.change(draft, { ...change, state: 'accepted', proofBy, dueAt: now + RECONNECT_MS })
  else if (answer === 'later') kept.change(draft, { ...change, state: 'accepted', proofBy, dueAt: proofBy })
  else if (change.state !== 'sent') return
  else if (answer === 'unsent') kept.change(draft, { ...pending(change), attempts: change.attempts - 1 })
  else kept.change(draft, { ...change, dueAt: now + RECONNECT_MS })
}

export function isRevealedByLogin(change: PasswordChange, hash: string): boolean {
  if (change.hash === hash) return isOpen(change) || change.state === 'failed'
  return change.state === 'sent'
}

/** Counts whenever it comes. One that was sent it and uses another did not take it; accepted: after a restart. */
export function onPasswordSeen(draft: BlockDraft, { hash }: InputOf<'passwordSeen'>): void {
  for (const change of draft.state.records.all('password_changes')) {
    if (!isRevealedByLogin(change, hash)) continue
    if (change.hash === hash) kept.change(draft, { ...over(change), state: 'done' })
    else kept.change(draft, sentAgain(change, 'it came back with its former password'))
  }
}

/** A sent call cannot be called back: the next login decides. */
export function onPasswordCancelled(
  draft: BlockDraft,
  { rotationId }: InputOf<'passwordCancelled'>,
): Outcome | undefined {
  const change = kept.find(draft, { rotationId })
  if (!change) return { refused: 'not_found' }
  if (change.state === 'pending' || (change.state === 'sent' && !hasLeft(draft, change))) {
    kept.change(draft, { ...over(change), state: 'cancelled' })
  }
}

export function onPasswordsDue(draft: BlockDraft): void {
  const { state, now } = draft
  for (const change of state.records.all('password_changes')) {
    const { dueAt, proofBy = 0 } = change
    if (dueAt === undefined || !isDue(dueAt, now, PROOF_MS)) continue
    // Our clock was ahead when it was sent: its day begins now.
    if (dueAt > now) kept.change(draft, { ...change, proofBy: now + PROOF_MS, dueAt: now + PROOF_MS })
    else if (proofBy > now) kept.change(draft, { ...change, dueAt: isCharging(state) ? now + RECONNECT_MS : proofBy })
    else if (change.state === 'sent') kept.change(draft, sentAgain(change, 'no answer came, and no login with it'))
    else kept.change(draft, failed(change, 'it accepted the new password and did not log in with it within a day'))
  }
}

/** Its connection is to be closed, so that it logs in: after a minute without that, but not while it charges. */
export function mustLogIn(
  state: Pick<ChargePointState, 'transactions'>,
  { dueAt = 0, proofBy = 0 }: PasswordChange,
  now: number,
): boolean {
  return dueAt <= now && now < proofBy && !isCharging(state)
}

function isCharging({ transactions }: Pick<ChargePointState, 'transactions'>): boolean {
  return [...transactions.values()].some(({ open }) => open)
}

function hasLeft({ state }: BlockDraft, { rotationId }: PasswordChange): boolean {
  const calls = state.records.all('outgoing_calls')
  const waiting = calls.find(({ purpose }) => purpose.kind === 'password' && purpose.rotationId === rotationId)
  return waiting === undefined || waiting.sentAt !== undefined
}

function sentAgain(change: PasswordChange, reason: string): PasswordChange {
  return change.attempts < MAX_SENT ? pending(change) : failed(change, `${reason}, ${change.attempts} times`)
}

function pending({ proofBy: _, dueAt: __, ...change }: PasswordChange): PasswordChange {
  return { ...change, state: 'pending' }
}

function failed(change: PasswordChange, reason: string): PasswordChange {
  return { ...over(change), state: 'failed', reason }
}

/** The new password is no longer needed; a late login is recognized by its hash. */
function over({ password: _, proofBy: __, dueAt: ___, reason: ____, ...change }: PasswordChange): PasswordChange {
  return change
}
