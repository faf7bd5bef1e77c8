/**
 * What an application ordered ends with the grant (OIDC-C13): its campaigns, configurations and monitors, its commands
 * that wait, and the logs, reports and higher security profiles that are waited for. Of a charge point that the grant
 * shares no more, the same ends. What a person has taken over names no grant any more, and stays. It is looked for by
 * what is stored, so that it ends whichever way the grant did, and also when the process died in between.
 */

import { namesOfConfiguration } from '../../domain/configuration/desired-by-account.ts'
import type { DesiredName } from '../../domain/configuration/records.ts'
import { stateAfter } from '../../domain/firmware/campaign.ts'
import type { CampaignState } from '../../domain/firmware/records.ts'
import { namesOfMonitors } from '../../domain/monitors/desired-monitors.ts'
import type { Clock, Core } from '../../domain/ports/core.ts'
import type { Grant } from '../../domain/ports/storage-oidc-records.ts'
import { allRecords } from '../../domain/records/all-records.ts'
import type { RecordChange } from '../../domain/records/records.ts'
import type { Selector } from '../../domain/records/selector.ts'
import { chargePointPages } from '../../domain/selector.ts'
import { type ConfigurationContext, removeConfiguration, settleAll } from '../configuration/orders.ts'
import { type LocalListContext, removeLocalList } from '../local-lists/orders.ts'
import { removeMonitors } from '../monitors/orders.ts'
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
  const endEach = async <Row extends OfFleet>(rows: readonly Row[], { remove, ...how }: Ending<Row>): Promise<void> => {
    for (const row of rows) {
      const grant = await grantOf(row)
      const selector = grant && stillMeant(grant, row.selector)
      if (grant && !selector) await remove(row)
      else if (selector && selector !== row.selector) await meanFewer(parts, row, selector, how)
    }
  }
  await endEach(await allRecords(reads, 'configurations', ofAccount), {
    remove: (configuration) => removeConfiguration(parts, configuration),
    asChange: (put) => ({ kind: 'configurations', put }),
    kind: 'configurations',
    namesOf: namesOfConfiguration,
  })
  await endEach(await allRecords(reads, 'local_lists', ofAccount), {
    remove: (list) => removeLocalList(parts, list),
    asChange: (put) => ({ kind: 'local_lists', put }),
    kind: 'local_lists',
    namesOf: () => [],
  })
  await endEach(await allRecords(reads, 'monitor_sets', ofAccount), {
    remove: (set) => removeMonitors(parts, set),
    asChange: (put) => ({ kind: 'monitor_sets', put }),
    kind: 'monitor_sets',
    namesOf: namesOfMonitors,
  })
}

interface OfFleet extends OfGrant {
  readonly accountId: string
  readonly name: string
  readonly selector: Selector
}

interface Ending<Row> {
  readonly kind: DesiredName['kind']
  readonly remove: (row: Row) => Promise<void>
  readonly asChange: (put: Row) => RecordChange
  readonly namesOf: (row: Row) => readonly string[]
}

/** For the others nothing is another than before. @throws where it was changed meanwhile: it is looked at again then */
async function meanFewer<Row extends OfFleet>(
  parts: EndedGrantsContext,
  row: Row,
  selector: Selector,
  { kind, asChange, namesOf }: Omit<Ending<Row>, 'remove'>,
): Promise<void> {
  const { accountId, name } = row
  if (!(await parts.writes.changeRecordsIf([asChange({ ...row, selector })], asChange(row))))
    throw new Error(`${kind} ${name} was changed meanwhile.`)
  await parts.core.configurationsChanged(accountId, { kind, name })
  await settleAll(parts, accountId, [row.selector], new Set(namesOf(row)))
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
  const waiting = await (grant ? waitingOfAccount(reads, grant.accountId) : waitingOfAll(reads, now()))
  return {
    calls: waiting.calls,
    others: [
      ...waiting.logs.filter(({ dueAt }) => dueAt !== undefined),
      ...waiting.reports.filter(({ state }) => state === 'running'),
      ...waiting.jobs.filter(({ dueAt }) => dueAt !== undefined),
      ...indexed,
      ...waiting.reservations.filter(
        (one) => one.expiresAt >= now() && !one.isCancelling && (one.state === 'requested' || one.state === 'active'),
      ),
    ],
  }
}

async function waitingOfAll(reads: EndedGrantsContext['reads'], now: number) {
  const isDue = { dueAt: { from: 0 } }
  return {
    calls: await allRecords(reads, 'outgoing_calls'),
    logs: await allRecords(reads, 'log_requests', isDue),
    reports: await allRecords(reads, 'reports', { state: 'running' }),
    jobs: await allRecords(reads, 'security_profile_jobs', isDue),
    reservations: await allRecords(reads, 'reservations', { expiresAt: { from: now } }),
  }
}

/** By its charge points: no account waits for the others' work to be read. */
async function waitingOfAccount(reads: EndedGrantsContext['reads'], accountId: string) {
  const found: Awaited<ReturnType<typeof waitingOfAll>>[] = []
  for await (const page of chargePointPages(reads, accountId)) {
    const ofThese = { chargePointId: { in: page.map(({ id }) => id) } }
    found.push({
      calls: await allRecords(reads, 'outgoing_calls', ofThese),
      logs: await allRecords(reads, 'log_requests', ofThese),
      reports: await allRecords(reads, 'reports', ofThese),
      jobs: await allRecords(reads, 'security_profile_jobs', ofThese),
      reservations: await allRecords(reads, 'reservations', ofThese),
    })
  }
  return {
    calls: found.flatMap(({ calls }) => calls),
    logs: found.flatMap(({ logs }) => logs),
    reports: found.flatMap(({ reports }) => reports),
    jobs: found.flatMap(({ jobs }) => jobs),
    reservations: found.flatMap(({ reservations }) => reservations),
  }
}
