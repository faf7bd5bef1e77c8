import type { Database } from 'better-sqlite3'
import { caseless } from '../cold/charge-point-lists.ts'
import type { Dialect } from '../cold/work.ts'

export const sqliteDialect: Dialect = {
  among: (column, parameter) => `${column} IN (SELECT value FROM json_each(${parameter}))`,
  caseless: (text) => `${text} COLLATE NOCASE`,
  contains: (text, part) => `instr(${text}, ${part}) > 0`,
  anyContains: (parameter, columns) => `any_contains(${parameter}, ${columns.join(', ')})`,
  least: (...values) => `min(${values.join(', ')})`,
  greatest: (...values) => `max(${values.join(', ')})`,
  textMember: (document, name) => `${document} ->> '$.${name}'`,
  memberNamed: (document, name) => `${document} ->> ('$."' || ${name} || '"')`,
  numberMember: (document, name) => `${document} ->> '$.${name}'`,
  numberAt: (list, place) => `${list} ->> '$[${place}]'`,
  hasMember: (document, key, value) =>
    `EXISTS (SELECT 1 FROM json_each(${document}) AS member WHERE member.key = ${key} AND member.value = ${value})`,
  holds: (list, value) => `EXISTS (SELECT 1 FROM json_each(${list}) AS listed WHERE listed.value = ${value})`,
  by: (index) => `INDEXED BY ${index}`,
  newDeliveryId: `'dlv_' || lower(hex(randomblob(16)))`,
  feed: { place: 'rowid', settled: 'TRUE' },
}

/** Defines `anyContains`. */
export function addWords(db: Database): void {
  db.function('any_contains', { deterministic: true, varargs: true }, (part: unknown, ...texts: readonly unknown[]) =>
    texts.some((text) => typeof text === 'string' && caseless(text).includes(String(part))) ? 1 : 0,
  )
}
