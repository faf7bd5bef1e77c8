import type { Clock } from '../ports/clock.ts'
/**
 * OCPP-RP14: how fast the messages of charge points that nobody accepted are read, for each alone and for all together,
 * so that they do not slow down accepted ones, however many there are. What comes faster waits in its own socket.
 */

/** Milliseconds until a message of so many bytes may go on; its place in the line is taken. */
export type Pace = (bytes: number) => number

/** Boots, a report and the status of each connector are far below it. */
export const STRANGER_FRAME_BYTES = 64 * 1024

/** A boot with the status of many connectors at once, then two messages a second. */
const OWN = { burstMs: 10_000, perMessageMs: 500 }
/** Two hundred messages, or a megabyte, a second: a few hundredths of what the core can do. */
const ALL = { burstMs: 1000, perMessageMs: 5, bytesPerMs: 1024 }
/** No line is this long: the clock was put back. */
const LONGEST_MS = 3_600_000

/** @returns makes the pace of one connection */
export function createStrangersPace(clock: Clock): () => Pace {
  const all = line(clock, ALL.burstMs)
  return () => {
    const own = line(clock, OWN.burstMs)
    return (bytes) => Math.max(own(OWN.perMessageMs), all(Math.max(ALL.perMessageMs, bytes / ALL.bytesPerMs)))
  }
}

/** Each takes so many milliseconds of a line in which the first `burstMs` need not be waited for. */
function line(clock: Clock, burstMs: number): (costMs: number) => number {
  let freeAt = Number.NEGATIVE_INFINITY
  return (costMs) => {
    const now = clock.now()
    const start = freeAt > now + LONGEST_MS ? now : Math.max(freeAt, now)
    freeAt = start + costMs
    return Math.max(0, start - now - burstMs)
  }
}
