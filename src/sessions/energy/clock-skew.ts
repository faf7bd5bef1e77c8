/** How far a charge point's clock is from ours (ocpp.md W3), learned from messages that are sent as they happen. */
import type { StationTime } from '../model.ts'

/** A message this old was waiting in the station's queue; its age says nothing about the clock. */
const QUEUED_MS = 3_600_000
/** Seconds of network and rounding are no news, and each change of the status is written to disk. */
const NOISE_MS = 10_000

/**
 * Milliseconds the station is ahead of us (negative: behind), or `known` where `at` teaches nothing new: no time of its
 * own, an unusable one, a queued message, or nearly the same as before.
 */
export function clockSkewMs(known: number | undefined, at: StationTime): number | undefined {
  if (at.original === undefined || at.repaired) return known
  const skew = at.occurredAt - at.receivedAt
  if (skew < -QUEUED_MS) return known
  return known !== undefined && Math.abs(skew - known) < NOISE_MS ? known : skew
}
