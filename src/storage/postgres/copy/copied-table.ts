/** SQLite rows as PostgreSQL rows, from the tables' declarations; columns that SQLite lacks (`added`) are made here. */
import { hash } from 'node:crypto'
import { getTableConfig, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Session, Transaction } from '../../../domain/ports/sessions.ts'
import type { Declaration } from '../../../domain/records/record.ts'
import { RECORDS } from '../../../domain/records/records.ts'
import type { Cell, CopiedRow } from '../../copy/ports.ts'
import { sqlColumns, sqlName } from '../../record-sql.ts'
import { ALL_TABLES } from '../../schema/all-tables.ts'
import { toDatabase } from '../connection/text.ts'
import { searchedAs, sessionSigns, transactionPlace } from '../rows/read-rows.ts'

interface AddedColumns {
  readonly columns: readonly string[]
  readonly of: (cell: (column: string) => Cell, place: number) => readonly (Cell | undefined)[]
}

export const ADDED: Readonly<Record<string, AddedColumns>> = {
  commands: {
    columns: ['transaction_number', 'transaction_text', 'has_schema_errors'],
    of: (cell) => {
      const { number, text } = searchedAs((cell('transaction_id') as string | null) ?? undefined)
      return [number, text, cell('schema_errors') === null ? 0 : 1]
    },
  },
  transactions: {
    columns: ['position', 'outlet', 'occurred_at'],
    of: (cell, place) => {
      const document = JSON.parse(cell('document') as string) as Transaction
      const { outlet, occurredAt } = transactionPlace({ ...document, open: cell('open') === 1 })
      return [place, outlet, occurredAt]
    },
  },
  sessions: {
    columns: ['overdue_number', 'overdue_token', 'clock_waits'],
    of: (cell) => {
      const facts = JSON.parse(cell('facts') as string) as Session
      const { overdueNumber, overdueToken, clockWaits } = sessionSigns({
        ...facts,
        state: cell('state') as Session['state'],
      })
      return [overdueNumber, overdueToken, clockWaits]
    },
  },
  // The order of commits (HOOK-S7); events after the copy are behind it (target.ts EVENTS_FROM_HERE).
  events: { columns: ['position'], of: (_, place) => [place] },
}

/** Columns that hold any number that a charge point sends (law 7), by table. */
export const ANY_NUMBER: Readonly<Record<string, readonly string[]>> = {
  connectors: ['connector_id', 'evse_id'],
  commands: ['connector_id', 'evse_id'],
}

/** The journal and the search's own table are only SQLite's: here a commit is visible at once. */
export const NOT_HERE: readonly string[] = ['journal', 'commands_search']

/** Facts of a database about itself: the target takes them over by name (target.ts). */
export const TAKEN_OVER = 'meta'

const NULL_MARK = '\x1e'
const SEPARATOR = '\x1f'

export interface CopiedTable {
  readonly name: string
  readonly sourceColumns: readonly string[]
  readonly boundColumn: string
  readonly copyStatement: string
  /** Rows, bounds and checksum in the target: a row of four. */
  readonly sumStatement: string
  /** In the order of the target's columns, as it stores them. */
  readonly values: (row: CopiedRow) => readonly Cell[]
  readonly line: (values: readonly Cell[]) => string
  readonly sum: (values: readonly Cell[]) => number
}

let tables: readonly CopiedTable[] | undefined

/** Made when a copy begins, so that no server waits for it at its start. */
export function copiedTables(): readonly CopiedTable[] {
  tables ??= readDeclarations()
  return tables
}

function readDeclarations(): readonly CopiedTable[] {
  return referencedFirst([...ALL_TABLES.map(sourceOf), ...RECORDS.map(sourceOfRecord)])
    .filter(({ name }) => ![...NOT_HERE, TAKEN_OVER].includes(name))
    .map(copiedTable)
}

interface Source {
  readonly name: string
  readonly columns: readonly string[]
  readonly key: string
  readonly refersTo: readonly string[]
}

function sourceOf(table: SQLiteTable): Source {
  const { name, columns, primaryKeys, foreignKeys } = getTableConfig(table)
  return {
    name,
    columns: columns.map((column) => column.name),
    key: columns.find(({ primary }) => primary)?.name ?? primaryKeys[0]?.columns[0]?.name ?? '',
    refersTo: foreignKeys.map((key) => getTableConfig(key.reference().foreignTable).name),
  }
}

function sourceOfRecord(declaration: Declaration): Source {
  const { name, key } = declaration
  return {
    name,
    columns: sqlColumns(declaration).map((column) => column.name),
    key: sqlName(key[0] ?? ''),
    refersTo: [],
  }
}

/** Ordered so that every row finds the rows that it refers to. */
function referencedFirst(sources: readonly Source[]): readonly Source[] {
  const ordered = new Set<Source>()
  const put = (source: Source): void => {
    if (ordered.has(source)) return
    for (const other of sources) if (other !== source && source.refersTo.includes(other.name)) put(other)
    ordered.add(source)
  }
  for (const source of sources) put(source)
  return [...ordered]
}

function copiedTable({ name, columns: sourceColumns, key: boundColumn }: Source): CopiedTable {
  const added = ADDED[name]
  const targets = [...sourceColumns, ...(added?.columns ?? [])].map((column, index) => ({
    name: column,
    from: index < sourceColumns.length ? index : -1,
    made: index - sourceColumns.length,
    isFloat: ANY_NUMBER[name]?.includes(column) ?? false,
  }))
  const isFloat = targets.map((target) => target.isFloat)
  const list = targets.map((target) => `"${target.name}"`).join(', ')
  return {
    name,
    sourceColumns,
    boundColumn,
    copyStatement: `COPY "${name}" (${list}) FROM STDIN`,
    sumStatement: `SELECT count(*), min("${boundColumn}"), max("${boundColumn}"),
      coalesce(sum(('x' || substr(md5(${targets.map(hashed).join(` || E'\\x1f' || `)}), 1, 12))::bit(48)::bigint), 0)::text
      FROM "${name}"`,
    values: (row) => {
      const cell = (column: string): Cell => row[sourceColumns.indexOf(column) + 1] ?? null
      const more = added?.of(cell, row[0]) ?? []
      return targets.map(({ from, made }) => {
        const value = from >= 0 ? row[from + 1] : more[made]
        return typeof value === 'string' ? toDatabase(value) : (value ?? null)
      })
    },
    line: (values) => `${values.map(copied).join('\t')}\n`,
    sum: (values) => {
      const text = values.map((value, index) => hashedText(value, isFloat[index] ?? false)).join(SEPARATOR)
      return Number.parseInt(hash('md5', text).slice(0, 12), 16)
    },
  }
}

const ESCAPED = /[\\\n\r\t]/g
const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

function copied(value: Cell): string {
  if (value === null) return '\\N'
  if (typeof value === 'number') return String(value)
  return value.replace(ESCAPED, (found) => ESCAPES[found] ?? found)
}

/** Numbers with a fraction are compared by their bits: the two engines spell them differently. */
function hashed({ name, isFloat }: { readonly name: string; readonly isFloat: boolean }): string {
  const text = isFloat ? `encode(float8send("${name}"), 'hex')` : `"${name}"::text`
  return `coalesce(${text}, E'\\x1e')`
}

const bits = Buffer.alloc(8)

function hashedText(value: Cell, isFloat: boolean): string {
  if (value === null) return NULL_MARK
  if (!isFloat || typeof value === 'string') return String(value)
  bits.writeDoubleBE(value + 0)
  return bits.toString('hex')
}
