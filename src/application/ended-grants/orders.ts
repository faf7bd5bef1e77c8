/**
 * What an application ordered ends with the grant (OIDC-C13): its campaigns, configurations and monitors, its commands
 * that wait, and the logs, reports and higher security profiles that are waited for. Of a charge point that the grant
 * shares no more, the same ends. What a person has taken over names no grant any more, and stays. It is looked for by
 * what is stored, so that it ends whichever way the grant did, and also when the process died in between.
 */

import type { DesiredName } from '../../domain/configuration/records.ts'
import { stateAfter } from '../../domain/firmware/campaign.ts'
import type { CampaignState } from '../../domain/firmware/records.ts'
import type { Clock, Core } from '../../domain/ports/core.ts'
import type { Grant } from '../../domain/ports/storage-oidc.ts'
import { allRecords } from '../../domain/records/all-records.ts'
import type { RecordChange } from '../../domain/records/records.ts'
import type { Selector } from '../../domain/records/selector.ts'
import { isOpen } from '../../domain/reservations/rules.ts'
import { chargePointPages } from '../../domain/selector.ts'
import { type ConfigurationContext, type Desired, removeDesired, settleDesired } from '../configuration/orders.ts'
import type { LocalListContext } from '../local-lists/orders.ts'
import type { Rollouts } from '../rollouts/rollouts.ts'

export type EndedGrantsContext = LocalListContext &
  ConfigurationContext & { readonly rollouts: Pick<Rollouts, 'act' | 'rows'> }

interface EndedGrants {
  /** Resolves when what was ordered has ended too, or when that was tried in vain and will be tried again. */
  readonly changed: (change?: GrantChange) => Promise<void>
  readonly stop: () => void
}

/** A grant ended or shares other charge points, or one was deleted. Without either all accounts are looked through. */
type GrantChange =
  | { readonly grantId: string; readonly accountId?: undefined }
  | { readonly accountId: string; readonly grantId?: undefined }

const RETRY_MS = 10_000
const CANCELLED_FROM: readonly CampaignState[] = ['draft', 'running', 'paused', 'stopped']

/** Looks at once: a process that died may have left something. */
export function startEndedGrants(parts: EndedGrantsContext): EndedGrants {
  const { after, log } = parts
  let isStopped = false
  let cancel: ReturnType<Clock['after']> = () => undefined
  /** One look at a time; who comes while one is under way is served by the next. */
  let queue: Promise<void> = Promise.resolve()
  const look = (change?: GrantChange): Promise<void> => {
    queue = queue.then(async () => {
      if (isStopped) return
      try {
        await endAll(parts, change)
      } catch (error) {
        // What it needs may have ended before it: no retry is needed then.
        if (isStopped) return
        log.error({ error: String(error) }, 'what applications ordered could not be ended with their grants yet')
        cancel()
        cancel = after(RETRY_MS, () => void look())
      }
    })
    return queue
  }
  void look()
  return {
    changed: look,
    stop() {
      isStopped = true
      cancel()
    },
  }
}

/** The same core; deleting a charge point also ends what applications requested of it (OIDC-C12). */
export function endingWithChargePoints(core: Core, changed: EndedGrants['changed']): Core {
  const removeChargePoint: Core['removeChargePoint'] = async (accountId, chargePointId) => {
    const removed = await core.removeChargePoint(accountId, chargePointId)
    if (!('refused' in removed)) await changed({ accountId })
    return removed
  }
  // The core may be a stand-in that answers any name, so it is inherited from.
  return Object.assign(Object.create(core) as Core, { removeChargePoint })
}

interface OfGrant {
  readonly grantId?: string | undefined
}

async function endAll(parts: EndedGrantsContext, change: GrantChange | undefined): Promise<void> {
  const { reads, core, rollouts } = parts
  const changed = change?.grantId === undefined ? undefined : await reads.findGrant(change.grantId)
  const accountId = change?.accountId ?? changed?.accountId
  const ofAccount = accountId === undefined ? {} : { accountId }
  const known = new Map<string, Promise<Grant | undefined>>()
  const grantOf = ({ grantId }: OfGrant): Promise<Grant | undefined> => {
    if (grantId === undefined || (changed && changed.id !== grantId)) return Promise.resolve(undefined)
    const found = known.get(grantId) ?? reads.findGrant(grantId)
    known.set(grantId, found)
    return found
  }
  // What would reach a charge point soonest comes first.
  const dropped = new Set<string>()
  const waiting = change?.accountId === undefined ? await allWaiting(parts, changed) : NOTHING
  for (const { chargePointId, purpose } of waiting.calls) {
    const grant = purpose.kind === 'command' ? await grantOf(purpose) : undefined
    if (!grant || reaches(grant, chargePointId)) continue
    const place = JSON.stringify([chargePointId, grant.id])
    if (dropped.has(place)) continue
    dropped.add(place)
    await core.dropCommands({ accountId: grant.accountId, chargePointId, grantId: grant.id })
  }
  for (const waited of waiting.others) {
    const { chargePointId } = waited
    const grant = await grantOf(waited)
    if (!grant || reaches(grant, chargePointId)) continue
    const input = { kind: 'grantEnded', grantId: grant.id } as const
    const outcome = await core.decideBlock({ accountId: grant.accountId, chargePointId, input })
    if ('status' in outcome && outcome.status !== 404) throw new Error(outcome.detail)
  }
  for (const state of CANCELLED_FROM) {
    for (const campaign of await allRecords(reads, 'firmware_campaigns', { ...ofAccount, state })) {
      const grant = stateAfter(campaign.state, 'cancel') && (await grantOf(campaign))
      if (!grant) continue
      const open = (await rollouts.rows(campaign.id)).filter(
        (row) => row.state === 'planned' || row.state === 'waiting',
      )
      const isAllowed = grant.revokedAt === undefined && open.every((row) => reaches(grant, row.chargePointId))
      if (!isAllowed) await rollouts.act(campaign, 'cancel')
    }
  }
  for (const kind of ['configurations', 'local_lists', 'monitor_sets'] as const) {
    for (const row of (await allRecords(reads, kind, ofAccount)) as readonly Desired[]) {
      const grant = await grantOf(row)
      const selector = grant && stillMeant(grant, row.selector)
      if (grant && !selector) await removeDesired(parts, kind, row)
      else if (selector && selector !== row.selector) await meanFewer(parts, kind, row, selector)
    }
  }
}

/** For the others nothing is another than before. @throws where it was changed meanwhile: it is looked at again then */
async function meanFewer(
  parts: EndedGrantsContext,
  kind: DesiredName['kind'],
  row: Desired,
  selector: Selector,
): Promise<void> {
  const put = { kind, put: { ...row, selector } } as RecordChange
  if (!(await parts.writes.changeRecordsIf([put], { kind, put: row } as RecordChange)))
    throw new Error(`${kind} ${row.name} was changed meanwhile.`)
  await settleDesired(parts, kind, row)
}

function reaches({ revokedAt, chargePoints = [] }: Grant, chargePointId: string): boolean {
  return revokedAt === undefined && (chargePoints === 'all' || chargePoints.includes(chargePointId))
}

function stillMeant(grant: Grant, selector: Selector): Selector | undefined {
  if (grant.revokedAt !== undefined) return undefined
  if (grant.chargePoints === 'all') return selector
  const ids = selector.ids?.filter((id) => reaches(grant, id)) ?? []
  if (ids.length === 0) return undefined
  return ids.length === selector.ids?.length ? selector : { ...selector, ids }
}

const NOTHING = { calls: [], others: [] } as const

/** What applications, or one of them, asked of charge points and what is not over. */
async function allWaiting({ reads, now }: EndedGrantsContext, grant: Grant | undefined) {
  const ofGrant = { grantId: grant?.id ?? { from: '' } }
  const indexed = [
    ...(await allRecords(reads, 'charging_demands', ofGrant)),
    ...(await allRecords(reads, 'charging_profiles', ofGrant)),
    ...(await allRecords(reads, 'intents', ofGrant)),
    ...(await allRecords(reads, 'customer_requests', ofGrant)),
  ]
  const waiting = grant ? await waitingOfAccount(reads, grant.accountId) : [await waitingAt(reads, now())]
  return {
    calls: waiting.flatMap(({ calls }) => calls),
    others: [
      ...waiting.flatMap(({ logs, reports, jobs }) => [
        ...logs.filter(({ dueAt }) => dueAt !== undefined),
        ...reports.filter(({ state }) => state === 'running'),
        ...jobs.filter(({ dueAt }) => dueAt !== undefined),
      ]),
      ...indexed,
      ...waiting
        .flatMap(({ reservations }) => reservations)
        .filter((one) => one.expiresAt >= now() && !one.isCancelling && isOpen(one)),
    ],
  }
}

/** @param these charge points; absent: all that there are */
async function waitingAt(
  reads: EndedGrantsContext['reads'],
  now: number,
  these?: { readonly chargePointId: { readonly in: readonly string[] } },
) {
  const due = these ?? { dueAt: { from: 0 } }
  return {
    calls: await allRecords(reads, 'outgoing_calls', these),
    logs: await allRecords(reads, 'log_requests', due),
    reports: await allRecords(reads, 'reports', these ?? { state: 'running' }),
    jobs: await allRecords(reads, 'security_profile_jobs', due),
    reservations: await allRecords(reads, 'reservations', these ?? { expiresAt: { from: now } }),
  }
}

/** By its charge points: no account waits for the others' work to be read. */
async function waitingOfAccount(reads: EndedGrantsContext['reads'], accountId: string) {
  const found: Awaited<ReturnType<typeof waitingAt>>[] = []
  for await (const page of chargePointPages(reads, accountId)) {
    found.push(await waitingAt(reads, 0, { chargePointId: { in: page.map(({ id }) => id) } }))
  }
  return found
}
