/**
 * Whether a charge point said itself when something happened, so that its time tells one event from the next
 * (ENERGY-W1, ENERGY-W2).
 */
import type { StationTime } from '../ports/sessions.ts'

export function hasOwnTime({ original, repaired }: StationTime): boolean {
  return original !== undefined && !repaired
}
