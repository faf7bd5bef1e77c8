/**
 * What an application ordered ends with the grant (OIDC-C13): its campaigns, configurations and monitors, its commands
 * that wait, and the logs, reports and higher security profiles that are waited for. What a person has taken over names
 * no grant any more, and stays. It is looked for by what is stored, so that it ends whichever way the grant did, and
 * also when the process died in between.
 */

import { stateAfter } from '../../domain/firmware/campaign.ts'
import type { CampaignState } from '../../domain/firmware/records.ts'
import type { Clock } from '../../domain/ports/clock.ts'
import type { Core } from '../../domain/ports/core.ts'
import type { Reads } from '../../domain/ports/storage.ts'
import { allRecords } from '../../domain/records/all-records.ts'
import type { Reservation } from '../../domain/reservations/records.ts'
import { type ConfigurationPlace, removeConfiguration } from '../configuration/orders.ts'
import { type LocalListPlace, removeLocalList } from '../local-lists/orders.ts'
import { removeMonitors } from '../monitors/orders.ts'
import type { Rollouts } from '../rollouts/rollouts.ts'

export interface EndedGrantsParts extends Pick<ConfigurationPlace, 'settings' | 'random' | 'now' | 'after'> {
  readonly reads: Pick<Reads, 'findGrant'> & LocalListPlace['reads']
  readonly writes: LocalListPlace['writes']
  readonly core: Pick<Core, 'settleConfigurations' | 'configurationsChanged' | 'dropCommands' | 'decideBlock'>
  readonly rollouts: Pick<Rollouts, 'act'>
  readonly log: { error(fields: object, message: string): void }
}

export interface EndedGrants {
  /** A grant has ended. Resolves when what it ordered has, or when that was tried in vain and will be tried again. */
  readonly ended: () => Promise<void>
  readonly stop: () => void
}

const RETRY_MS = 10_000
const CANCELLED_FROM: readonly CampaignState[] = ['draft', 'running', 'paused', 'stopped']

/** Looks at once: a process that died may have left something. */
export function startEndedGrants(parts: EndedGrantsParts): EndedGrants {
  const { after, log } = parts
  let isStopped = false
  let cancel: ReturnType<Clock['after']> = () => undefined
  /** One look at a time; who comes while one is under way is served by the next. */
  let queue: Promise<void> = Promise.resolve()
  const look = (): Promise<void> => {
    queue = queue.then(async () => {
      if (isStopped) return
      cancel()
      try {
        await endAll(parts)
      } catch (error) {
        // What it needs may have ended before it: nobody waits for a retry then.
        if (isStopped) return
        log.error({ error: String(error) }, 'what applications ordered could not be ended with their grants yet')
        cancel = after(RETRY_MS, () => void look())
      }
    })
    return queue
  }
  void look()
  return {
    ended: look,
    stop() {
      isStopped = true
      cancel()
    },
  }
}

async function endAll(parts: EndedGrantsParts): Promise<void> {
  const { reads, core, rollouts } = parts
  const known = new Map<string, Promise<boolean>>()
  const hasEnded = ({ grantId }: { readonly grantId?: string | undefined }): Promise<boolean> => {
    if (grantId === undefined) return Promise.resolve(false)
    const found = known.get(grantId) ?? reads.findGrant(grantId).then((grant) => grant?.revokedAt !== undefined)
    known.set(grantId, found)
    return found
  }
  // What would reach a charge point soonest comes first.
  const dropped = new Set<string>()
  for (const { chargePointId, purpose } of await allRecords(parts.reads, 'outgoing_calls')) {
    if (purpose.kind !== 'command' || purpose.grantId === undefined || !(await hasEnded(purpose))) continue
    const { grantId } = purpose
    const place = JSON.stringify([chargePointId, grantId])
    const grant = dropped.has(place) ? undefined : await reads.findGrant(grantId)
    dropped.add(place)
    if (grant) await core.dropCommands({ accountId: grant.accountId, chargePointId, grantId })
  }
  for (const waited of await allWaited(parts)) {
    const { chargePointId, grantId } = waited
    const grant = grantId !== undefined && (await hasEnded(waited)) ? await reads.findGrant(grantId) : undefined
    if (!grant || grantId === undefined) continue
    const input = { kind: 'grantEnded', grantId } as const
    const outcome = await core.decideBlock({ accountId: grant.accountId, chargePointId, input })
    if ('status' in outcome && outcome.status !== 404) throw new Error(outcome.detail)
  }
  for (const state of CANCELLED_FROM) {
    for (const campaign of await allRecords(parts.reads, 'firmware_campaigns', { state })) {
      if (stateAfter(campaign.state, 'cancel') && (await hasEnded(campaign))) await rollouts.act(campaign, 'cancel')
    }
  }
  for (const configuration of await allRecords(parts.reads, 'configurations')) {
    if (await hasEnded(configuration)) await removeConfiguration(parts, configuration)
  }
  for (const list of await allRecords(parts.reads, 'local_lists'))
    if (await hasEnded(list)) await removeLocalList(parts, list)
  for (const set of await allRecords(parts.reads, 'monitor_sets'))
    if (await hasEnded(set)) await removeMonitors(parts, set)
}

/** It is not being taken back already. */
function isKept({ state, isCancelling }: Reservation): boolean {
  return !isCancelling && (state === 'requested' || state === 'active')
}

/** What applications asked of charge points and what is not over. */
async function allWaited(parts: EndedGrantsParts) {
  const where = { dueAt: { from: 0 } }
  const ofAnyGrant = { grantId: { from: '' } }
  return [
    ...(await allRecords(parts.reads, 'log_requests', where)),
    ...(await allRecords(parts.reads, 'reports', { state: 'running' })),
    ...(await allRecords(parts.reads, 'security_profile_jobs', where)),
    ...(await allRecords(parts.reads, 'charging_demands', ofAnyGrant)),
    ...(await allRecords(parts.reads, 'charging_profiles', ofAnyGrant)),
    ...(await allRecords(parts.reads, 'intents', ofAnyGrant)),
    ...(await allRecords(parts.reads, 'customer_requests', ofAnyGrant)),
    ...(await allRecords(parts.reads, 'reservations', { expiresAt: { from: parts.now() } })).filter(isKept),
  ]
}
