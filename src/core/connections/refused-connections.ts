/** Counts refused connections (TIMELINE-A4): the first is stored at once, repetitions in seconds, anew every hour. */

import type { RefusedConnection } from '../../domain/ports/core.ts'
import { addressBlock } from '../../limits/address-block.ts'
import { keepNewest } from '../../limits/keep-newest.ts'
import type { CoreContext } from '../context.ts'
import type { Station } from '../memory/station.ts'
import { happened } from './connection-inputs.ts'
import { type RefusalCount, RowCount } from './row-count.ts'

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
