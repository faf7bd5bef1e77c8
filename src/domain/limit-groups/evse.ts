import type { ShareState } from './records.ts'

export interface EvseKey {
  readonly chargePointId: string
  readonly evseId: number
}

export interface GroupEvse extends EvseKey, Omit<ShareState, 'charge'> {
  readonly maxAmps: number
  readonly group: string
  readonly phases: readonly number[]
  /** On how many of them it draws at once; absent: on all. */
  readonly phaseCount?: number | undefined
  /** GROUP-P3: its charge needs the least of so many phases; absent: of one. */
  readonly spread?: number | undefined
  readonly isOnline: boolean
  readonly charge?: Charge | undefined
  readonly clockAheadMs: number
  /** It may be ahead by less, down to this; absent: it showed no time yet. */
  readonly clockAtLeastMs?: number | undefined
  /** It may count a lease from when that arrives (OCPP21-C1). */
  readonly countsLeases?: boolean | undefined
}

export interface Charge {
  readonly id: string
  readonly startedAt: number
  readonly priority: number
  /** What the car takes of what it is offered (demand.ts). */
  readonly wantAmps: number
  readonly isFull?: boolean | undefined
  /** Since when it is paused, or may charge (GROUP-S3). */
  readonly pausedSince?: number | undefined
  readonly servedSince?: number | undefined
}

export function keyOf({ chargePointId, evseId }: EvseKey): string {
  return `${chargePointId}\0${evseId}`
}
