/** The words in which the engines' SQL differs. Everything else is said alike in both. */
import type { Statement } from './work.ts'

export interface Dialect {
  /** True when the column is one of a list, which is bound as one value. */
  among(column: string, parameter: string): string
  /** A text that compares and sorts without ASCII case, whatever its column was declared as (TOKEN-Z1). */
  caseless(text: string): string
  contains(text: string, part: string): string
  /** True when one of these columns has the bound text in it, in any case, accents composed or not. */
  anyContains(parameter: string, columns: readonly string[]): string
  /** The smallest and the greatest of several values, none of which may be NULL. */
  least(...values: readonly string[]): string
  greatest(...values: readonly string[]): string
  /** A text that is a member of a JSON object kept as text; NULL where there is none. */
  textMember(document: string, name: string): string
  /** The same of a member whose name is a value. */
  memberNamed(document: string, name: string): string
  numberMember(document: string, name: string): string
  /** A number in a JSON list kept as text; NULL where there is none. @param place from 0 on */
  numberAt(list: string, place: number): string
  /** True when a JSON object kept as text has this member with this text. */
  hasMember(document: string, key: string, value: string): string
  /** True when a JSON list kept as text has this text in it. */
  holds(list: string, value: string): string
  /** After a table in FROM: an index to go by, for a planner without statistics. */
  by(index: string): string
  /** A new id of a webhook delivery that nobody can guess: one statement serves all subscriptions. */
  readonly newDeliveryId: string
  /** Where an event stands among those of its account, and which of them every later event stands behind (HOOK-E1). */
  readonly feed: { readonly place: string; readonly settled: string }
  /** One claim of deliveries at a time, so that the choice between them is fair to all. */
  readonly lockClaims?: Statement | undefined
  readonly lockFirstStart?: Statement | undefined
}
