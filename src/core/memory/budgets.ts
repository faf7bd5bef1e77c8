/** The used budgets of cards (TOKEN-Z6), read for each message: the cards charge at other nodes, too. */
import { budgetPeriod, usedIn, usedUp } from '../../domain/budgets/rules.ts'
import type { Budget, IdToken } from '../../domain/ports/id-tokens.ts'
import type { LimitReached } from '../../domain/ports/sessions.ts'
import type { CoreStore } from '../../domain/ports/storage.ts'

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
