/** Where the engines' SQL differs. */
import type { Statement } from './work.ts'

export interface Dialect {
  /** True when the column is in a list, which is bound as one value. */
  among(column: string, parameter: string): string
  /** Compares and sorts without ASCII case, whatever the column's declaration (TOKEN-Z1). */
  caseless(text: string): string
  contains(text: string, part: string): string
  /** True when one of these columns contains the bound text, in any case, accents composed or not. */
  anyContains(parameter: string, columns: readonly string[]): string
  /** Least and greatest of several values, none of which may be NULL. */
  least(...values: readonly string[]): string
  greatest(...values: readonly string[]): string
  /** A text member of a JSON object kept as text; NULL where there is none. */
  textMember(document: string, name: string): string
  /** As `textMember`, with the name in a value. */
  memberNamed(document: string, name: string): string
  numberMember(document: string, name: string): string
  /** A number in a JSON list kept as text; NULL where there is none. @param place from 0 on */
  numberAt(list: string, place: number): string
  /** True when a JSON object kept as text has this member with this text. */
  hasMember(document: string, key: string, value: string): string
  /** True when a JSON list kept as text contains this text. */
  holds(list: string, value: string): string
  /** After a table in FROM: an index hint, for a planner without statistics. */
  by(index: string): string
  /** A random id for a webhook delivery: one statement serves all subscriptions. */
  readonly newDeliveryId: string
  /** An event's place among those of its account, and the bound that every later event lies behind (HOOK-E1). */
  readonly feed: { readonly place: string; readonly settled: string }
  /** One claim of deliveries at a time, so that the choice between them is fair to all. */
  readonly lockClaims?: Statement | undefined
  readonly lockFirstStart?: Statement | undefined
}
