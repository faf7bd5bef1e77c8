/** What becomes of a job that raises a security profile (CERT-C25). */

import type { IntentState } from '../intents/records.ts'
import { showWork } from '../intents/work.ts'
import type { BlockDraft } from '../ports/blocks.ts'
import type { Outcome } from '../ports/sessions.ts'
import type { ProfileJob, ProfileJobInput } from './records.ts'

type Of<Kind extends ProfileJobInput['kind']> = Extract<ProfileJobInput, { readonly kind: Kind }>

/** A charge point that is in use all day becomes idle at night. */
const DEADLINE_MS = 24 * 3600_000
const MOST_KEPT = 10

export function onProfileWanted(draft: BlockDraft, input: Of<'profileWanted'>): Outcome {
  const { id, securityProfile, steps, present } = input
  const { chargePointId, accountId, records } = draft.state
  const [step] = steps
  if (securityProfile <= present || step === undefined) return { refused: 'profile_not_higher' }
  const jobs = records.all('security_profile_jobs')
  if (jobs.some(({ state }) => state === 'running')) return { refused: 'job_running' }
  const oldest = [...jobs].sort((a, b) => a.createdAt - b.createdAt).slice(0, Math.max(0, jobs.length + 1 - MOST_KEPT))
  for (const old of oldest) {
    draft.changeRecord({ kind: 'security_profile_jobs', remove: { chargePointId, id: old.id } })
  }
  const { now } = draft
  const times = { createdAt: now, updatedAt: now, dueAt: now + DEADLINE_MS }
  put(draft, { chargePointId, id, accountId, securityProfile, state: 'running', step, ...times })
  return {}
}

export function onProfileStepDone(draft: BlockDraft, input: Of<'profileStepDone'>): Outcome {
  const { id, step, next, isScheduled } = input
  const job = running(draft, id)
  // It was seen on the new profile before its answer came.
  if (job?.step === step) put(draft, { ...job, step: next, updatedAt: draft.now, ...(isScheduled && { isScheduled }) })
  return {}
}

export function onProfileStepFailed(draft: BlockDraft, { id, step, reason }: Of<'profileStepFailed'>): Outcome {
  const job = running(draft, id)
  if (job?.step === step) put(draft, failed(job, reason, draft.now))
  return {}
}

/** Whatever step it was at: it is where it should be. */
export function onProfileSeen(draft: BlockDraft, { securityProfile }: Of<'profileSeen'>): Outcome {
  for (const job of runningJobs(draft)) {
    if (securityProfile < job.securityProfile) continue
    put(draft, { ...withoutDeadline(job), state: 'done', step: 'seen', updatedAt: draft.now })
  }
  return {}
}

/**
 * It has restarted and came back on the profile from before: one that came back on the new profile was seen, and its
 * job is done. While it charges, the reset still waits for it to be idle, and this was another boot; where it said that
 * it resets later, only it knows when that is, and its day decides.
 */
export function profilesAfterBoot(draft: BlockDraft): void {
  const { chargePointId, transactions } = draft.state
  const openSince = draft.record('timeline_folds', { chargePointId, about: 'connected' })?.openSince
  if (openSince === undefined || [...transactions.values()].some(({ open }) => open)) return
  for (const job of runningJobs(draft)) {
    if (job.step !== 'seen' || job.isScheduled || openSince <= job.updatedAt) continue
    put(draft, failed(job, 'it came back on its former profile', draft.now))
  }
}

export function onProfileJobsDue(draft: BlockDraft): Outcome {
  for (const job of runningJobs(draft)) {
    if ((job.dueAt ?? 0) <= draft.now) put(draft, failed(job, 'it took longer than a day', draft.now))
  }
  return {}
}

function runningJobs({ state }: BlockDraft): readonly ProfileJob[] {
  return state.records.all('security_profile_jobs').filter((job) => job.state === 'running')
}

function running(draft: BlockDraft, id: string): ProfileJob | undefined {
  const job = draft.record('security_profile_jobs', { chargePointId: draft.state.chargePointId, id })
  return job?.state === 'running' ? job : undefined
}

function failed(job: ProfileJob, reason: string, now: number): ProfileJob {
  return { ...withoutDeadline(job), state: 'failed', reason, updatedAt: now }
}

function withoutDeadline({ dueAt: _, ...job }: ProfileJob): ProfileJob {
  return job
}

function put(draft: BlockDraft, job: ProfileJob): void {
  const { chargePointId, id, securityProfile: desired, step, reason } = job
  const isNew = draft.record('security_profile_jobs', { chargePointId, id }) === undefined
  draft.changeRecord({ kind: 'security_profile_jobs', put: job })
  const why = reason === undefined ? {} : { reason: `${step}: ${reason}` }
  showWork(draft, { kind: 'securityProfile', desired, state: stateOf(job), ...why, attempts: 1, isNew })
}

/** What is wanted of the charge point (INTENT-A13). */
function stateOf({ state, step }: ProfileJob): IntentState {
  if (state === 'done') return 'verified'
  if (state === 'failed') return step === 'seen' ? 'conflict' : 'rejected'
  return step === 'seen' ? 'applied' : 'pending'
}
