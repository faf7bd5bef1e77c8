/** Carries out jobs that change a security profile, step by step (CERT-C25). */

import type { StoredVariable } from '../../domain/device-model/records.ts'
import { isDue } from '../../domain/due.ts'
import type { PasswordAnswer, PasswordChange } from '../../domain/password-rotations/records.ts'
import { mustLogIn, PROOF_MS } from '../../domain/password-rotations/rules.ts'
import type { CoreStore } from '../../domain/ports/storage.ts'
import type { ProfileJob, ProfileStep } from '../../domain/profile-jobs/records.ts'
import { DEADLINE_MS } from '../../domain/profile-jobs/rules.ts'
import type { Input } from '../../domain/sessions/decision.ts'
import { object } from '../../ocpp/translate/payload.ts'
import type { NetworkSlots, OcppVersion, ProfileOrder } from '../../ocpp/version.ts'
import { openPassword } from '../../secrets/sealed-password.ts'
import type { CallFor, CoreContext, PurposeOf } from '../context.ts'
import type { Station, StationState } from '../memory/station.ts'
import { findStation, OrderRefused } from '../operations/find-station.ts'
import { type CallOutcome, isUnsent } from '../outbound/call-outcome.ts'
import { abandonPassword, beginPasswordChange, orderCall } from '../outbound/order-call.ts'
import { decideNow, isReachable, isUnderWay } from './decide-now.ts'
import { deadlines, type Subject, type Task } from './subject.ts'

export const profileJobs: Subject<Task & { readonly job: ProfileJob }> = {
  name: 'security profiles',
  records: ['security_profile_jobs'],
  purposes: ['profileStep'],
  due: ({ state, version }) =>
    (state?.records.all('security_profile_jobs') ?? [])
      .filter((job) => version && job.state === 'running' && job.step !== 'seen' && !isOrdered(state, job))
      .map((job) => ({ key: `${job.id}\0${job.step}`, job })),
  async order(context, station, { job }) {
    const { id: identity, version, state } = station
    if (!version) return
    const { raiseProfile } = version
    const { setItems } = state?.records.find('device_models', { chargePointId: identity })?.limits ?? {}
    const network = await networkSlots(context.store, identity, raiseProfile.slotVariables, setItems)
    const call = raiseProfile.call(job.step, { ...profileOrder(context, job), identity, network })
    if (!call) {
      const { id, step } = job
      await decideNow(context, identity, { kind: 'profileStepDone', id, step, next: stepAfter(version, step) })
      return
    }
    await orderCall(context, {
      stationId: station.id,
      call,
      purpose: { kind: 'profileStep', jobId: job.id, step: job.step },
      expiresAt: job.dueAt ?? context.clock.now(),
    })
  },
  overdue: deadlines('security_profile_jobs', DEADLINE_MS, { kind: 'profileJobsDue' }),
}

function isOrdered(state: StationState | undefined, { id, step }: ProfileJob): boolean {
  const calls = state?.records.all('outgoing_calls') ?? []
  return calls.some(({ purpose }) => purpose.kind === 'profileStep' && purpose.jobId === id && purpose.step === step)
}

function profileOrder({ settings }: CoreContext, job: { readonly securityProfile: number }): ProfileOrder {
  const { csmsUrl = '', serverRoot: root } = settings
  return { securityProfile: job.securityProfile, csmsUrl, root }
}

export function isPassed(
  { purpose }: CallFor<PurposeOf<'profileStep'>>,
  { chargePointId, records }: StationState,
): boolean {
  const job = records.find('security_profile_jobs', { chargePointId, id: purpose.jobId })
  return job?.state !== 'running' || job.step !== purpose.step
}

export function stepInput(
  { version, purpose: { jobId: id, step } }: CallFor<PurposeOf<'profileStep'>>,
  outcome: CallOutcome,
): Input | undefined {
  if (outcome.status === 'dropped' && outcome.unsent) {
    return { kind: 'profileStepFailed', id, step, reason: 'it was not reached in time' }
  }
  if (outcome.status !== 'success') {
    // A reset may end the connection before its answer: only the reconnect counts.
    if (step === 'reset') return { kind: 'profileStepDone', id, step, next: 'seen' }
    if (outcome.status === 'error') {
      return { kind: 'profileStepFailed', id, step, reason: `the charge point answered ${outcome.code.slice(0, 100)}` }
    }
    const lost = outcome.status === 'timeout' ? 'no answer came' : 'the connection ended before the answer'
    return { kind: 'profileStepLost', id, step, reason: lost }
  }
  const answer = version.raiseProfile.answer(step, object(outcome.payload))
  if (answer === 'refused') return { kind: 'profileStepFailed', id, step, reason: 'the charge point refused it' }
  if (answer === 'reconnects') return { kind: 'profileStepDone', id, step, next: 'seen' }
  const next = stepAfter(version, step)
  return { kind: 'profileStepDone', id, step, next, ...(answer === 'scheduled' && { isScheduled: true }) }
}

/** Its first one, where it began in another version. */
function stepAfter({ raiseProfile }: OcppVersion, step: ProfileStep): ProfileStep {
  const steps: readonly ProfileStep[] = raiseProfile.steps({ securityProfile: 0, csmsUrl: '' })
  return steps[steps.indexOf(step) + 1] ?? 'seen'
}

type Store = Pick<CoreStore, 'listRecords'>

const PRIORITY = 'ocppcommctrlr.networkconfigurationpriority'
const ACTIVE = 'ocppcommctrlr.activenetworkprofile'
const HIGHEST_SLOT = 1000
const DEFAULT_SLOT = 2
const OTHER_SLOT = 1
const MAX_SLOTS = 20

/**
 * CERT-C26: keeps the slot in use as a fallback (B09, B10). Undefined: the device model has none.
 * @param names of the variables of a slot @param most that it takes in one message
 */
async function networkSlots(
  store: Store,
  chargePointId: string,
  names: readonly string[] = [],
  most = names.length,
): Promise<NetworkSlots | undefined> {
  const rows = await read(store, chargePointId, [PRIORITY, ACTIVE])
  const priority = slotsOf(rows.get(PRIORITY)?.value)
  const offered = slotsOf(rows.get(PRIORITY)?.characteristics.valuesList)
  const [active = priority[0]] = slotsOf(rows.get(ACTIVE)?.value)
  if (active === undefined) return undefined
  const others = [...offered, ...priority].filter((slot) => slot !== active).sort((one, other) => one - other)
  // The first of the priority counts as free, so that what our own steps change of it leaves the choice as it is.
  const free = others.find((slot) => slot === priority[0] || !priority.includes(slot)) ?? others[0]
  const slot = free ?? (active === DEFAULT_SLOT ? OTHER_SLOT : DEFAULT_SLOT)
  const interfaces = [active, slot].map((one) => slotKey(one, 'OcppInterface'))
  const reported = await read(store, chargePointId, [...interfaces, ...names.map((name) => slotKey(slot, name))])
  const writable = names.filter((name) => isWritable(reported.get(slotKey(slot, name))))
  return {
    slot,
    isInPriority: priority.includes(slot),
    priority: [active, ...priority.filter((one) => one !== active && one !== slot)],
    ocppInterface: interfaces
      .map((key) => reported.get(key)?.value)
      .find((value) => value !== undefined && value !== ''),
    writable: writable.length > most ? [] : writable,
  }
}

function slotKey(slot: number, name: string): string {
  return `networkconfiguration[${slot}].${name.toLowerCase()}`
}

function isWritable(variable: StoredVariable | undefined): boolean {
  return variable !== undefined && variable.characteristics.mutability?.toLowerCase() !== 'readonly'
}

async function read(
  store: Store,
  chargePointId: string,
  keys: readonly string[],
): Promise<ReadonlyMap<string, StoredVariable>> {
  const rows = await store.listRecords('variables', { where: { chargePointId, key: { in: keys } }, limit: keys.length })
  return new Map(rows.filter(({ gone }) => !gone).map((row) => [row.key, row]))
}

function slotsOf(text: string | undefined): readonly number[] {
  const numbers = (text ?? '').split(',', MAX_SLOTS).map((part) => (/^\s*\d{1,4}\s*$/.test(part) ? Number(part) : -1))
  return [...new Set(numbers)].filter((slot) => slot >= 0 && slot <= HIGHEST_SLOT)
}

/** Sends the passwords of rotations to charge points, until each has logged in with its own (OCPP-AU8). */
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

export function isPasswordOver(
  { purpose: { rotationId } }: CallFor<PurposeOf<'password'>>,
  { chargePointId, records }: StationState,
): boolean {
  return records.find('password_changes', { chargePointId, rotationId })?.state !== 'sent'
}

export function passwordInput({ call, version, purpose }: CallFor<PurposeOf<'password'>>, outcome: CallOutcome): Input {
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
