import type { Database } from 'better-sqlite3'
import type { Steps } from '../../threads/turns.ts'
import { caseless } from '../cold/charge-point-lists.ts'
import type { Answer, Dialect, Run, Statement, Value, Values, Work } from '../cold/work.ts'
import { statementCache } from './reads/statements.ts'

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
  searched: 'commands_search',
  newDeliveryId: `'dlv_' || lower(hex(randomblob(16)))`,
  feed: { place: 'rowid', settled: 'TRUE' },
}

/** Defines `anyContains`. */
export function addWords(db: Database): void {
  db.function('any_contains', { deterministic: true, varargs: true }, (part: unknown, ...texts: readonly unknown[]) =>
    texts.some((text) => typeof text === 'string' && caseless(text).includes(String(part))) ? 1 : 0,
  )
}

/** Runs work within the current transaction, if any. */
export type Now = <T>(work: Work<T>) => T

export function worker(db: Database): Now {
  const answer = answering(db)
  return (work) => {
    let step = work.next()
    while (!step.done) step = work.next(answer(step.value))
    return step.value
  }
}

/** One statement per step, so that others' work comes between (SEARCH-Q12). */
export function stepper(db: Database): <T>(work: Work<T>) => Steps<T> {
  const answer = answering(db)
  return function* (work) {
    let step = work.next()
    while (!step.done) {
      step = work.next(answer(step.value))
      yield
    }
    return step.value
  }
}

function answering(db: Database): (statement: Statement) => Answer {
  const prepared = statementCache(db)
  return ({ sql, values, rows }) => {
    const statement = prepared(sql)
    if (rows === 'none') return { rows: [], changes: statement.run(...bound(values)).changes }
    return { rows: statement.raw(rows === 'arrays').all(...bound(values)), changes: 0 }
  }
}

export function readRun(now: Now): Run {
  return async (work) => now(work())
}

export function writeRun(db: Database, now: Now): Run {
  const transaction = db.transaction((work: () => Work<unknown>) => now(work()))
  return async <T>(work: () => Work<T>) => transaction.immediate(work) as T
}

/** A list is bound as a text for json_each. */
function bound(values: Values): readonly unknown[] {
  if (Array.isArray(values)) return (values as readonly Value[]).some(Array.isArray) ? values.map(asText) : values
  if (!Object.values(values).some(Array.isArray)) return [values]
  return [Object.fromEntries(Object.entries(values).map(([name, value]) => [name, asText(value)]))]
}

function asText(value: Value): Value {
  return Array.isArray(value) ? JSON.stringify(value) : value
}
