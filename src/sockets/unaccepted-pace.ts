/**
 * OCPP-RP14: how fast the messages of unaccepted charge points are read, for each alone, per network and in total,
 * so that they slow down neither accepted ones nor each other. Faster messages wait in their own socket.
 */

import type { Clock } from '../domain/ports/core.ts'
import { addressNetwork } from '../limits/address-block.ts'
import { keepNewest } from '../limits/keep-newest.ts'

/** Milliseconds until a message of this size may go on; takes its slot. */
export type Pace = (bytes: number) => number

/** The turn of a waiting connection's first message. @param come called when it has come */
export function createTurn(clock: Clock, pace: Pace, come: () => void) {
  let state: 'none' | 'awaited' | 'come' = 'none'
  let cancel: (() => void) | undefined
  return {
    /** Whether a message of this size may go on now. */
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
/** Two hundred messages, or a megabyte, a second: a few percent of the core's capacity. */
const ALL = { burstMs: 1000, perMessageMs: 5, bytesPerMs: 1024 }
/** A network's share of `ALL`. */
const NETWORKS_SHARE = 4
/** Beyond that the oldest starts over. */
const NETWORKS = 10_000
/** No queue is this long: the clock was set back. */
const MAX_MS = 3_600_000

/** @returns makes the pace of a connection from its address */
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

/** Messages take fixed slots of a line; the first `burstMs` need no wait. */
function line(clock: Clock, burstMs: number): Line {
  let freeAt = Number.NEGATIVE_INFINITY
  return (costMs) => {
    const now = clock.now()
    const start = freeAt > now + MAX_MS ? now : Math.max(freeAt, now)
    freeAt = start + costMs
    return Math.max(0, start - now - burstMs)
  }
}
