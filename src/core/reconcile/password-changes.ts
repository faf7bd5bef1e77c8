/** Sends the passwords of rotations to charge points, until each has logged in with its own (OCPP-AU8). */

import { isDue } from '../../domain/due.ts'
import type { PasswordHashes } from '../../domain/outgoing-calls/records.ts'
import type { PasswordAnswer, PasswordChange } from '../../domain/password-rotations/records.ts'
import { mustLogIn, PROOF_MS } from '../../domain/password-rotations/rules.ts'
import type { Input } from '../../domain/sessions/decision.ts'
import { object } from '../../ocpp/translate/payload.ts'
import { openPassword } from '../../secrets/sealed-password.ts'
import type { CallFor, CoreContext } from '../context.ts'
import type { Station, StationState } from '../memory/station.ts'
import { findStation, OrderRefused } from '../operations/find-station.ts'
import { type CallOutcome, isUnsent } from '../outbound/call-outcome.ts'
import { orderCall } from '../outbound/order-call.ts'
import { abandonPassword, beginPasswordChange } from '../outbound/password-change.ts'
import { decideNow, isReachable, isUnderWay } from './decide-now.ts'
import { deadlines, type Subject, type Task } from './subject.ts'

const TTL_MS = 3600_000

interface PasswordTask extends Task {
  /** Absent: a change has expired. */
  readonly change?: PasswordChange
}

export const passwordChanges: Subject<PasswordTask> = {
  name: 'passwords',
  records: ['password_changes'],
  purposes: ['password'],
  due(station, now) {
    const changes = station.state?.records.all('password_changes') ?? []
    const change = changes.find(({ state }) => state === 'pending')
    const isFree = isReachable(station) && !isUnderWay(station, 'password')
    const isTimeOver = changes.some(({ dueAt }) => dueAt !== undefined && isDue(dueAt, now, PROOF_MS))
    return [...(change && isFree ? [{ key: 'send', change }] : []), ...(isTimeOver ? [{ key: 'time' }] : [])]
  },
  order: (context, station, { change }) => (change ? send(context, station, change) : endTime(context, station)),
  // A charge point has a minute to log in; with this sweep at most two.
  overdue: deadlines('password_changes', PROOF_MS),
}

async function endTime(context: CoreContext, { id, connection, state }: Station): Promise<void> {
  const now = context.clock.now()
  const isAsked = state?.records
    .all('password_changes')
    .some((change) => change.dueAt !== undefined && mustLogIn(state, change, now))
  if (connection !== undefined && isAsked) context.sockets.close(connection, 1000, 'password changed')
  await decideNow(context, id, { kind: 'passwordsDue' })
}

async function send(context: CoreContext, station: Station, change: PasswordChange): Promise<void> {
  const { rotationId, password, hash } = change
  const clear = password === undefined ? undefined : openPassword(context.settings.secretKey, change, password)
  if (clear === undefined) {
    const reason = 'its new password was sealed under another secret key'
    await decideNow(context, station.id, { kind: 'passwordAnswered', rotationId, answer: 'rejected', reason })
    return
  }
  const found = await findStation(context, station.chargePoint.accountId, station.id)
  if ('refused' in found) return
  const call = found.version.setPassword(clear)
  const hashes = await beginPasswordChange(context, found, call, hash)
  if (!hashes) return
  await orderCall(context, {
    stationId: station.id,
    call,
    purpose: { kind: 'password', rotationId, password: hashes },
    input: { kind: 'passwordCallOrdered', rotationId },
    expiresAt: context.clock.now() + TTL_MS,
  }).catch((error: Error) => {
    abandonPassword(context, found, call, hashes)
    // It was cancelled meanwhile.
    if (!(error instanceof OrderRefused)) throw error
  })
}

interface PasswordPurpose {
  readonly kind: 'password'
  readonly rotationId: string
  readonly password: PasswordHashes
}

export function isPasswordOver(
  { purpose: { rotationId } }: CallFor<PasswordPurpose>,
  { chargePointId, records }: StationState,
): boolean {
  return records.find('password_changes', { chargePointId, rotationId })?.state !== 'sent'
}

export function passwordInput({ call, version, purpose }: CallFor<PasswordPurpose>, outcome: CallOutcome): Input {
  const { rotationId } = purpose
  const answered = (answer: PasswordAnswer, reason?: string): Input => ({
    kind: 'passwordAnswered',
    rotationId,
    answer,
    ...(reason !== undefined && { reason: `the charge point answered ${reason.slice(0, 100)}` }),
  })
  if (outcome.status === 'error') return answered('rejected', outcome.code)
  if (isUnsent(outcome)) return answered('unsent')
  if (outcome.status !== 'success') return answered('unknown')
  const response = object(outcome.payload)
  const taken = version.passwordTaken(call, response)
  if (taken !== undefined) return answered(taken === 'now' ? 'accepted' : 'later')
  return answered('rejected', version.passwordStatus(call, response) ?? 'nothing about the password')
}
