/** SQL for records, made from their declarations: the same in both engines but for the column types. */
import type { ColumnType, Condition, Declaration, QueryOf } from '../domain/records/record.ts'
import { type RowValue, rowOf, rowValue } from '../domain/records/record-row.ts'

/** SQLite's. */
const SQL_TYPES: Readonly<Record<ColumnType, string>> = {
  integer: 'integer',
  text: 'text',
  flag: 'integer',
  json: 'text',
}

const VERSION_COLUMN = 'record_version'

export interface Statement {
  readonly sql: string
  readonly values: readonly RowValue[]
}

export function sqlName(member: string): string {
  return member.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** Later columns are NULL in older rows. */
export function sqlColumns({ columns, unversioned }: Declaration) {
  const version = { name: VERSION_COLUMN, type: 'integer', isNullable: false }
  const members = Object.entries(columns).map(([name, { type, isOptional, since }]) => ({
    name: sqlName(name),
    type: SQL_TYPES[type],
    isNullable: isOptional || since > 1,
  }))
  return unversioned ? members : [version, ...members]
}

export function indexName({ name, indexes, unversioned }: Declaration, members: readonly string[]): string {
  return unversioned?.[indexes.indexOf(members)] ?? [name, ...members.map(sqlName)].join('_')
}

/** What a put does to an existing row (RECORD-D6, RECORD-D9). */
export function conflictSql({ name, key, columns, writtenOnce, unversioned }: Declaration): string {
  if (writtenOnce) return 'DO NOTHING'
  const changing = Object.keys(columns).filter((member) => !key.includes(member))
  const updates = changing.map((member) => {
    const column = sqlName(member)
    return `${column} = ${columns[member]?.isSum ? `${name}.${column} + ` : ''}excluded.${column}`
  })
  const version = unversioned ? [] : [`${VERSION_COLUMN} = excluded.${VERSION_COLUMN}`]
  return `DO UPDATE SET ${[...version, ...updates].join(', ')}`
}

export function recordSql(declaration: Declaration) {
  const { name, key } = declaration
  const all = sqlColumns(declaration).map((column) => column.name)
  const keyColumns = key.map(sqlName)
  const keyValues = (members: object): readonly RowValue[] =>
    key.map((member) => rowValue(declaration, member, (members as Readonly<Record<string, unknown>>)[member]))
  const byKey = keyColumns.map((column) => `${column} = ?`).join(' AND ')
  const again = conflictSql(declaration)
  const select = `SELECT ${all.join(', ')} FROM ${name}`
  const conditionsOf = (where: NonNullable<QueryOf<Declaration>['where']>) => {
    const asked = Object.entries(where).filter(([, condition]) => condition !== undefined)
    requireIndex(
      declaration,
      asked.map(([member]) => member),
    )
    const values: RowValue[] = []
    const add = (value: RowValue): string => {
      values.push(value)
      return '?'
    }
    const conditions = asked.flatMap(([member, condition]) =>
      conditionSql(declaration, member, condition as Condition<unknown>, add),
    )
    return { conditions, values, add }
  }
  // Built once, not per message.
  const put = `INSERT INTO ${name} (${all.join(', ')}) VALUES (${all.map(() => '?').join(', ')})
    ON CONFLICT (${keyColumns.join(', ')}) ${again}`
  const remove = `DELETE FROM ${name} WHERE ${byKey}`
  return {
    put: (members: object): Statement => ({
      sql: put,
      values: rowOf(declaration, members as Readonly<Record<string, unknown>>),
    }),
    remove: (members: object): Statement => ({ sql: remove, values: keyValues(members) }),
    get: (members: object): Statement => ({ sql: `${select} WHERE ${byKey}`, values: keyValues(members) }),
    list: ({ where = {}, newestFirst, after, limit }: QueryOf<Declaration>): Statement => {
      const { conditions, values, add } = conditionsOf(where)
      const behind = newestFirst ? '<' : '>'
      if (after) conditions.push(`(${keyColumns.join(', ')}) ${behind} (${keyValues(after).map(add).join(', ')})`)
      const filter = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`
      const sorted = keyColumns.map((column) => (newestFirst ? `${column} DESC` : column))
      const order = `ORDER BY ${sorted.join(', ')} LIMIT ${add(limit)}`
      return { sql: `${select}${filter} ${order}`, values }
    },
    /** As text: engines differ in the type of a count. */
    count: ({ where = {}, limit }: Pick<QueryOf<Declaration>, 'where' | 'limit'>): Statement => {
      const { conditions, values, add } = conditionsOf(where)
      const filter = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`
      const some = `SELECT 1 FROM ${name}${filter} LIMIT ${add(limit)}`
      return { sql: `SELECT CAST(count(*) AS text) FROM (${some}) AS counted`, values }
    },
    /** The oldest ones: for records that have an `age`. */
    removeOld: (age: string, before: number, limit: number): Statement => ({
      sql: `DELETE FROM ${name} WHERE (${keyColumns.join(', ')}) IN (SELECT ${keyColumns.join(', ')} FROM ${name}
        WHERE ${sqlName(age)} < ? ORDER BY ${sqlName(age)} LIMIT ?)`,
      values: [before, limit],
    }),
    /** For records that have a column `chargePointId`. */
    ofChargePoint: `${select} WHERE charge_point_id = ? ORDER BY ${keyColumns.join(', ')}`,
    removeOfChargePoint: `DELETE FROM ${name} WHERE charge_point_id = ?`,
  }
}

/** Values of one list; longer ones are asked for in pieces. */
const MAX_VALUES = 1000

function conditionSql(
  declaration: Declaration,
  member: string,
  condition: Condition<unknown>,
  add: (value: RowValue) => string,
): readonly string[] {
  const column = sqlName(member)
  const value = (one: unknown): string => add(rowValue(declaration, member, one))
  if (typeof condition !== 'object' || condition === null) return [`${column} = ${value(condition)}`]
  if ('in' in condition) {
    const values = condition.in as readonly unknown[]
    if (values.length > MAX_VALUES) throw new RangeError(`A list of ${declaration.name} names too many values.`)
    return [values.length === 0 ? '1 = 0' : `${column} IN (${values.map(value).join(', ')})`]
  }
  const { from, below } = condition as { readonly from?: unknown; readonly below?: unknown }
  return [
    ...(from === undefined ? [] : [`${column} >= ${value(from)}`]),
    ...(below === undefined ? [] : [`${column} < ${value(below)}`]),
  ]
}

/** RECORD-D4 */
function requireIndex({ name, key, indexes }: Declaration, members: readonly string[]): void {
  const serves = (index: readonly string[]): boolean =>
    members.every((member) => index.slice(0, members.length).includes(member))
  if (![key, ...indexes].some(serves)) {
    throw new RangeError(`No index of ${name} begins with ${members.join(', ')}: the list would read every row.`)
  }
}
