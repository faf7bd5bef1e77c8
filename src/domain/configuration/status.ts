/** How far a configuration has come (CONFIG-A11). */

import type { Intent, IntentState } from '../intents/records.ts'
import { isoTime } from '../iso-time.ts'

const URGENCY: readonly IntentState[] = [
  'conflict',
  'rejected',
  'unsupported',
  'expired',
  'rebootRequired',
  'pending',
  'sent',
  'applied',
  'verified',
]

export interface StationStatus {
  readonly evseControllerId: string
  readonly state: IntentState
  readonly reason?: string | undefined
  readonly updatedAt: string
}

/** One charge point; of several intents the most urgent one speaks for it. */
export function statusOf(evseControllerId: string, intents: readonly Intent[]): StationStatus | undefined {
  const [first] = [...intents].sort((one, other) => URGENCY.indexOf(one.state) - URGENCY.indexOf(other.state))
  if (!first) return undefined
  const { state, reason } = first
  const newest = Math.max(...intents.map(({ updatedAt }) => updatedAt))
  return {
    evseControllerId,
    state,
    ...(reason !== undefined && { reason: intents.length > 1 ? `${first.key}: ${reason}` : reason }),
    updatedAt: isoTime(newest),
  }
}

export function countsOf(stations: readonly StationStatus[]): Readonly<Partial<Record<IntentState, number>>> {
  const counts: Partial<Record<IntentState, number>> = {}
  for (const state of URGENCY) {
    const count = stations.filter((station) => station.state === state).length
    if (count > 0) counts[state] = count
  }
  return counts
}
