/** What a charge point is sent about the cost of a running charge (DRIVER-C1). */
import { flag, integer, optional, type RecordOf, record, text } from '../records/record.ts'

/** Charges whose cost is shown, until the final cost was sent. */
export const runningCosts = record('running_costs', {
  key: ['chargePointId', 'transactionId'],
  columns: {
    chargePointId: text(),
    transactionId: text(),
    sessionId: text(),
    /** When the next cost is sent; absent: the charge point has the newest. */
    dueAt: optional(integer()),
    isFinal: flag(),
    /** It said that it has no such message. */
    isUnsupported: flag(),
    toldAt: optional(integer()),
    updatedAt: integer(),
  },
  loadedWith: 'chargePoint',
})

export type RunningCost = RecordOf<typeof runningCosts>

/** A cost as a call carries it. */
export interface ReportedCost {
  readonly transactionId: string
  readonly sessionId: string
  readonly micros: number
  readonly isFinal: boolean
}

/** The final cost of a charge no longer has to be sent. */
export interface CostInput {
  readonly kind: 'costOver'
  readonly transactionId: string
}

/** Outcome of sending a cost. `unsent`: it never left. */
export interface CostAnswered {
  readonly kind: 'costAnswered'
  readonly told: ReportedCost
  readonly answer: 'accepted' | 'refused' | 'unsupported' | 'unsent'
}
