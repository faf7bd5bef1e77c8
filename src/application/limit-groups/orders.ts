/** What may be ordered about limit groups (GROUP-B1 to GROUP-B5). The planner's next look carries it out. */

import { ancestry, groupOf, minimumFaults, misfits } from '../../domain/limit-groups/desired.ts'
import { keyOf } from '../../domain/limit-groups/evse.ts'
import { allCharging, plan } from '../../domain/limit-groups/plan.ts'
import type {
  DesiredGroup,
  GivenExternal,
  GivenLoad,
  LimitGroup,
  StoredInput,
} from '../../domain/limit-groups/records.ts'
import { pathOf, type Reason } from '../../domain/limit-groups/shares.ts'
import type { Fault } from '../../domain/message-log/fault.ts'
import type { Refusal } from '../../domain/ports/storage-records.ts'
import type { RecordChange, RecordKey } from '../../domain/records/records.ts'
import { noSuch, refuse } from '../../domain/refuse.ts'
import type { UseCaseContext, WithSettings } from '../context.ts'
import { type SnapshotContext, snapshotAmong } from './look.ts'
import { type GroupReads, groupsOfAccount, membersOf, wiredToGroup, wiringsOf } from './members.ts'

/** All of them are planned by one node. Applications add none beyond half, so that the account has room for its own. */
const MAX_GROUPS = 200
const MAX_GROUPS_OF_APPLICATIONS = MAX_GROUPS / 2

export type GroupContext = Pick<UseCaseContext, 'reads' | 'writes' | 'now'> & WithSettings<'voltage'>

interface PutGroup {
  readonly before?: LimitGroup | undefined
  readonly after: LimitGroup
}

export async function putGroup(
  place: GroupContext,
  accountId: string,
  name: string,
  desired: DesiredGroup,
  grantId?: string,
): Promise<PutGroup | Refusal> {
  const checked = await checkGroup(place, accountId, name, desired, grantId)
  if ('refused' in checked) return checked
  const { before, after } = checked
  // Inputs for a former group of this name, left behind when the server died, do not apply to this one.
  if (!before) await place.writes.removeRecords('limit_group_inputs', inputsOf(after))
  await place.writes.putRecords('limit_groups', [after])
  return (await refusedSince(place, before, after)) ?? { before, after }
}

/** A conflicting order was checked at the same time: of the two the later one sees the other, and is taken back. */
async function refusedSince(
  place: GroupContext,
  before: LimitGroup | undefined,
  after: LimitGroup,
): Promise<Refusal | undefined> {
  const { accountId, name } = after
  const all = await groupsOfAccount(place, accountId)
  const refusal = treeRefusal(name, all) ?? (await memberRefusal(place, accountId, name, all))
  if (!refusal) return undefined
  const back = { kind: 'limit_groups', ...(before ? { put: before } : { remove: { accountId, name } }) } as RecordChange
  await place.writes.changeRecordsIf([back], { kind: 'limit_groups', put: after })
  return refusal
}

export async function checkGroup(
  place: Omit<GroupContext, 'writes'>,
  accountId: string,
  name: string,
  desired: DesiredGroup,
  grantId?: string,
): Promise<(PutGroup & { readonly all: readonly LimitGroup[] }) | Refusal> {
  const groups = await groupsOfAccount(place, accountId)
  const before = groups.find((group) => group.name === name)
  const ofApplications = groups.filter((group) => group.grantId !== undefined).length
  if (!before && groups.length >= MAX_GROUPS) {
    return refuse(409, 'too_many_limit_groups', `An account has at most ${MAX_GROUPS} limit groups: delete one.`)
  }
  if (!before && grantId !== undefined && ofApplications >= MAX_GROUPS_OF_APPLICATIONS) {
    const detail = `Applications have at most ${MAX_GROUPS_OF_APPLICATIONS} limit groups of an account: delete one.`
    return refuse(409, 'too_many_limit_groups', detail)
  }
  const at = place.now()
  const after: LimitGroup = {
    accountId,
    name,
    desired,
    revision: (before?.revision ?? 0) + 1,
    createdAt: before?.createdAt ?? at,
    updatedAt: at,
    grantId,
  }
  const all = [...groups.filter((group) => group !== before), after]
  return treeRefusal(name, all) ?? (await memberRefusal(place, accountId, name, all)) ?? { before, after, all }
}

/** GROUP-B3; a group of an application is fed by one of its own or by none, and hears nothing of others (GROUP-B1). */
function treeRefusal(name: string, groups: readonly LimitGroup[]): Refusal | undefined {
  const owner = groups.find((group) => group.name === name)?.grantId
  const known = owner === undefined ? groups : groups.filter(({ grantId }) => grantId === owner)
  const path = ancestry(name, new Map(known.map((group) => [group.name, group.desired])))
  if (typeof path !== 'string') return undefined
  return unprocessable([
    path === 'circle'
      ? { pointer: '/parent', code: 'circle', message: 'leads back to this group' }
      : { pointer: '/parent', code: 'unknown_parent', message: 'names a group that is not there: put it first' },
  ])
}

/** GROUP-B2 of the group and of those above it, and GROUP-B4. */
async function memberRefusal(
  place: Omit<GroupContext, 'writes'>,
  accountId: string,
  name: string,
  groups: readonly LimitGroup[],
): Promise<Refusal | undefined> {
  const { members, twice } = await membersOf(place, accountId, groups)
  const owners = new Map(groups.map((group) => [group.name, group.grantId]))
  const owner = owners.get(name)
  for (const { chargePointId, groups: names } of twice) {
    // GROUP-B4: the account's own group has what an application's selects as well.
    const other = names.find((one) => one !== name && (owner !== undefined || owners.get(one) === undefined))
    if (!names.includes(name) || other === undefined) continue
    const which = owners.get(other) === owner ? `the limit group ${other}` : 'another limit group'
    const detail = `The charge point ${chargePointId} belongs to ${which} already: take it out there first.`
    return refuse(409, 'in_another_group', detail)
  }
  const wirings = await wiringsOf(place, members)
  const requested = new Map(groups.map((group) => [group.name, group.desired]))
  const path = ancestry(name, requested)
  const above = new Set(Array.isArray(path) ? path : [name])
  const planned = groups.filter((group) => above.has(group.name)).map((group) => groupOf(group, place.settings.voltage))
  const own = planned.find((group) => group.name === name)
  const faults = planned.flatMap((group) => {
    const evses = members
      .filter((member) => ancestryIncludes(requested, member.group, group.name))
      .flatMap(({ chargePointId, evseIds }) => {
        const wiring = wirings.get(chargePointId)
        return evseIds.map((evseId) => wiredToGroup(wiring, evseId, group.phases))
      })
    return misfits(group, evses, place.settings.voltage)
  })
  if (own) faults.push(...minimumFaults(own, planned))
  return faults.length > 0 ? unprocessable(faults) : undefined
}

function ancestryIncludes(requested: ReadonlyMap<string, DesiredGroup>, leaf: string, name: string): boolean {
  const path = ancestry(leaf, requested)
  return typeof path !== 'string' && path.includes(name)
}

function unprocessable(faults: readonly Fault[]): Refusal & { readonly errors: readonly Fault[] } {
  const [first] = faults
  const detail = faults.map(({ pointer, message }) => `${pointer} ${message}.`).join(' ')
  return { ...refuse(422, first?.code ?? 'unprocessable', detail), errors: faults }
}

export async function findGroup({ reads }: GroupReads, accountId: string, name: string): Promise<LimitGroup | Refusal> {
  return (await reads.getRecord('limit_groups', { accountId, name })) ?? noSuch('limit group')
}

/** GROUP-B3: what its EVSEs hold is taken back by the planner. */
export async function deleteGroup(place: GroupContext, group: LimitGroup): Promise<Refusal | undefined> {
  const { accountId, name } = group
  const inUse = async (): Promise<Refusal | undefined> => {
    const groups = await groupsOfAccount(place, accountId)
    const child = groups.find(({ desired }) => desired.parent === name)
    const detail = `The limit group ${child?.name} is fed by it: delete that, or give it another.`
    return child && refuse(409, 'group_in_use', detail)
  }
  const refusal = await inUse()
  if (refusal) return refusal
  await place.writes.removeRecords('limit_groups', [{ accountId, name }])
  // A group that was put below it meanwhile was checked while this one was there.
  const since = await inUse()
  if (since) {
    await place.writes.putRecords('limit_groups', [group])
    return since
  }
  await place.writes.removeRecords('limit_group_inputs', inputsOf(group))
  return undefined
}

function inputsOf({ accountId, name }: LimitGroup): readonly RecordKey<'limit_group_inputs'>[] {
  return [
    { accountId, name, kind: 'load' },
    { accountId, name, kind: 'external' },
  ]
}

/** GROUP-B5 */
export async function putLoad(
  place: GroupContext,
  group: LimitGroup,
  given: GivenLoad,
): Promise<StoredInput | Refusal> {
  const phases = group.desired.phases ?? 3
  if (given.amps && given.amps.length !== phases) {
    const message = `must have ${phases === 1 ? 'one value' : 'three values'}, as the group has ${phases} phases`
    return unprocessable([{ pointer: '/amps', code: 'wrong_phases', message }])
  }
  return putInput(place, group, 'load', given)
}

export async function putExternalLimit(
  place: GroupContext,
  group: LimitGroup,
  given: GivenExternal,
): Promise<StoredInput | Refusal> {
  return putInput(place, group, 'external', given)
}

async function putInput(
  place: GroupContext,
  group: LimitGroup,
  kind: StoredInput['kind'],
  given: GivenLoad | GivenExternal,
): Promise<StoredInput | Refusal> {
  const { accountId, name } = group
  const at = place.now()
  if (given.until <= at) {
    return unprocessable([
      { pointer: '/until', code: 'until_passed', message: 'has passed: give a time that lies ahead' },
    ])
  }
  const put = { accountId, name, kind, given, at }
  const isThere = { kind: 'limit_groups', put: group } as const
  if (await place.writes.changeRecordsIf([{ kind: 'limit_group_inputs', put }], isThere)) return put
  const current = await findGroup(place, accountId, name)
  return 'refused' in current ? current : putInput(place, current, kind, given)
}

/** It ends at once, without its fail-safe value. */
export async function endExternalLimit({ writes }: GroupContext, { accountId, name }: LimitGroup): Promise<void> {
  await writes.removeRecords('limit_group_inputs', [{ accountId, name, kind: 'external' }])
}

/** Who would get what of a limit group that is not there yet, or is to be another (GROUP-H4). */
export interface PreviewedEvse {
  readonly chargePointId: string
  readonly evseId: number
  readonly isOnline: boolean
  readonly fallbackAmps: number
  readonly amps: number
  readonly reason: Reason
  /** With a car at every EVSE that takes all it is given. */
  readonly amongAllAmps: number
  readonly amongAllReason: Reason
}

export async function previewGroup(
  place: SnapshotContext,
  accountId: string,
  name: string,
  desired: DesiredGroup,
): Promise<readonly PreviewedEvse[] | Refusal> {
  const checked = await checkGroup(place, accountId, name, desired)
  if ('refused' in checked) return checked
  const look = await snapshotAmong(place, accountId, checked.all, name)
  if (!look) return noSuch('limit group')
  const { connection } = look
  const now = place.now()
  const [made, amongAll] = [plan(connection, now, 0), plan(allCharging(connection, now), now, 0)]
  const groups = new Map(connection.groups.map((group) => [group.name, group]))
  return connection.evses.flatMap((evse): readonly PreviewedEvse[] => {
    const [share, full] = [made.evses.get(keyOf(evse)), amongAll.evses.get(keyOf(evse))]
    if (!share || !full || !pathOf(groups, evse.group).some((group) => group.name === name)) return []
    const { chargePointId, evseId, isOnline } = evse
    const { fallbackAmps, amps, reason } = share
    return [
      {
        chargePointId,
        evseId,
        isOnline,
        fallbackAmps,
        amps,
        reason,
        amongAllAmps: full.amps,
        amongAllReason: full.reason,
      },
    ]
  })
}
