/** A record as the values of its row, and back. The same in every engine: numbers, texts and nothing. */
import type { Declaration, OlderRecord } from './record.ts'

export type RowValue = number | string | null

/** In the order of the columns, behind the version of the record, if its rows say one (RECORD-D3). */
export function rowOf(declaration: Declaration, members: Readonly<Record<string, unknown>>): readonly RowValue[] {
  const row: RowValue[] = declaration.unversioned ? [] : [declaration.version]
  for (const name in declaration.columns) row.push(rowValue(declaration, name, members[name]))
  return row
}

/** @throws RangeError for a number that is none: engines would store it as nothing */
export function rowValue({ name, columns }: Declaration, member: string, value: unknown): RowValue {
  const column = columns[member]
  if (!column) throw new RangeError(`The record ${name} has no ${member}.`)
  if (value === undefined) {
    if (column.isOptional) return null
    throw new RangeError(`The record ${name} needs its ${member}.`)
  }
  switch (column.type) {
    case 'integer':
      if (!Number.isSafeInteger(value)) throw new RangeError(`The ${member} of ${name} is not a whole number.`)
      return value as number
    case 'flag':
      return value === true ? 1 : 0
    case 'text':
      return String(value)
    case 'json':
      return JSON.stringify(value)
  }
}

/** @param values as `rowOf` makes them @returns as the newest version has it; a member that is absent is absent */
export function recordOf(declaration: Declaration, row: readonly RowValue[]): OlderRecord {
  const [version, ...values] = declaration.unversioned ? [declaration.version, ...row] : row
  const { name, columns, upgrades } = declaration
  const stored = Number(version)
  if (stored > declaration.version) throw new Error(`A row of ${name} was written by a newer version: ${stored}.`)
  const found: Record<string, unknown> = {}
  Object.entries(columns).forEach(([member, { type }], at) => {
    const value = values[at]
    if (value === null || value === undefined) return
    found[member] = type === 'json' ? (JSON.parse(String(value)) as unknown) : type === 'flag' ? value === 1 : value
  })
  return upgrades.slice(stored - 1).reduce((older, upgrade) => upgrade(older), found as OlderRecord)
}
