/** Cold operations on SQLite: each statement is done before the next is requested, so nothing comes in between. */
import type { Database } from 'better-sqlite3'
import type { Steps } from '../../threads/turns.ts'
import type { Answer, Run, Statement, Value, Values, Work } from '../cold/work.ts'
import { statementCache } from './reads/statements.ts'

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
