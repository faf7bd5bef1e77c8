/** Which decisions follow from their row of the log and the documents that they change (STORE-J6). Pure. */
import type { ChargePointState, Transaction } from '../ports/sessions.ts'
import type { Changes, Decision, Input } from './decision.ts'
import { connectorKey } from './records.ts'
import { isOfAnotherConnector } from './transactions/samples.ts'

/** Whether the charge point's status and the changed documents decide it again alike; in doubt it does not follow. */
export function followsFromRow(state: ChargePointState, input: Input, { changes, requests }: Decision): boolean {
  const { status, idTokens, transactions = NONE, sessions = NONE } = changes
  if (requests || status || idTokens || transactions.length > 1 || sessions.length > transactions.length) return false
  const [after] = transactions
  const before = after && state.transactions.get(after.transactionId)
  const isRunning = before?.open === true && after?.open === true && before.earlier === undefined
  // Limits ask what waited in a queue, and budgets what other charges took.
  if ((after && !isRunning) || sessions.some(({ limits }) => limits !== undefined)) return false
  switch (input.kind) {
    case 'sampled':
      return isRunning && before.transactionId === input.transactionId && isItself(changes) && isThere(before, input)
    case 'transactionEvent':
      return isRunning && before.transactionId === input.transactionId && isItself(changes) && isUpdate(before, input)
    case 'connectorStatus':
      return isNewer(state, changes) && (changes.records ?? NONE).every(({ kind }) => kind === 'connection_history')
    default:
      return false
  }
}

const NONE: readonly never[] = []

function isItself({ connectors, records }: Changes): boolean {
  return connectors === undefined && records === undefined
}

/** Values of another connector are those of the charge that runs there. */
function isThere(transaction: Transaction, input: Extract<Input, { kind: 'sampled' }>): boolean {
  return !isOfAnotherConnector(transaction, input)
}

/** It names no card, order or reservation, nor the place for the first time. */
function isUpdate(
  { authorised, evseId }: Transaction,
  { event, idToken, remoteStartId, reservationId, evseId: named }: Extract<Input, { kind: 'transactionEvent' }>,
): boolean {
  const isPlain = idToken === undefined && remoteStartId === undefined && reservationId === undefined
  return event === 'updated' && isPlain && authorised && (evseId !== undefined || named === undefined)
}

/** Of an older one the connections tell whether it waited in a queue. */
function isNewer({ connectors }: ChargePointState, { connectors: [after] = NONE }: Changes): boolean {
  const before = after && connectors.get(connectorKey(after.evseId, after.connectorId))
  return before !== undefined && after !== undefined && after.updatedAt >= before.updatedAt
}
