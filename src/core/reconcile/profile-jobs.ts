/**
 * Carries out the jobs that raise a security profile, a step at a time (CERT-C25). Where a job stands is in the
 * database, so whoever starts again goes on with it.
 */

import type { CoreStore } from '../../domain/ports/storage.ts'
import type { ProfileJob, ProfileStep } from '../../domain/profile-jobs/records.ts'
import type { Input } from '../../domain/sessions/decision.ts'
import { object } from '../../ocpp/translate/payload.ts'
import type { ProfileOrder } from '../../ocpp/version.ts'
import { networkSlots } from '../certificates/known-limits.ts'
import type { CoreContext } from '../context.ts'
import type { Station } from '../memory/station.ts'
import { decideBlockOrder } from '../operations/decide-block.ts'
import type { CallOutcome } from '../outbound/call-outcome.ts'
import { orderCall } from '../outbound/order-call.ts'
import type { CallFor } from '../outbound/purpose-rule.ts'

const SWEEP_MS = 60_000
const PAGE = 100

export interface ProfileJobs {
  /** A step of this charge point may be next. */
  wake(station: Station): void
  /** At start, and when a node has ended. */
  resume(): Promise<void>
  stop(): void
}

export function createProfileJobs(context: CoreContext, store: Pick<CoreStore, 'listRecords'>): ProfileJobs {
  const { clock, log } = context
  const underWay = new Set<string>()
  let cancel = clock.after(SWEEP_MS, sweep)

  /** Undefined: another node has it, and goes on with its jobs. */
  const load = async (id: string): Promise<Station | undefined> => {
    const station = context.stations.current(id) ?? (await context.stations.load(id, 'unowned'))
    return station?.isElsewhere ? undefined : station
  }

  function sweep(): void {
    endOverdue()
      .catch((error: Error) => log.error({ error: error.message }, 'overdue jobs could not be looked for'))
      .finally(() => {
        cancel = clock.after(SWEEP_MS, sweep)
      })
  }

  async function endOverdue(): Promise<void> {
    const where = { dueAt: { below: clock.now() + 1 } }
    for (const { chargePointId, accountId } of await store.listRecords('security_profile_jobs', {
      where,
      limit: PAGE,
    })) {
      if (!(await load(chargePointId))) continue
      await decideBlockOrder(context, { accountId, chargePointId, input: { kind: 'profileJobsDue' } })
    }
  }

  const order = async (station: Station, job: ProfileJob): Promise<void> => {
    const version = station.version
    const network = await networkSlots(store, station.id)
    const call = version?.raiseProfile.call(job.step, { ...profileOrder(context, job), network })
    if (!call) return
    await orderCall(context, {
      stationId: station.id,
      call,
      purpose: { kind: 'profileStep', jobId: job.id, step: job.step },
      expiresAt: job.dueAt ?? clock.now(),
    })
  }

  const wake = (station: Station): void => {
    for (const job of station.state?.records.all('security_profile_jobs') ?? []) {
      const key = `${station.id}\0${job.id}\0${job.step}`
      if (job.state !== 'running' || underWay.has(key) || isOrdered(station, job)) continue
      underWay.add(key)
      order(station, job)
        .catch((error: Error) => log.error({ chargePoint: station.id, error: error.message }, 'a job could not go on'))
        .finally(() => underWay.delete(key))
    }
  }

  return {
    wake,
    async resume() {
      let after: { readonly chargePointId: string; readonly id: string } | undefined
      for (;;) {
        const page: readonly ProfileJob[] = await store.listRecords('security_profile_jobs', {
          where: { dueAt: { from: 0 } },
          limit: PAGE,
          ...(after && { after }),
        })
        for (const { chargePointId } of page) {
          const station = await load(chargePointId)
          if (station) wake(station)
        }
        after = page.at(-1)
        if (!after || page.length < PAGE) return
      }
    },
    stop: () => cancel(),
  }
}

export function profileOrder({ settings }: CoreContext, job: { readonly securityProfile: number }): ProfileOrder {
  const { csmsUrl = '', serverRoot: root } = settings
  return { securityProfile: job.securityProfile, csmsUrl, root }
}

function isOrdered(station: Station, { id, step }: ProfileJob): boolean {
  const calls = station.state?.records.all('outgoing_calls') ?? []
  return calls.some(({ purpose }) => purpose.kind === 'profileStep' && purpose.jobId === id && purpose.step === step)
}

/** It is over, or at another step. */
export function isPassed({ station, purpose }: CallFor<StepPurpose>): boolean {
  const { id: chargePointId, state } = station
  if (!state) return false
  const job = state.records.find('security_profile_jobs', { chargePointId, id: purpose.jobId })
  return job?.state !== 'running' || job.step !== purpose.step
}

type StepPurpose = { readonly kind: 'profileStep'; readonly jobId: string; readonly step: ProfileStep }

/** What the answer to a step means for its job. */
export function stepInput(
  { version, purpose: { jobId: id, step } }: CallFor<StepPurpose>,
  outcome: CallOutcome,
): Input | undefined {
  if (outcome.status === 'dropped' && outcome.unsent) {
    return { kind: 'profileStepFailed', id, step, reason: 'it was not reached in time' }
  }
  if (outcome.status !== 'success') {
    // A reset may end the connection before its answer is there: only its return tells.
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
  const steps: readonly ProfileStep[] = version.raiseProfile.steps({ securityProfile: 0, csmsUrl: '' })
  const next = steps[steps.indexOf(step) + 1] ?? 'seen'
  return { kind: 'profileStepDone', id, step, next, ...(answer === 'scheduled' && { isScheduled: true }) }
}
