/** What becomes of a job that raises a security profile (CERT-C25). */

import { isDue } from '../due.ts'
import type { IntentState } from '../intents/records.ts'
import { showWork } from '../intents/work.ts'
import type { BlockDraft, InputOf } from '../ports/blocks.ts'
import type { Outcome } from '../ports/sessions.ts'
import { recordsOf } from '../records/records-of.ts'
import { fingerprintOf, readCertificates } from '../x509/pem.ts'
import type { ProfileJob } from './records.ts'

/** A charge point that is in use all day becomes idle at night. */
export const DEADLINE_MS = 24 * 3600_000
/** A restart takes minutes. */
const RETURN_MS = 3600_000
/** A charge point that drops its connection at this very step does so again. */
const MAX_LOSSES = 3
const MAX_KEPT = 10

const kept = recordsOf('security_profile_jobs')
const newest = recordsOf('timeline_folds')

export function onProfileRequested(draft: BlockDraft, input: InputOf<'profileRequested'>): Outcome | undefined {
  const { id, securityProfile, steps, present, mayLower, grantId } = input
  const { chargePointId, accountId } = draft.state
  const [step] = steps
  const isBack = mayLower === true && present === 3 && securityProfile === 2
  if ((securityProfile <= present && !isBack) || step === undefined) return { refused: 'profile_not_higher' }
  if (securityProfile === 3 && !hasCertificate(draft)) return { refused: 'certificate_required' }
  if (runningJobs(draft).length > 0) return { refused: 'job_running' }
  kept.makeRoom(draft, MAX_KEPT)
  const { now } = draft
  const times = { createdAt: now, updatedAt: now, dueAt: now + DEADLINE_MS }
  const owner = grantId !== undefined && { grantId }
  put(draft, { chargePointId, id, accountId, securityProfile, state: 'running', step, ...times, ...owner })
}

export function onProfileStepDone(draft: BlockDraft, input: InputOf<'profileStepDone'>): void {
  const { id, step, next, isScheduled } = input
  const { now } = draft
  const job = running(draft, id)
  // It was seen on the new profile before its answer came.
  if (job?.step !== step) return
  const { losses: _, ...rest } = job
  const until = next === 'seen' && !isScheduled ? Math.min(deadline(job), now + RETURN_MS) : deadline(job)
  put(draft, { ...rest, step: next, updatedAt: now, dueAt: until, ...(isScheduled && { isScheduled }) })
}

/** The same call goes again on the next connection: each sets what it sets, however often. */
export function onProfileStepLost(draft: BlockDraft, { id, step, reason }: InputOf<'profileStepLost'>): void {
  const job = running(draft, id)
  if (job?.step !== step) return
  const losses = (job.losses ?? 0) + 1
  const lost = { ...job, losses, updatedAt: draft.now }
  put(draft, losses < MAX_LOSSES ? lost : failed(lost, `${reason}, ${losses} times`, draft.now))
}

export function onProfileCancelled(draft: BlockDraft, { id }: InputOf<'profileCancelled'>): Outcome | undefined {
  const job = kept.find(draft, { id })
  if (!job) return { refused: 'not_found' }
  if (job.state !== 'running') return { refused: 'job_over' }
  put(draft, { ...withoutDeadline(job), state: 'cancelled', updatedAt: draft.now })
}

export function endProfileJobsOf(draft: BlockDraft, grantId: string): void {
  for (const job of runningJobs(draft)) {
    if (job.grantId === grantId) put(draft, { ...withoutDeadline(job), state: 'cancelled', updatedAt: draft.now })
  }
}

export function onProfileStepFailed(draft: BlockDraft, { id, step, reason }: InputOf<'profileStepFailed'>): void {
  const job = running(draft, id)
  if (job?.step === step) put(draft, failed(job, reason, draft.now))
}

/** OCPP21-B10: a charge point of profile 3 may come back with the password of 2, once it was sent everything else. */
export function returnsToPassword({ state, step, securityProfile }: ProfileJob): boolean {
  return state === 'running' && securityProfile === 2 && (step === 'reset' || step === 'seen')
}

/** Whatever step it was at: it is where it should be. */
export function onProfileSeen(draft: BlockDraft, { securityProfile }: InputOf<'profileSeen'>): void {
  for (const job of runningJobs(draft)) {
    if (securityProfile !== job.securityProfile) continue
    put(draft, { ...withoutDeadline(job), state: 'done', step: 'seen', updatedAt: draft.now })
  }
}

/**
 * It came back on the old profile; on the new one its job would be done. While it charges, the reset still waits, so
 * this was another boot; a charge point that resets later has until its deadline.
 */
export function profilesAfterBoot(draft: BlockDraft): void {
  const since = openSince(draft)
  if (since === undefined || isBusyOrAway(draft)) return
  for (const job of runningJobs(draft)) {
    if (job.step !== 'seen' || job.isScheduled || since <= job.updatedAt) continue
    put(draft, failed(job, 'it came back on its former profile', draft.now))
  }
}

export function onProfileJobsDue(draft: BlockDraft): void {
  const { now } = draft
  for (const job of runningJobs(draft)) {
    const { dueAt = 0 } = job
    if (!isDue(dueAt, now, DEADLINE_MS)) continue
    const end = deadline(job)
    // Our clock was ahead when it began: its day begins now.
    if (dueAt > now) put(draft, { ...job, createdAt: now, dueAt: now + DEADLINE_MS })
    else if (end <= now) put(draft, failed(job, 'it took longer than a day', now))
    else if (isBusyOrAway(draft)) put(draft, { ...job, dueAt: Math.min(end, now + RETURN_MS) })
    else put(draft, failed(job, 'it accepted, and did not come back on the new profile within an hour', now))
  }
}

/** It may restart when its charge is over, or be on its way. */
function isBusyOrAway(draft: BlockDraft): boolean {
  return openSince(draft) === undefined || [...draft.state.transactions.values()].some(({ open }) => open)
}

function openSince(draft: BlockDraft): number | undefined {
  return newest.find(draft, { about: 'connected' })?.openSince
}

function deadline({ createdAt }: ProfileJob): number {
  return createdAt + DEADLINE_MS
}

/** CERT-C31: one that is valid, and that the charge point did not refuse. */
function hasCertificate({ state: { records }, now }: BlockDraft): boolean {
  const refused = new Set(
    records
      .all('certificate_requests')
      .filter(({ state }) => state === 'failed')
      .flatMap(({ chain }) => readCertificates(chain ?? '')?.slice(0, 1) ?? [])
      .map(fingerprintOf),
  )
  return records
    .all('station_certificates')
    .some(
      ({ state, notAfter, fingerprint }) =>
        (state === 'inUse' || (state === 'issued' && !refused.has(fingerprint))) && notAfter > now,
    )
}

function runningJobs({ state }: BlockDraft): readonly ProfileJob[] {
  return state.records.all('security_profile_jobs').filter((job) => job.state === 'running')
}

function running(draft: BlockDraft, id: string): ProfileJob | undefined {
  const job = kept.find(draft, { id })
  return job?.state === 'running' ? job : undefined
}

function failed(job: ProfileJob, reason: string, now: number): ProfileJob {
  return { ...withoutDeadline(job), state: 'failed', reason, updatedAt: now }
}

function withoutDeadline({ dueAt: _, ...job }: ProfileJob): ProfileJob {
  return job
}

function put(draft: BlockDraft, job: ProfileJob): void {
  const { securityProfile: desired, step, reason } = job
  const isNew = kept.find(draft, job) === undefined
  kept.put(draft, job)
  const reported = job.state === 'cancelled' ? 'cancelled' : reason
  const why = reported === undefined ? {} : { reason: `${step}: ${reported}` }
  showWork(draft, { kind: 'securityProfile', desired, state: stateOf(job), ...why, attempts: 1, isNew })
}

/** The intent that the job works for (INTENT-A13). */
function stateOf({ state, step }: ProfileJob): IntentState {
  if (state === 'done') return 'verified'
  if (state === 'cancelled') return 'expired'
  if (state === 'failed') return step === 'seen' ? 'conflict' : 'rejected'
  return step === 'seen' ? 'applied' : 'pending'
}
