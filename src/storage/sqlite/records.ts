/** Records on SQLite: written with the message that changes them, read in place at once. */
import type { Database, Statement as Prepared } from 'better-sqlite3'
import type { CoreStore, Reads, Writes } from '../../ports/storage.ts'
import type { NewEvent } from '../../ports/storage-webhooks.ts'
import type { Declaration } from '../../records/record.ts'
import {
  declarationOf,
  RECORDS,
  type RecordChange,
  type RecordKind,
  type RecordOfKind,
  type RecordPut,
} from '../../records/records.ts'
import { type RowValue, recordOf } from '../../records/row.ts'
import { recordSql, type Statement } from '../record-sql.ts'
import { eventWriter } from './webhooks/record-event.ts'

export type RecordWriter = (change: RecordChange) => void

export function recordWriter(db: Database): RecordWriter {
  const prepared = preparing(db)
  return (change) => {
    const sql = recordSqlOf(change.kind)
    const { sql: text, values } = 'put' in change ? sql.put(change.put) : sql.remove(change.remove)
    prepared(text).run(...values)
  }
}

export function recordReads(db: Database): Pick<Reads & CoreStore, 'getRecord' | 'listRecords'> {
  const prepared = preparing(db)
  const rows = ({ sql, values }: Statement): readonly (readonly RowValue[])[] =>
    prepared(sql)
      .raw()
      .all(...values)
  return {
    getRecord: async (kind, key) => {
      const [row] = rows(recordSqlOf(kind).get(key))
      return row && readAs(kind, row)
    },
    listRecords: async (kind, query) => rows(recordSqlOf(kind).list(query)).map((row) => readAs(kind, row)),
  }
}

/** Those that belong to the state of a charge point. */
export function recordsOfChargePoint(db: Database): (chargePointId: string) => readonly RecordPut[] {
  const loaded = RECORDS.filter(({ loadedWith }) => loadedWith === 'chargePoint').map(({ name }) => ({
    kind: name,
    find: db.prepare<[string], RowValue[]>(recordSqlOf(name).ofChargePoint).raw(),
  }))
  return (chargePointId) => loaded.flatMap(({ kind, find }) => find.all(chargePointId).map((row) => putOf(kind, row)))
}

export function recordWrites(
  db: Database,
): Pick<Writes, 'putRecords' | 'changeRecords' | 'removeRecords' | 'removeOldRecords'> {
  const write = recordWriter(db)
  const prepared = preparing(db)
  const writeAll = db.transaction((changes: readonly RecordChange[]) => changes.forEach(write))
  const tell = eventWriter(db)
  const writeAndTell = db.transaction((changes: readonly RecordChange[], events: readonly NewEvent[]) => {
    changes.forEach(write)
    return events.filter(tell).length > 0
  })
  return {
    putRecords: async (kind, records) => {
      requireCold(declarationOf(kind))
      writeAll.immediate(records.map((put) => changeOf({ kind, put })))
    },
    changeRecords: async (changes, events) => {
      for (const { kind } of changes) requireCold(declarationOf(kind))
      return writeAndTell.immediate(changes, events)
    },
    removeRecords: async (kind, keys) => {
      requireCold(declarationOf(kind))
      writeAll.immediate(keys.map((remove) => changeOf({ kind, remove })))
    },
    removeOldRecords: async (kind, before, limit) => {
      const declaration = declarationOf(kind)
      requireCold(declaration)
      if (declaration.age === undefined) throw new Error(`${kind} has no age.`)
      const { sql, values } = recordSqlOf(kind).removeOld(declaration.age, before, limit)
      return prepared(sql).run(...values).changes
    },
  }
}

/** With the charge point goes what belongs to it. Within the caller's transaction. */
export function removalOfRecords(db: Database): (chargePointId: string) => void {
  const removals = RECORDS.filter(({ columns }) => 'chargePointId' in columns).map(({ name }) =>
    db.prepare<[string]>(recordSqlOf(name).removeOfChargePoint),
  )
  return (chargePointId) => {
    for (const removal of removals) removal.run(chargePointId)
  }
}

/** The caller's types say that kind and record belong together; for a kind that is a variable the compiler cannot. */
function changeOf(
  change:
    | { readonly kind: RecordKind; readonly put: unknown }
    | { readonly kind: RecordKind; readonly remove: unknown },
): RecordChange {
  return change as RecordChange
}

function putOf(kind: RecordKind, row: readonly RowValue[]): RecordPut {
  return { kind, put: readAs(kind, row) } as RecordPut
}

function requireCold({ name, loadedWith }: Declaration): void {
  if (loadedWith === undefined) return
  throw new Error(`${name} belongs to the state of a charge point: a decision changes it.`)
}

const SQL = new Map(RECORDS.map((declaration) => [declaration.name, recordSql(declaration, 'sqlite')]))

function recordSqlOf(kind: RecordKind): ReturnType<typeof recordSql> {
  return SQL.get(kind) ?? recordSql(declarationOf(kind), 'sqlite')
}

function readAs<Kind extends RecordKind>(kind: Kind, row: readonly RowValue[]): RecordOfKind<Kind> {
  return recordOf(declarationOf(kind), row) as unknown as RecordOfKind<Kind>
}

/** Each text is prepared once; a record has a handful of them. */
function preparing(db: Database): (sql: string) => Prepared<RowValue[], RowValue[]> {
  const statements = new Map<string, Prepared<RowValue[], RowValue[]>>()
  return (sql) => {
    const known = statements.get(sql)
    if (known) return known
    const statement = db.prepare<RowValue[], RowValue[]>(sql)
    statements.set(sql, statement)
    return statement
  }
}
