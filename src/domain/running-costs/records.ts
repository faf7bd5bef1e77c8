/** What a charge point is told of what a charge costs while it goes on (DRIVER-C1). */
import { flag, integer, optional, type RecordOf, record, text } from '../records/record.ts'

/** Of each charge that is shown its cost, until its final one was told. */
export const runningCosts = record('running_costs', {
  key: ['chargePointId', 'transactionId'],
  columns: {
    chargePointId: text(),
    transactionId: text(),
    sessionId: text(),
    /** When it is told next; absent: it knows what there is to know. */
    dueAt: optional(integer()),
    isFinal: flag(),
    /** It said that it has no such message. */
    isUnsupported: flag(),
    toldAt: optional(integer()),
    updatedAt: integer(),
  },
  loadedWith: 'chargePoint',
})

/** That as it is stored; times in ms since the epoch. */
export type RunningCost = RecordOf<typeof runningCosts>

/** A cost as a call carries it. */
export interface ReportedCost {
  readonly transactionId: string
  readonly sessionId: string
  readonly micros: number
  readonly isFinal: boolean
}

/** Nobody is there to be told any more. */
export interface CostInput {
  readonly kind: 'costOver'
  readonly transactionId: string
}

/** What came of telling it. `unsent`: nothing. */
export interface CostAnswered {
  readonly kind: 'costAnswered'
  readonly told: ReportedCost
  readonly answer: 'accepted' | 'refused' | 'unsupported' | 'unsent'
}
