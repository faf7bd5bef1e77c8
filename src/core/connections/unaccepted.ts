/** Limits unaccepted charge points (OCPP-AU5, OCPP-RP14): per minute, address, network, and in total. */

import { grouped } from '../../domain/grouped.ts'
import type { Core, RefusedConnection } from '../../domain/ports/core.ts'
import type { BlockInput } from '../../domain/records/records.ts'
import { addressBlock, addressNetwork } from '../../limits/address-block.ts'
import { keepNewest } from '../../limits/keep-newest.ts'
import { type CoreContext, decideOn } from '../context.ts'
import type { Job } from '../groups/engine.ts'
import { isNotOwner } from '../groups/store-refusals.ts'
import type { Station } from '../memory/station.ts'
import { stored } from '../reconcile/subject.ts'
import { type RefusalCount, RowCount } from './row-count.ts'

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

/** Counts refused connections (TIMELINE-A4): the first is stored at once, repetitions in seconds, anew every hour. */
export interface Refusals {
  ofStation(station: Station, because: RefusedConnection): void
  ofUnaccepted(identity: string, address: string, accountId: string, because: RefusedConnection): void
  tell(): void
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const TELL_MS = 10_000
/** OCPP-RP14: limits for unregistered identities. */
const UNACCEPTED = { perNetworkAndHour: 10, perDay: 5000, networks: 10_000, remembered: 1000 }

export function createRefusals(context: CoreContext): Refusals {
  const { clock, engine, logIds } = context
  const unacceptedChargePoints = new Map<string, RefusalCount>()
  const networks = new Map<string, RowCount>()
  const inAll = new RowCount()
  const waiting = new Set<RefusalCount>()
  let cancel: (() => void) | undefined

  const store = ({ id, firstAt, stationId, accountId, because, count }: RefusalCount): void => {
    engine.enqueue(
      happened(context, stationId, { kind: 'connectionRefused', id, ...because, count, firstAt }, accountId),
    )
  }
  const tell = (): void => {
    cancel?.()
    cancel = undefined
    for (const count of waiting) store(count)
    waiting.clear()
  }
  const again = (counted: RefusalCount, because: RefusedConnection): void => {
    counted.count++
    counted.because = because
    waiting.add(counted)
    cancel ??= clock.after(TELL_MS, tell)
  }
  const isCurrent = ({ firstAt }: RefusalCount): boolean => {
    const age = clock.now() - firstAt
    return age >= 0 && age < HOUR_MS
  }
  const first = (stationId: string, accountId: string | undefined, because: RefusedConnection): RefusalCount => {
    const now = clock.now()
    const counted = { id: logIds.next(now), firstAt: now, stationId, accountId, because, count: 1 }
    store(counted)
    return counted
  }
  const mayTell = (address: string): boolean => {
    const now = clock.now()
    const block = addressBlock(address)
    const network = networks.get(block) ?? new RowCount()
    keepNewest(networks, block, network, UNACCEPTED.networks)
    return network.take(now, HOUR_MS, UNACCEPTED.perNetworkAndHour) && inAll.take(now, DAY_MS, UNACCEPTED.perDay)
  }

  return {
    ofStation({ id, refusals }, because) {
      const counted = refusals.get(because.reason)
      if (counted && isCurrent(counted)) again(counted, because)
      else refusals.set(because.reason, first(id, undefined, because))
    },
    ofUnaccepted(identity, address, accountId, because) {
      const key = JSON.stringify([identity, because.reason])
      const counted = unacceptedChargePoints.get(key)
      if (counted && isCurrent(counted)) again(counted, because)
      else if (mayTell(address)) {
        keepNewest(unacceptedChargePoints, key, first(identity, accountId, because), UNACCEPTED.remembered)
      }
    },
    tell,
  }
}

/** Connections as inputs (TIMELINE-A1): socket events are decided on and committed like any message. */
export function happened(context: CoreContext, stationId: string, input: BlockInput, accountId?: string): Job {
  return {
    stationId,
    accountId,
    decide: (station) =>
      station.state ? context.decisions.applied(station, decideOn(context, station, input)) : undefined,
    failed(error, station) {
      // The charge point was deleted, or another node owns it and writes its history.
      if (!station || isNotOwner(error)) return
      context.log.error({ chargePoint: stationId, error: error.message, kind: input.kind }, 'not stored')
    },
  }
}

/** Strips control characters: the text appears in logs and pages. */
export function closeReason(text: string | undefined): string | undefined {
  const shown = text?.replace(/\p{Cc}+/gu, ' ').trim()
  return shown === '' ? undefined : shown
}

/** An end without a close frame (RFC 6455 §7.1.5). */
export const ABNORMAL = 1006
const SERVER_ENDED = 'the server ended without closing it'

/** TIMELINE-A2: connections left open by an earlier process or a node that ended. */
export const INTERRUPTED_CONNECTIONS = stored(
  'timeline_folds',
  () => ({ openSince: { from: 0 } }),
  (_, { logIds, clock }) => ({
    kind: 'disconnected',
    id: logIds.next(clock.now()),
    code: ABNORMAL,
    reason: SERVER_ENDED,
  }),
)
