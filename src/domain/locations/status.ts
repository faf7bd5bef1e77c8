/** The status of an EVSE follows from its charge point (LOCATION-A2). Pure. */
import type { EvseStatus } from './records.ts'

export const SILENCE_MS = 600_000

export interface EvseFacts {
  /** It was connected once. */
  readonly wasConnected: boolean
  readonly isAccepted: boolean
  /** It has no connection, and has been silent for ten minutes. */
  readonly isSilent: boolean
  /** What its connectors reported last. */
  readonly connectors: readonly string[]
  /** What the whole charge point reported (connector 0). */
  readonly station?: string | undefined
  readonly hasTransaction: boolean
  readonly isReserved: boolean
}

/** The first that one of its connectors has: one is used at a time, and another may still be free. */
const PRECEDENCE = ['CHARGING', 'BLOCKED', 'RESERVED', 'AVAILABLE', 'OUTOFORDER', 'INOPERATIVE'] as const
const OCCUPIED = new Set(['Preparing', 'Finishing', 'Occupied'])
const STATUSES: Readonly<Record<string, EvseStatus>> = {
  Available: 'AVAILABLE',
  Charging: 'CHARGING',
  SuspendedEV: 'CHARGING',
  SuspendedEVSE: 'CHARGING',
  Reserved: 'RESERVED',
  Unavailable: 'INOPERATIVE',
  Faulted: 'OUTOFORDER',
}

export function evseStatus(facts: EvseFacts): EvseStatus {
  if (!facts.wasConnected) return 'PLANNED'
  if (!facts.isAccepted) return 'INOPERATIVE'
  if (facts.isSilent) return 'UNKNOWN'
  const { hasTransaction, isReserved, station = '' } = facts
  const found = new Set(
    facts.connectors.map((status) => {
      if (OCCUPIED.has(status)) return hasTransaction ? 'CHARGING' : 'BLOCKED'
      return STATUSES[status] ?? 'UNKNOWN'
    }),
  )
  const status = PRECEDENCE.find((one) => found.has(one)) ?? 'UNKNOWN'
  if (station === 'Faulted') return 'OUTOFORDER'
  if (station === 'Unavailable' && status !== 'CHARGING' && status !== 'OUTOFORDER') return 'INOPERATIVE'
  return status === 'AVAILABLE' && isReserved ? 'RESERVED' : status
}
