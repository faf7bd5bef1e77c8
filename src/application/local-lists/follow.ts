/** Sends charge points the changes of their lists, made by API, page, command line or another node (LIST-A4). */

import { budgetPeriod } from '../../domain/budgets/rules.ts'
import { isRecent } from '../../domain/due.ts'
import { type Periodic, periodically } from '../../domain/periodic.ts'
import { allRecords } from '../../domain/records/all-records.ts'
import { settleDesired } from '../configuration/orders.ts'
import type { UseCaseContext } from '../context.ts'
import { refreshList, tokensChanged } from './entries.ts'
import type { LocalListContext } from './orders.ts'

const LOOK_MS = 1000
const PAGE = 200
/** Cards that charge points brought themselves follow by then (TOKEN-Z5). */
const REFRESH_MS = 3600_000
/** By so much the clocks of nodes may differ, and a commit may be late. */
const OVERLAP_MS = 10_000

type FollowContext = LocalListContext & Pick<UseCaseContext, 'clock' | 'isKeeper'>

export function followLists(place: FollowContext): Periodic {
  const settled = new Map<string, number>()
  let newest = 0
  let refreshedAt = Number.NEGATIVE_INFINITY
  let spentAt = place.now()
  /** LIST-A11: cards whose charges went on, each looked at once. */
  const followBudgets = async (): Promise<void> => {
    const from = Math.min(spentAt, place.now()) - OVERLAP_MS
    spentAt = place.now()
    const cards = new Map<string, Set<string>>()
    for (const { accountId, idToken } of await allRecords(place.reads, 'budget_sums', { changedAt: { from } })) {
      cards.set(accountId, (cards.get(accountId) ?? new Set()).add(idToken))
    }
    for (const [accountId, ids] of cards) await tokensChanged(place, accountId, [...ids])
  }
  const look = async (): Promise<void> => {
    const today = budgetPeriod('day', place.now(), place.settings.timeZone ?? 'UTC')
    // A new day gives budgets back.
    if (!isRecent(refreshedAt, place.now(), REFRESH_MS) || refreshedAt < today.from) {
      refreshedAt = place.now()
      for (const list of await changedSince(place, 0)) await refreshList(place, list)
    }
    await followBudgets()
    // The clock was ahead then: what has changed since is older. What is settled is not settled again.
    if (newest > place.now()) newest = 0
    for (const list of await changedSince(place, newest)) {
      const { accountId, name, contentAt } = list
      const key = JSON.stringify([accountId, name])
      if (settled.get(key) === contentAt) continue
      await settleDesired(place, 'local_lists', list)
      settled.set(key, contentAt)
      newest = Math.max(newest, Math.min(contentAt, place.now()))
    }
  }
  const failed = ({ message: error }: Error): void =>
    place.log.error({ error }, 'local lists did not reach every charge point yet')
  return periodically({ clock: place.clock, isKeeper: place.isKeeper, work: look, everyMs: LOOK_MS, failed })
}

async function changedSince({ reads }: LocalListContext, from: number) {
  return reads.listRecords('local_lists', { where: { contentAt: { from } }, limit: PAGE })
}
