/**
 * How many charge points that nobody accepted may come (OCPP-AU5, OCPP-RP14): so many a minute from one network, so
 * many a minute in all, and so many at one time. When that many are there, the one that was silent longest makes room.
 */

import { addressBlock } from '../../address-block.ts'
import { keepNewest } from '../../keep-newest.ts'
import type { CoreStore, Writes } from '../../ports/storage.ts'
import type { CoreContext } from '../context.ts'
import { removeChargePoint } from '../operations/remove-charge-point.ts'

export interface Strangers {
  /** One that was never seen before wants to be remembered. */
  mayCome(address: string): Promise<boolean>
  /** One that is remembered connects again. */
  mayReturn(address: string): boolean
}

const WINDOW_MS = 60_000
const NEW_PER_NETWORK = 10
const NEW_IN_ALL = 100
/** A station that waits for its approval connects once and stays. */
const RETURNS_PER_NETWORK = 60
/** Networks that are counted; beyond that the oldest is forgotten. */
const NETWORKS = 10_000
/** At one time. Nobody looks through more of them to approve one. */
const AT_ONE_TIME = 1000
/** Whoever waits for its approval boots every minute; who was silent for so long makes room. */
const SILENT_MS = 3_600_000

export function createStrangers(
  context: CoreContext,
  store: Pick<CoreStore, 'strangers'>,
  writes: Pick<Writes, 'deleteChargePoint'>,
): Strangers {
  const { clock, stations, log } = context
  const fresh = perMinute(() => clock.now())
  const all = perMinute(() => clock.now())
  const returns = perMinute(() => clock.now())

  /** One at a time: two must not take the same place. */
  let line: Promise<unknown> = Promise.resolve()
  const makeRoom = async (): Promise<boolean> => {
    const remembered = await store.strangers()
    if (remembered.length < AT_ONE_TIME) return true
    const silent = remembered
      .map(({ id, accountId, seenAt }) => {
        const known = stations.known(id)
        return {
          id,
          accountId,
          isHere: known?.connection !== undefined,
          seenAt: Math.max(seenAt, known?.lastSeenAt ?? 0),
        }
      })
      .filter(({ isHere, seenAt }) => !isHere && clock.now() - seenAt >= SILENT_MS)
      .sort((a, b) => a.seenAt - b.seenAt)
    const [oldest] = silent
    if (!oldest) return false
    const removed = await removeChargePoint(context, writes, oldest.accountId, oldest.id)
    if ('refused' in removed) return false
    log.info({ chargePoint: oldest.id }, 'never approved and silent for long: forgotten, to make room for another')
    return true
  }

  return {
    async mayCome(address) {
      if (!fresh.take(addressBlock(address), NEW_PER_NETWORK) || !all.take('', NEW_IN_ALL)) return false
      const room = line.then(makeRoom)
      line = room.catch(() => undefined)
      return room
    },
    mayReturn: (address) => returns.take(addressBlock(address), RETURNS_PER_NETWORK),
  }
}

function perMinute(now: () => number): { take(key: string, most: number): boolean } {
  const windows = new Map<string, { since: number; count: number }>()
  return {
    take(key, most) {
      const at = now()
      const window = windows.get(key)
      // The other comparison: the clock was put back.
      if (window && at - window.since < WINDOW_MS && at >= window.since) return ++window.count <= most
      keepNewest(windows, key, { since: at, count: 1 }, NETWORKS)
      return true
    },
  }
}
