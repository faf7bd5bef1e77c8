import type { Database } from 'better-sqlite3'
import { afterAll, expect, it } from 'vitest'
import { temporaryDatabase } from '../../../test/support/storage/testing.ts'
import { sessionQueries } from './core-store.ts'
import { connectWriter } from './files/connection.ts'
import { migrateDatabase } from './files/migrate.ts'

const { path, remove } = temporaryDatabase()
const db = connectWriter(path)
migrateDatabase(db)
afterAll(() => {
  db.close()
  remove()
})

/** What is asked, without being carried out. */
function statementsOf(make: (db: Database) => unknown): readonly string[] {
  const asked: string[] = []
  make(
    new Proxy(db, {
      get: (target, name) =>
        name === 'prepare'
          ? (sql: string) => {
              asked.push(sql)
              return target.prepare(sql)
            }
          : Reflect.get(target, name),
    }),
  )
  return asked
}

it('STORE-B3: the boot of a charge point walked all sessions of its account', () => {
  const statements = statementsOf(sessionQueries)
  expect(statements.length).toBeGreaterThan(5)
  for (const sql of statements) {
    const values = sql.includes('@')
      ? [Object.fromEntries([...sql.matchAll(/@(\w+)/g)].map(([, name]) => [name, 1]))]
      : []
    const rows = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...values, ...(sql.match(/\?/g) ?? []).map(() => 1))
    const plan = (rows as { readonly detail: string }[]).map(({ detail }) => detail)
    expect(plan.filter((step) => /sessions?\b.*\(account_id=|SCAN (sessions?|transactions|found)$/.test(step))).toEqual(
      [],
    )
  }
})
