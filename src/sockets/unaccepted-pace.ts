/**
 * OCPP-RP14: how fast the messages of charge points that nobody accepted are read, for each alone, for those of one
 * network and for all together, so that they slow down neither accepted ones nor each other, however many there are.
 * What comes faster waits in its own socket.
 */

import type { Clock } from '../domain/ports/clock.ts'
import { addressNetwork } from '../limits/address-block.ts'
import { keepNewest } from '../limits/keep-newest.ts'

/** Milliseconds until a message of so many bytes may go on; its place in the line is taken. */
export type Pace = (bytes: number) => number

/** The turn of the first message of a connection that waits. @param come called when that has come */
export function createTurn(clock: Clock, pace: Pace, come: () => void) {
  let state: 'none' | 'awaited' | 'come' = 'none'
  let cancel: (() => void) | undefined
  return {
    /** Whether a message of so many bytes may go on now. */
    has(bytes: number): boolean {
      if (state === 'awaited') return false
      const waitMs = state === 'come' ? 0 : pace(bytes)
      state = waitMs > 0 ? 'awaited' : 'none'
      if (waitMs <= 0) return true
      cancel = clock.after(waitMs, () => {
        state = 'come'
        come()
      })
      return false
    },
    forget(): void {
      cancel?.()
      state = 'none'
    },
  }
}

/** Boots, a report and the status of each connector are far below it. */
export const UNACCEPTED_FRAME_BYTES = 64 * 1024

/** A boot with the status of many connectors at once, then two messages a second. */
const OWN = { burstMs: 10_000, perMessageMs: 500 }
/** Two hundred messages, or a megabyte, a second: a few hundredths of what the core can do. */
const ALL = { burstMs: 1000, perMessageMs: 5, bytesPerMs: 1024 }
/** Of all, so that one network never has the whole of it. */
const NETWORKS_SHARE = 4
/** Networks that are counted; beyond that the oldest begins anew. */
const NETWORKS = 10_000
/** No line is this long: the clock was put back. */
const MAX_MS = 3_600_000

/** @returns makes the pace of one connection, from the address that it comes from */
export function createUnacceptedPace(clock: Clock): (address: string) => Pace {
  const all = line(clock, ALL.burstMs)
  const networks = new Map<string, Line>()
  return (address) => {
    const own = line(clock, OWN.burstMs)
    const network = addressNetwork(address)
    const shared = networks.get(network) ?? line(clock, ALL.burstMs)
    keepNewest(networks, network, shared, NETWORKS)
    return (bytes) => {
      const cost = Math.max(ALL.perMessageMs, bytes / ALL.bytesPerMs)
      return Math.max(own(OWN.perMessageMs), shared(cost * NETWORKS_SHARE), all(cost))
    }
  }
}

type Line = (costMs: number) => number

/** Each takes so many milliseconds of a line in which the first `burstMs` need not be waited for. */
function line(clock: Clock, burstMs: number): Line {
  let freeAt = Number.NEGATIVE_INFINITY
  return (costMs) => {
    const now = clock.now()
    const start = freeAt > now + MAX_MS ? now : Math.max(freeAt, now)
    freeAt = start + costMs
    return Math.max(0, start - now - burstMs)
  }
}
