/** Which charge points and EVSEs belong to an account's limit groups (GROUP-B4). */

import type { Wiring } from '../../domain/charging/records.ts'
import { connectorsOf, withUndescribed } from '../../domain/charging/rows.ts'
import { type Wired, wiredTo } from '../../domain/limit-groups/phases.ts'
import type { LimitGroup } from '../../domain/limit-groups/records.ts'
import type { ChargePointView } from '../../domain/ports/storage-records.ts'
import { allRecords } from '../../domain/records/all-records.ts'
import { chargePointPages, selectable, selects } from '../../domain/selector.ts'
import type { UseCaseContext } from '../context.ts'

export interface Electric {
  /** Of each phase. */
  readonly settings: { readonly voltage: number }
}

export type GroupReads = Pick<UseCaseContext, 'reads'>

export interface Member {
  readonly chargePointId: string
  readonly group: string
  readonly evseIds: readonly number[]
  readonly connectors: ChargePointView['connectors']
}

export function groupsOfAccount(
  { reads }: Pick<GroupReads, 'reads'>,
  accountId: string,
): Promise<readonly LimitGroup[]> {
  return allRecords(reads, 'limit_groups', { accountId })
}

export interface Members {
  readonly members: readonly Member[]
  readonly twice: readonly { readonly chargePointId: string; readonly groups: readonly string[] }[]
}

/** @param groups of two that select a charge point the account's own has it before an application's, then the older */
export async function membersOf({ reads }: GroupReads, accountId: string, groups: readonly LimitGroup[]) {
  const chosen = groups
    .flatMap(({ name, desired: { selector }, createdAt, grantId }) =>
      selector ? [{ name, selector, createdAt, rank: grantId === undefined ? 0 : 1 }] : [],
    )
    .sort((one, other) => one.rank - other.rank || one.createdAt - other.createdAt || (one.name < other.name ? -1 : 1))
  const members: Member[] = []
  const twice: { readonly chargePointId: string; readonly groups: readonly string[] }[] = []
  if (chosen.length === 0) return { members, twice } satisfies Members
  for await (const page of chargePointPages(reads, accountId)) {
    for (const view of page) {
      const names = chosen.flatMap(({ name, selector }) => (selects(selector, selectable(view)) ? [name] : []))
      const [group] = names
      if (group === undefined) continue
      members.push({ chargePointId: view.id, group, evseIds: evseIdsOf(view), connectors: view.connectors })
      if (names.length > 1) twice.push({ chargePointId: view.id, groups: names })
    }
  }
  return { members, twice } satisfies Members
}

export async function wiringsOf(
  { reads }: Pick<GroupReads, 'reads'>,
  members: readonly Member[],
): Promise<ReadonlyMap<string, Wiring>> {
  const wirings = new Map<string, Wiring>()
  for (const { chargePointId, connectors } of members) {
    const wiring = await reads.getRecord('wirings', { chargePointId })
    if (wiring) {
      wirings.set(chargePointId, { ...wiring, connectors: withUndescribed(wiring.connectors, connectors) })
    }
  }
  return wirings
}

/** GROUP-P1: which phases an EVSE loads. */
export function wiredToGroup(wiring: Wiring | undefined, evseId: number, leafPhases: 1 | 3): Wired {
  return wiredTo(connectorsOf(wiring?.connectors ?? [], evseId), leafPhases)
}

function evseIdsOf({ connectors }: ChargePointView): readonly number[] {
  const ids = new Set(connectors.map(({ evseId, connectorId }) => evseId ?? connectorId).filter((id) => id > 0))
  return ids.size > 0 ? [...ids].sort((one, other) => one - other) : [1]
}
