/** A cold operation is a generator of statements, so it runs on a local engine as on one across a network. */
import { type SQL, type SQLChunk, sql } from 'drizzle-orm'
import type { SQLiteTable, SQLiteUpdateSetSource } from 'drizzle-orm/sqlite-core'
import { drizzle } from 'drizzle-orm/sqlite-proxy'
import { eachOperation } from '../operations.ts'
import { present, type RecordOf } from '../rows/present.ts'

/** A list of texts is one value (`dialect.among` looks into it). Flags are 0 and 1, JSON is text. */
export type Value = string | number | null | readonly string[]

/** By position (`?` in the statement) or by name (`@name`); unmentioned names are ignored. */
export type Values = readonly Value[] | Readonly<Record<string, Value>>

export interface Statement {
  readonly sql: string
  readonly values: Values
  /** Rows as objects by column name or as arrays; `none`: only the number of changed rows. */
  readonly rows: 'objects' | 'arrays' | 'none'
}

export interface Answer {
  readonly rows: readonly unknown[]
  readonly changes: number
}

export type Work<T> = Generator<Statement, T, Answer>

/** A write in one transaction, which conflicts make an engine repeat: so work has no other side effects. */
export type Run = <T>(work: () => Work<T>) => Promise<T>

export type Operations<Port> = {
  readonly [Name in keyof Port]: Port[Name] extends (...args: infer Args) => Promise<infer T>
    ? (...args: Args) => Work<T>
    : never
}

/** Those too long for one transaction: several, with other work in between. */
export type Tours<Port> = {
  readonly [Name in keyof Port]: Port[Name] extends (...args: infer Args) => Promise<infer T>
    ? (run: Run, ...args: Args) => Promise<T>
    : never
}

export type RunOf = (name: string, args: readonly unknown[]) => Run

type PortOf<Named> = {
  readonly [Name in keyof Named]: Named[Name] extends (...args: infer Args) => Work<infer T>
    ? (...args: Args) => Promise<T>
    : Named[Name] extends (run: Run, ...args: infer Args) => Promise<infer T>
      ? (...args: Args) => Promise<T>
      : never
}

export function portOf<Named extends object>(operations: Named, runOf: RunOf): PortOf<Named> {
  return eachOperation(operations, (operation, name) => async (...args) => {
    return runOf(name, args)(() => operation(...args) as Work<unknown>)
  })
}

export function toursOf<Named extends object>(tours: Named, runOf: RunOf): PortOf<Named> {
  return eachOperation(
    tours,
    (tour, name) =>
      async (...args) =>
        tour(runOf(name, args), ...args),
  )
}

/** Column names are those after AS, in quotes: `AS "accountId"`. */
export function* all<Row>(sql: string, values: Values = []): Work<readonly Row[]> {
  const { rows } = yield { sql, values, rows: 'objects' }
  return rows as readonly Row[]
}

export function* first<Row>(sql: string, values: Values = []): Work<Row | undefined> {
  return (yield* all<Row>(sql, values))[0]
}

export function* column<T>(sql: string, values: Values = []): Work<readonly T[]> {
  const { rows } = yield { sql, values, rows: 'arrays' }
  return (rows as readonly (readonly T[])[]).map(([value]) => value as T)
}

export function* value<T>(sql: string, values: Values = []): Work<T | undefined> {
  return (yield* column<T>(sql, values))[0]
}

export function* change(sql: string, values: Values = []): Work<number> {
  return (yield { sql, values, rows: 'none' }).changes
}

/** Builds statements for all engines, and converts column values. Runs none. */
export const build = drizzle(async () => {
  throw new Error('This only builds statements; an engine runs them.')
})

interface Built<T> extends PromiseLike<T> {
  prepare(): Prepared
}

interface Prepared {
  getQuery(): { readonly sql: string; readonly params: readonly unknown[] }
  mapAllResult(rows: unknown): unknown
}

export function* rows<Row>(query: Built<readonly Row[]>): Work<readonly Row[]> {
  const prepared = query.prepare()
  const { sql, params } = prepared.getQuery()
  const answer = yield { sql, values: params as readonly Value[], rows: 'arrays' }
  return prepared.mapAllResult(answer.rows) as readonly Row[]
}

export function* row<Row>(query: Built<readonly Row[]>): Work<Row | undefined> {
  return (yield* rows(query))[0]
}

export function* changed(query: Built<unknown>): Work<number> {
  const { sql, params } = query.prepare().getQuery()
  return yield* change(sql, params as readonly Value[])
}

export function* list<Table extends SQLiteTable>(
  table: Table,
  where?: SQL,
  ...order: readonly SQLChunk[]
): Work<readonly RecordOf<Table>[]> {
  const query = build.select().from(table as SQLiteTable)
  return (yield* rows(query.where(where).orderBy(...(order as SQL[])))).map(present) as readonly RecordOf<Table>[]
}

export function* find<Table extends SQLiteTable>(table: Table, where?: SQL): Work<RecordOf<Table> | undefined> {
  return (yield* list(table, where))[0]
}

export function* insert<Table extends SQLiteTable>(table: Table, record: Table['$inferInsert']): Work<void> {
  yield* changed(build.insert(table).values(record))
}

/** @returns false: the key exists, and its row stays */
export function* insertNew<Table extends SQLiteTable>(table: Table, record: Table['$inferInsert']): Work<boolean> {
  return (yield* changed(build.insert(table).values(record).onConflictDoNothing())) === 1
}

/** Undefined members stay unchanged. @returns whether the row exists */
export function* update<Table extends SQLiteTable>(
  table: Table,
  change: SQLiteUpdateSetSource<Table>,
  where: SQL | undefined,
): Work<boolean> {
  return (yield* changed(build.update(table).set(change).where(where))) > 0
}

export function* updated<Table extends SQLiteTable>(
  table: Table,
  change: SQLiteUpdateSetSource<Table>,
  where: SQL | undefined,
): Work<RecordOf<Table> | undefined> {
  const [found] = yield* rows(
    build
      .update(table as SQLiteTable)
      .set(change as object)
      .where(where)
      .returning(),
  )
  return found && (present(found) as RecordOf<Table>)
}

export function* remove(table: SQLiteTable, where: SQL | undefined): Work<number> {
  return yield* changed(build.delete(table).where(where))
}

/** A dialect's expression in a built statement: the parts replace its `?`. */
export function worded(text: string, ...parts: readonly SQLChunk[]): SQL {
  const [start = '', ...rest] = text.split('?')
  return sql.join([sql.raw(start), ...rest.flatMap((after, at) => [parts[at], sql.raw(after)])])
}

/** Where the engines' SQL differs. */
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
  /** The table in which ids of the log are looked up by charge point. */
  readonly searched: string
  /** A random id for a webhook delivery: one statement serves all subscriptions. */
  readonly newDeliveryId: string
  /** An event's place among those of its account, and the bound that every later event lies behind (HOOK-E1). */
  readonly feed: { readonly place: string; readonly settled: string }
  /** One claim of deliveries at a time, so that the choice between them is fair to all. */
  readonly lockClaims?: Statement | undefined
  readonly lockFirstStart?: Statement | undefined
}
