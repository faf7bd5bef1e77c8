import type { Reads, Writes } from '../../domain/ports/storage.ts'
import type { Declaration } from '../../domain/records/record.ts'
import { type RowValue, recordOf } from '../../domain/records/record-row.ts'
import {
  declarationOf,
  RECORDS,
  type RecordChange,
  type RecordKind,
  type RecordPut,
} from '../../domain/records/records.ts'
import { recordSql, type Statement } from '../record-sql.ts'
import { eventWork } from './webhooks/record-event.ts'
import { change, type Dialect, type Operations, type Work } from './work.ts'

/** @throws for a member that no row can hold */
export function requireRow(changing: RecordChange): void {
  recordStatement(changing)
}

export function recordStatement(changing: RecordChange): Statement {
  const sql = recordSqlOf(changing.kind)
  return 'put' in changing ? sql.put(changing.put) : sql.remove(changing.remove)
}

export function* writeRecord(changing: RecordChange): Work<void> {
  const { sql, values } = recordStatement(changing)
  yield* change(sql, values)
}

// Callers' types match kind and record; for a variable kind the compiler cannot check it.
export const recordReads = {
  *getRecord(kind, key) {
    const [found] = yield* recordRows(recordSqlOf(kind).get(key))
    return found && readAs(kind, found)
  },
  *listRecords(kind, query) {
    return (yield* recordRows(recordSqlOf(kind).list(query))).map((found) => readAs(kind, found))
  },
  *countRecords(kind, query) {
    const [found] = yield* recordRows(recordSqlOf(kind).count(query))
    return Number(found?.[0] ?? 0)
  },
} as Operations<Pick<Reads, 'getRecord' | 'listRecords' | 'countRecords'>>

export function* recordsOfChargePoint(chargePointId: string): Work<readonly RecordPut[]> {
  const loaded: RecordPut[] = []
  for (const { name } of LOADED) {
    const found = yield* recordRows({ sql: recordSqlOf(name).ofChargePoint, values: [chargePointId] })
    for (const one of found) loaded.push({ kind: name, put: readAs(name, one) } as RecordPut)
  }
  return loaded
}

export function recordWrites(dialect: Dialect) {
  const tell = eventWork(dialect)
  return {
    *putRecords(kind, records) {
      requireCold(declarationOf(kind))
      for (const put of records) yield* writeRecord({ kind, put } as RecordChange)
    },
    *changeRecords(changes, events) {
      for (const { kind } of changes) requireCold(declarationOf(kind))
      for (const one of changes) yield* writeRecord(one)
      let reported = false
      for (const event of events) if (yield* tell(event)) reported = true
      return reported
    },
    *changeRecordsIf(changes, seen, events = []) {
      for (const { kind } of [seen, ...changes]) requireCold(declarationOf(kind))
      if (!(yield* isStill(seen))) return false
      for (const one of changes) yield* writeRecord(one)
      for (const event of events) yield* tell(event)
      return true
    },
    *removeRecords(kind, keys) {
      requireCold(declarationOf(kind))
      for (const remove of keys) yield* writeRecord({ kind, remove } as RecordChange)
    },
    *removeOldRecords(kind, before, limit) {
      const declaration = declarationOf(kind)
      if (declaration.loadedWith) requireCold(declaration)
      if (declaration.age === undefined) throw new Error(`${kind} has no age.`)
      const { sql, values } = recordSqlOf(kind).removeOld(declaration.age, before, limit)
      return yield* change(sql, values)
    },
  } as Operations<
    Pick<Writes, 'putRecords' | 'changeRecords' | 'changeRecordsIf' | 'removeRecords' | 'removeOldRecords'>
  >
}

/** Compared as rows, where the order of members and absent ones make no difference. */
function* isStill(seen: RecordChange): Work<boolean> {
  const { kind } = seen
  const sql = recordSqlOf(kind)
  const [found] = yield* recordRows(sql.get('put' in seen ? seen.put : seen.remove))
  if (!found || !('put' in seen)) return !found && !('put' in seen)
  const rowAs = (record: object): string => JSON.stringify(sql.put(record).values)
  return rowAs(readAs(kind, found) as object) === rowAs(seen.put)
}

export function* removeRecordsOf(chargePointId: string): Work<void> {
  for (const { name } of BELONGING) yield* change(recordSqlOf(name).removeOfChargePoint, [chargePointId])
}

export const LOADED = RECORDS.filter(({ loadedWith }) => loadedWith === 'chargePoint')
const BELONGING = RECORDS.filter(({ columns }) => 'chargePointId' in columns)

function requireCold({ name, loadedWith, placedLater }: Declaration): void {
  if (loadedWith === undefined && !placedLater) return
  throw new Error(`${name} belongs to a charge point: a decision changes it.`)
}

const SQL = new Map(RECORDS.map((declaration) => [declaration.name, recordSql(declaration)]))

function recordSqlOf(kind: RecordKind): ReturnType<typeof recordSql> {
  return SQL.get(kind) ?? recordSql(declarationOf(kind))
}

function readAs(kind: RecordKind, found: readonly RowValue[]): unknown {
  return recordOf(declarationOf(kind), found)
}

function* recordRows({ sql, values }: Statement): Work<readonly (readonly RowValue[])[]> {
  const { rows } = yield { sql, values, rows: 'arrays' }
  return rows as readonly (readonly RowValue[])[]
}
