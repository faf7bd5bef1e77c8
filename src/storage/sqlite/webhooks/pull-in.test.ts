import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { temporaryDatabase } from '../../../../test/support/storage/testing.ts'
import { aSubscription, NOW } from '../../../../test/support/storage-contract/records.ts'
import type { FileWritingSide } from '../../database.ts'
import { openSqlite } from '../writer.ts'

const HOUR = 3_600_000
/** More than two steps. */
const ROWS = 1201

// HOOK-F7: what waits when the clock was put back
const database = temporaryDatabase()
let store: FileWritingSide
let raw: Database.Database

beforeEach(async () => {
  store = openSqlite(database.path)
  raw = new Database(database.path)
  await store.writes.createAccount({ id: 'a', name: 'a', createdAt: NOW })
  await store.writes.createSubscription(aSubscription({ accountId: 'a' }), 16)
})
afterEach(() => {
  raw.close()
  store.close()
  database.remove()
})

const put = (id: string, row: { attempts: number; dueAt: number; delayMs: number | null }): void => {
  raw
    .prepare(`INSERT INTO webhook_deliveries
        (id, subscription_id, event_id, session_id, kind, state, attempts, due_at, delay_ms, created_at)
        VALUES (?, 'wh', 'e', 's', 'transition', 'pending', ?, ?, ?, ?)`)
    .run(id, row.attempts, row.dueAt, row.delayMs, NOW)
}
const dueIn = (now: number) =>
  raw
    .prepare<[], [string, number]>(`SELECT id, due_at - ${now} FROM webhook_deliveries ORDER BY due_at, position`)
    .raw()
    .all()

it('is due earlier by as much, in its order, however much it is; what was due is due', async () => {
  raw.transaction(() => {
    for (let row = 0; row < ROWS; row++) put(`d${row}`, { attempts: 1, dueAt: NOW + row * 10, delayMs: HOUR })
  })()
  await store.writes.pullInDeliveries({ now: NOW + 5000 - HOUR, backMs: HOUR })
  const due = dueIn(NOW + 5000 - HOUR)
  expect(due.map(([id]) => id)).toEqual(Array.from({ length: ROWS }, (_, row) => `d${row}`))
  expect(due.map(([, ms]) => ms)).toEqual(Array.from({ length: ROWS }, (_, row) => Math.max(-2000, row * 10 - 5000)))
})

it('waits no longer than was planned where nobody saw the clock go back, and what keeps to its plan stays', async () => {
  put('kept', { attempts: 1, dueAt: NOW + 900, delayMs: 1000 })
  put('retry', { attempts: 1, dueAt: NOW + HOUR, delayMs: 2000 })
  put('event', { attempts: 0, dueAt: NOW + HOUR, delayMs: null })
  put('of an older version', { attempts: 3, dueAt: NOW + 99 * HOUR, delayMs: null })
  put('of an older version, in time', { attempts: 3, dueAt: NOW + 20 * HOUR, delayMs: null })
  await store.writes.pullInDeliveries({ now: NOW, backMs: 0 })
  expect(dueIn(NOW)).toEqual([
    ['event', 0],
    ['kept', 900],
    ['retry', 2000],
    ['of an older version, in time', 20 * HOUR],
    ['of an older version', 28.8 * HOUR],
  ])
})

it('HOOK-F4: a lease ends after as long as it was given for', async () => {
  put('d', { attempts: 0, dueAt: NOW, delayMs: null })
  raw.exec(`UPDATE webhook_deliveries SET state = 'in_flight', lease_until = ${NOW + 1000}`)
  const back = NOW - HOUR
  await store.writes.pullInDeliveries({ now: back, backMs: HOUR })
  const state = () => raw.prepare('SELECT state FROM webhook_deliveries').pluck().get()
  await store.writes.claimDeliveries({ now: back + 1000, leaseUntil: NOW })
  expect(state()).toBe('in_flight')
  raw.exec(`UPDATE webhook_subscriptions SET status = 'disabled'`)
  await store.writes.claimDeliveries({ now: back + 1001, leaseUntil: NOW })
  expect(state()).toBe('pending')
})

it('HOOK-S6: what a receiver allows in a minute it is not sent twice', async () => {
  raw.exec(`UPDATE webhook_subscriptions SET rate_per_minute = 1, rate_spent = '[[${Math.floor(NOW / 5000)},1]]'`)
  put('d', { attempts: 0, dueAt: NOW - HOUR, delayMs: null })
  await store.writes.pullInDeliveries({ now: NOW - HOUR, backMs: HOUR })
  const { deliveries } = await store.writes.claimDeliveries({ now: NOW - HOUR, leaseUntil: NOW })
  expect(deliveries).toEqual([])
})

it('HOOK-R5: days of failures are counted from the clock that is there', async () => {
  raw.exec(`UPDATE webhook_subscriptions SET failing_since = ${NOW + HOUR}`)
  await store.writes.pullInDeliveries({ now: NOW, backMs: 0 })
  expect(raw.prepare('SELECT failing_since FROM webhook_subscriptions').pluck().get()).toBe(NOW)
})
