/** For tests: all that a database file holds, as texts that can be compared. */
import { connectReader } from '../../../../../src/storage/sqlite/files/connection.ts'

/** What waits to be put in place, and by whom: not what anything shows. */
const NOT_SHOWN = ['journal']

/** Their texts are shown as they are; where a document has its members is no difference. */
const TEXTS = ['commands', 'events']

export type EveryRow = Readonly<Record<string, readonly string[]>>

/** The rows of each table that has any, in an order of their own. */
export function everyRow(path: string): EveryRow {
  const db = connectReader(path)
  try {
    const tables = db.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").pluck()
    const rows = (table: string): readonly string[] =>
      db
        .prepare<[], object>(`SELECT * FROM "${table}"`)
        .all()
        .map((row) => JSON.stringify(TEXTS.includes(table) ? row : inOrder(row)))
        .sort()
    const filled = tables
      .all()
      .filter((table) => !NOT_SHOWN.includes(table))
      .map((table) => [table, rows(table)] as const)
    return Object.fromEntries(filled.filter(([, { length }]) => length > 0))
  } finally {
    db.close()
  }
}

/** The same value, with the members of its records in the order of their names, and those of the JSON in its texts. */
function inOrder(value: unknown): unknown {
  if (typeof value === 'string' && /^[[{]/.test(value)) return inOrder(JSON.parse(value))
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(inOrder)
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(members.map(([name, member]) => [name, inOrder(member)]))
}
