import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { temporaryDatabase } from '../../../../test/support/storage/testing.ts'
import { aSubscription, NOW } from '../../../../test/support/storage-contract/records.ts'
import { behindEvent, feedSql, RARE, USUAL } from '../../cold/webhooks/reads.ts'
import type { FileWritingSide } from '../../database.ts'
import { sqliteDialect } from '../dialect.ts'
import { openSqlite } from '../writer.ts'

const database = temporaryDatabase()
let store: FileWritingSide
let raw: Database.Database

beforeEach(() => {
  store = openSqlite(database.path)
  raw = new Database(database.path)
})
afterEach(() => {
  raw.close()
  store.close()
  database.remove()
})

it.each([
  ['session.updated', USUAL, 'events_account (account_id=? AND rowid>?)'],
  ['door.opened', RARE, 'events_rare_type (account_id=? AND type=? AND rowid>?)'],
])('HOOK-E3: the feed of %s does not walk through every event of the account', (type, narrowed, index) => {
  const parameters = { accountId: 'a', afterId: 'e', oldest: '', type, limit: 9 }
  const feed = feedSql(sqliteDialect, [behindEvent(sqliteDialect), narrowed])
  const plan = raw.prepare<[object], { detail: string }>(`EXPLAIN QUERY PLAN ${feed}`).all(parameters)
  expect(plan.map(({ detail }) => detail).join()).toContain(index)
  expect(plan.map(({ detail }) => detail).join()).not.toContain('TEMP B-TREE')
})

it('HOOK-E2: a subscription and an event of an older version are of session.updated', async () => {
  await store.writes.createAccount({ id: 'a', name: 'a', createdAt: NOW })
  raw.exec(`INSERT INTO webhook_subscriptions (id, account_id, url, updates, status, secrets, consecutive_failures,
      attempts_since_success, created_at) VALUES ('old', 'a', 'https://a.example/', 'all', 'active', '[]', 0, 0, 1)`)
  const made = await store.writes.createSubscription(aSubscription({ accountId: 'a', url: 'https://a.example/' }), 16)
  expect(made).toBe('exists')
  expect(raw.prepare('SELECT events FROM webhook_subscriptions').pluck().get()).toBe('["session.updated"]')
  raw.exec(`INSERT INTO events (id, account_id, session_id, charge_point_id, kind, time, body, causes)
    VALUES ('e', 'a', 's', 'CP1', 'figures', 1, '{}', '[]')`)
  expect(raw.prepare('SELECT type FROM events').pluck().get()).toBe('session.updated')
})
