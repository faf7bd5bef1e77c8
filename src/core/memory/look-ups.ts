/** Questions to the store about what a message refers to and memory does not hold; many messages ask together. */

import { budgetPeriod, usedIn, usedUp } from '../../domain/budgets/rules.ts'
import type { Budget, IdToken } from '../../domain/ports/id-tokens.ts'
import type { LimitReached, Session, Transaction } from '../../domain/ports/sessions.ts'
import type { CoreStore } from '../../domain/ports/storage.ts'
import type { Lookup } from '../../domain/ports/storage-records.ts'
import type { Lookups } from '../../domain/sessions/decision.ts'
import { sameToken } from '../../domain/sessions/orders/authorise.ts'
import { keyOf, missingKey } from '../../domain/sessions/transactions/samples.ts'

interface Known {
  readonly chargePointId: string
  readonly transactions: Map<string, Transaction>
  readonly sessions: Map<string, Session>
}

export function wantsLookups(state: Known, lookups: Lookups): boolean {
  return (
    lookups.startKeys.length > 0 ||
    lookups.transactionIds.some((id) => missingKey(state.transactions, id, lookups.mention) !== undefined) ||
    wantsOtherwise(state, lookups) ||
    wantsNewest(state, lookups) ||
    wantsRemoteStart(state, lookups) ||
    lookups.sessionIds.some((id) => !state.sessions.has(id))
  )
}

/** Called until nothing is left, as answers lead to questions. @param asked ids not to ask again */
export function nextLookups(state: Known, lookups: Lookups, asked: Set<string>): readonly Lookup[] {
  const { chargePointId, transactions, sessions } = state
  const questions: Lookup[] = []
  const ask = (name: string, question: Lookup): void => {
    if (asked.has(name)) return
    asked.add(name)
    questions.push(question)
  }
  const askTransaction = (transactionId: string): void =>
    ask(`number ${transactionId}`, { chargePointId, transaction: { transactionId } })

  // Numbers are reused: later transactions of the number lead to the right one.
  for (const number of lookups.transactionIds) {
    const missing = missingKey(transactions, number, lookups.mention)
    if (missing !== undefined) askTransaction(missing)
  }
  if (questions.length === 0 && wantsOtherwise(state, lookups)) {
    for (const number of lookups.otherwise) if (!transactions.has(number)) askTransaction(number)
  }
  const { newestAt, remoteStart } = lookups
  if (questions.length === 0 && newestAt !== undefined && wantsNewest(state, lookups)) {
    ask('newest', { chargePointId, newestAt })
  }
  if (questions.length === 0 && remoteStart && wantsRemoteStart(state, lookups)) {
    ask('remote start', { chargePointId, overdueStart: remoteStart })
  }
  for (const startKey of lookups.startKeys) {
    if (!hasStartKey(transactions.values(), startKey)) {
      ask(`start ${startKey}`, { chargePointId, transaction: { startKey } })
    }
  }
  for (const sessionId of lookups.sessionIds) {
    if (!sessions.has(sessionId)) ask(`session ${sessionId}`, { sessionId })
  }
  return questions
}

/** Memory is newer than what was read. */
export function rememberTransaction(
  { transactions, sessions }: Known,
  transaction: Transaction,
  session: Session,
): void {
  if (transactions.has(transaction.transactionId)) return
  if (!sessions.has(session.id)) sessions.set(session.id, session)
  transactions.set(transaction.transactionId, transaction)
}

export function rememberSession({ chargePointId, sessions }: Known, session: Session): void {
  if (session.chargePointId === chargePointId && !sessions.has(session.id)) sessions.set(session.id, session)
}

function wantsOtherwise({ transactions }: Known, { transactionIds, mention, otherwise }: Lookups): boolean {
  if (otherwise.length === 0) return false
  const isKnown = (id: string): boolean => transactions.has(keyOf(transactions, id, mention) ?? '')
  return !transactionIds.some(isKnown) && otherwise.some((id) => !transactions.has(id))
}

/** SESSION-A16: the stop names nothing that memory holds or held. */
function wantsNewest({ transactions }: Known, lookups: Lookups): boolean {
  const { transactionIds, mention, otherwise, newestAt } = lookups
  if (newestAt === undefined) return false
  const isKnown = (id: string): boolean => transactions.has(keyOf(transactions, id, mention) ?? '')
  return !transactionIds.some(isKnown) && !otherwise.some((id) => transactions.has(id))
}

function wantsRemoteStart({ sessions }: Known, { remoteStart: sign }: Lookups): boolean {
  if (!sign) return false
  for (const { remoteStart } of sessions.values()) {
    if (!remoteStart) continue
    const known =
      'remoteStartId' in sign
        ? remoteStart.remoteStartId === sign.remoteStartId
        : sameToken(remoteStart.virtualIdToken, sign.virtualIdToken)
    if (known) return false
  }
  return true
}

function hasStartKey(transactions: Iterable<Transaction>, startKey: string): boolean {
  for (const transaction of transactions) if (transaction.startKey === startKey) return true
  return false
}

/** The used budgets of cards (TOKEN-Z6), read for each message: the cards charge at other nodes, too. */
type Card = Pick<IdToken, 'accountId' | 'id'>

export class Budgets {
  readonly #store: Pick<CoreStore, 'listRecords'>
  readonly #now: () => number
  readonly #timeZone: string
  readonly #usedUp = new Set<string>()

  constructor(store: Pick<CoreStore, 'listRecords'>, now: () => number, timeZone: string) {
    this.#store = store
    this.#now = now
    this.#timeZone = timeZone
  }

  isUsedUp(card: Card): boolean {
    return this.#usedUp.has(nameOf(card))
  }

  async look(cards: readonly IdToken[]): Promise<void> {
    for (const card of cards) {
      const reached = card.budget && (await this.reached(card, card.budget, this.#now()))
      if (reached) this.#usedUp.add(nameOf(card))
      else this.#usedUp.delete(nameOf(card))
    }
  }

  async reached(card: Card, budget: Budget, began: number): Promise<LimitReached | undefined> {
    return usedUp(budget, await usedIn(this.#store, card, budget, budgetPeriod(budget.per, began, this.#timeZone)))
  }
}

function nameOf({ accountId, id }: Card): string {
  return JSON.stringify([accountId, id.toLowerCase()])
}
