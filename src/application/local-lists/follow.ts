/**
 * Charge points are told what changed in their lists, whoever changed it: the API, a page, the command line, another
 * node (LIST-A4).
 */

import { type Periodic, periodically } from '../../domain/periodic.ts'
import type { Clock } from '../../domain/ports/clock.ts'
import { refreshList } from './entries.ts'
import { type LocalListPlace, settleList } from './orders.ts'

const LOOK_MS = 1000
const PAGE = 200
/** Cards that charge points brought themselves follow by then (TOKEN-Z5). */
const REFRESH_MS = 3600_000

interface FollowPlace extends LocalListPlace {
  /** Of all nodes one does it. */
  readonly isKeeper?: (() => Promise<boolean>) | undefined
  readonly clock: Pick<Clock, 'after'>
}

export function followLists(place: FollowPlace): Periodic {
  const settled = new Map<string, number>()
  let newest = 0
  let refreshedAt = Number.NEGATIVE_INFINITY
  const look = async (): Promise<void> => {
    if (place.isKeeper && !(await place.isKeeper())) return
    if (place.now() - refreshedAt >= REFRESH_MS) {
      refreshedAt = place.now()
      for (const list of await changedSince(place, 0)) await refreshList(place, list)
    }
    for (const list of await changedSince(place, newest)) {
      const { accountId, name, contentAt } = list
      const key = JSON.stringify([accountId, name])
      if (settled.get(key) === contentAt) continue
      await settleList(place, list)
      settled.set(key, contentAt)
      newest = Math.max(newest, contentAt)
    }
  }
  const failed = ({ message: error }: Error): void =>
    place.log.error({ error }, 'local lists did not reach every charge point yet')
  return periodically({ clock: place.clock, work: look, everyMs: LOOK_MS, failed })
}

async function changedSince({ reads }: LocalListPlace, from: number) {
  return reads.listRecords('local_lists', { where: { contentAt: { from } }, limit: PAGE })
}
