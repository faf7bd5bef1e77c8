/** A subscription's due deliveries, read as needed: individually ordered ones first (HOOK-R8), then the oldest. */
import type { Candidate } from '../../../domain/deliveries/lanes.ts'
import { all, type Work } from '../work.ts'

/** Per subscription: enough to find other order keys behind one whose delivery is in flight (HOOK-F2). */
const ROWS_LOOKED_AT = 500

/** A claim's usual size; then the rest. */
const PAGES = [8, ROWS_LOOKED_AT - 8]

const page = (ordered: 0 | 1): string => `SELECT id AS "id", coalesce(order_key, session_id) AS "orderKey",
    due_at AS "dueAt", position AS "position" FROM webhook_deliveries
  WHERE subscription_id = @id AND state = 'pending' AND due_at <= @now AND ordered = ${ordered}
    AND (due_at, position) > (@dueAt, @position) ORDER BY due_at, position LIMIT @limit`
const ORDERED = page(1)
const OTHERS = page(0)

const START = { dueAt: 0, position: 0 }

export class DueDeliveries {
  readonly found: Candidate[] = []
  readonly #id: string
  readonly #now: number
  #pages: readonly { readonly sql: string; readonly limit: number }[]
  #after = START

  constructor(subscriptionId: string, now: number, orderedOnly: boolean) {
    this.#id = subscriptionId
    this.#now = now
    this.#pages = (orderedOnly ? [ORDERED] : [ORDERED, OTHERS]).flatMap((sql) => PAGES.map((limit) => ({ sql, limit })))
  }

  get isWhole(): boolean {
    return this.#pages.length === 0
  }

  *readMore(): Work<void> {
    const before = this.found.length
    for (let [next] = this.#pages; next && this.found.length === before; [next] = this.#pages) {
      const { sql, limit } = next
      const rows = yield* all<Candidate & typeof START>(sql, { id: this.#id, now: this.#now, ...this.#after, limit })
      this.found.push(...rows)
      const last = rows.at(-1)
      const isEnd = rows.length < limit
      this.#pages = this.#pages.filter((one) => one !== next && !(isEnd && one.sql === sql))
      this.#after = last && this.#pages[0]?.sql === sql ? { dueAt: last.dueAt, position: last.position } : START
    }
  }
}
