/** Limits unaccepted charge points (OCPP-AU5, OCPP-RP14): per minute, address, network, and in total. */

import { grouped } from '../../domain/grouped.ts'
import type { Core } from '../../domain/ports/core.ts'
import { addressBlock, addressNetwork } from '../../limits/address-block.ts'
import { keepNewest } from '../../limits/keep-newest.ts'
import type { CoreContext } from '../context.ts'

interface Unaccepted {
  mayCome(identity: string, address: string): Promise<boolean>
  mayReturn(identity: string, address: string): boolean
}

const WINDOW_MS = 60_000
const NEW_PER_ADDRESS = 10
const NEW_IN_ALL = 100
/** A network gets at most a quarter of what is left, so that newcomers always find room. */
const SHARE_OF_REST = 4
/** A station that waits for its approval connects once and stays. */
const RETURNS_PER_ADDRESS = 60
/** Beyond that the oldest is forgotten. */
const ADDRESSES = 10_000
/** An operator looks through no more of them for approval. */
const AT_ONE_TIME = 1000
/** A station that awaits approval boots every minute; one silent for this long makes room first. */
const SILENT_MS = 3_600_000

export function createUnaccepted(
  { clock, stations, log, store }: CoreContext,
  remove: Core['removeChargePoint'],
): Unaccepted {
  const now = (): number => clock.now()
  const fresh = perMinute(now)
  const freshOfNetwork = perMinute(now)
  const all = perMinute(now)
  const returns = perMinute(now)
  /** Networks by identity. After a restart a station is counted when it comes again. */
  const networks = new Map<string, string>()

  /** One at a time: two must not take the same slot. */
  let line: Promise<unknown> = Promise.resolve()
  const makeRoom = async (): Promise<boolean> => {
    const remembered = await store.unacceptedChargePoints()
    if (remembered.length < AT_ONE_TIME) return true
    const waiting = remembered.map(({ id, accountId, seenAt }) => {
      const known = stations.known(id)
      return {
        id,
        accountId,
        network: networks.get(id),
        isHere: known?.connection !== undefined,
        seenAt: Math.max(seenAt, known?.lastSeenAt ?? 0),
      }
    })
    const leaving = whoMakesRoom(waiting, now() - SILENT_MS)
    if (!leaving) return false
    const removed = await remove(leaving.accountId, leaving.id)
    if ('refused' in removed) return false
    networks.delete(leaving.id)
    log.info({ chargePoint: leaving.id }, 'a charge point that was never approved was removed to make room')
    return true
  }

  const mayBeNew = (address: string): boolean => {
    if (!fresh.take(addressBlock(address), NEW_PER_ADDRESS)) return false
    const network = addressNetwork(address)
    const rest = NEW_IN_ALL - all.count('')
    if (freshOfNetwork.count(network) >= rest / SHARE_OF_REST) return false
    return freshOfNetwork.take(network, NEW_IN_ALL) && all.take('', NEW_IN_ALL)
  }

  const noteNetwork = (identity: string, address: string): void =>
    keepNewest(networks, identity, addressNetwork(address), ADDRESSES)

  return {
    async mayCome(identity, address) {
      if (!mayBeNew(address)) return false
      const room = line.then(makeRoom)
      line = room.catch(() => undefined)
      if (!(await room)) return false
      noteNetwork(identity, address)
      return true
    },
    mayReturn(identity, address) {
      if (!returns.take(addressBlock(address), RETURNS_PER_ADDRESS)) return false
      noteNetwork(identity, address)
      return true
    },
  }
}

export interface Waiting {
  readonly id: string
  readonly accountId: string
  readonly network: string | undefined
  readonly isHere: boolean
  readonly seenAt: number
}

/** First those silent since `silentSince`; else the oldest of the largest network, connected ones last. */
export function whoMakesRoom(waiting: readonly Waiting[], silentSince: number): Waiting | undefined {
  const oldest = (some: readonly Waiting[]): Waiting | undefined =>
    [...some].sort((a, b) => Number(a.isHere) - Number(b.isHere) || a.seenAt - b.seenAt)[0]
  const silent = oldest(waiting.filter(({ isHere, seenAt }) => !isHere && seenAt <= silentSince))
  if (silent) return silent
  const networks = grouped(
    waiting.filter(({ network }) => network !== undefined),
    ({ network }) => network,
  )
  let most: readonly Waiting[] = []
  for (const those of networks.values()) if (those.length > most.length) most = those
  return most.length > 1 ? oldest(most) : undefined
}

function perMinute(now: () => number): { take(key: string, most: number): boolean; count(key: string): number } {
  const windows = new Map<string, { since: number; count: number }>()
  const current = (key: string): { since: number; count: number } | undefined => {
    const at = now()
    const window = windows.get(key)
    // The second comparison: the clock was set back.
    return window && at - window.since < WINDOW_MS && at >= window.since ? window : undefined
  }
  return {
    count: (key) => current(key)?.count ?? 0,
    take(key, most) {
      const window = current(key)
      if (window) return ++window.count <= most
      keepNewest(windows, key, { since: now(), count: 1 }, ADDRESSES)
      return true
    },
  }
}
