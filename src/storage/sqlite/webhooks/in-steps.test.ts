import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { temporaryDatabase } from '../../../../test/support/storage/testing.ts'
import { aSubscription, NOW } from '../../../../test/support/storage-contract/records.ts'
import type { FileWritingSide } from '../../database.ts'
import { openSqlite, openSqliteReader } from '../writer.ts'

const ROWS = 1700

const database = temporaryDatabase()
let store: FileWritingSide
let reader: ReturnType<typeof openSqliteReader>
let raw: Database.Database

beforeEach(async () => {
  store = openSqlite(database.path)
  reader = openSqliteReader(database.path)
  raw = new Database(database.path)
  await store.writes.createAccount({ id: 'a', name: 'a', createdAt: NOW })
})
afterEach(() => {
  raw.close()
  reader.close()
  store.close()
  database.remove()
})

const subscribe = async (id: string, grantId?: string): Promise<void> => {
  const subscription = aSubscription({ id, accountId: 'a', url: `https://example.com/${id}` })
  await store.writes.createSubscription({ ...subscription, ...(grantId !== undefined && { grantId }) }, 16)
}
/** Before anything is due: only grants that ended are seen. */
const claim = () => store.writes.claimDeliveries({ now: NOW - 1, leaseUntil: NOW })
const answered410 = () => {
  raw.exec(`UPDATE webhook_deliveries SET state = 'in_flight', lease_until = ${NOW + 9} WHERE id = 'wh0'`)
  const attempt = { number: 2, at: NOW, durationMs: 1, url: 'https://example.com/', requestHeaders: {} }
  return store.writes.finishAttempts([{ deliveryId: 'wh0', subscriptionId: 'wh', attempt, state: 'gone' }], NOW)
}
/** Of two webhooks in turn, so that the positions of one have gaps. */
const fill = (state: string): void => {
  const insert = raw.prepare(`INSERT INTO webhook_deliveries
      (id, subscription_id, event_id, session_id, kind, state, attempts, due_at, created_at)
      VALUES (?, ?, 'e', 's', 'transition', ?, 1, ${NOW}, ${NOW})`)
  raw.transaction(() => {
    for (let row = 0; row < ROWS; row++) for (const id of ['wh', 'other']) insert.run(`${id}${row}`, id, state)
  })()
}
const counts = (id: string) =>
  Object.fromEntries(
    raw
      .prepare<[string], [string, number]>(
        'SELECT state, count(*) FROM webhook_deliveries WHERE subscription_id = ? GROUP BY state',
      )
      .raw()
      .all(id),
  )
/** Whether another write of the same thread was done before the change was. */
const letsOthersIn = async (change: Promise<unknown>): Promise<boolean> => {
  let changed = false
  void change.then(() => {
    changed = true
  })
  await new Promise((resolve) => setImmediate(resolve))
  await store.writes.updateAccount('a', { automaticSettlement: true })
  const first = !changed
  await change
  return first
}

it.each([
  [
    'a replay',
    'succeeded',
    'pending',
    () => store.writes.replayDeliveries({ subscriptionId: 'wh', from: NOW, to: NOW + 1, now: NOW + 5 }),
  ],
  ['a deletion', 'pending', 'cancelled', () => store.writes.deleteSubscription('wh', NOW)],
  ['disabling', 'pending', 'held', () => store.writes.disableSubscription('wh', 'owner', NOW)],
  ['enabling with what was held', 'held', 'pending', () => store.writes.enableSubscription('wh', 'held', NOW, 16)],
  ['enabling without it', 'held', 'cancelled', () => store.writes.enableSubscription('wh', 'skip', NOW, 16)],
] as const)('HOOK-F6: %s leaves charge points their turn', async (_, before, after, change) => {
  await subscribe('wh')
  await subscribe('other')
  fill(before)
  if (before === 'held') await store.writes.disableSubscription('wh', 'owner', NOW)
  expect(await letsOthersIn(change())).toBe(true)
  expect(counts('wh')).toEqual({ [after]: ROWS })
  expect(counts('other')).toEqual({ [before]: ROWS })
})

it('HOOK-R5, HOOK-F4: what fails while a webhook is enabled again is not left behind as held', async () => {
  await subscribe('wh')
  await subscribe('other')
  fill('held')
  raw.exec(`UPDATE webhook_deliveries SET state = 'in_flight' WHERE id = 'wh0'`)
  await store.writes.disableSubscription('wh', 'owner', NOW)
  const enabled = store.writes.enableSubscription('wh', 'skip', NOW, 16)
  const attempt = { number: 2, at: NOW, durationMs: 1, url: 'https://example.com/', requestHeaders: {} }
  await store.writes.finishAttempts(
    [{ deliveryId: 'wh0', subscriptionId: 'wh', attempt, state: 'pending', dueAt: NOW + 9 }],
    NOW,
  )
  expect(await enabled).toMatchObject({ status: 'active' })
  expect(counts('wh')).toEqual({ pending: 1, cancelled: ROWS - 1 })
})

it.each([
  ['a 410', undefined, 'disabled', 'held', () => answered410()],
  ['the end of its grant', 'ended', 'revoked', 'cancelled', () => claim()],
] as const)('HOOK-R5, HOOK-S3: %s ends a webhook at once', async (_, grantId, status, after, end) => {
  await subscribe('wh', grantId)
  await subscribe('other')
  fill('pending')
  await end()
  expect((await reader.findSubscription('wh'))?.status).toBe(status)
  expect(counts('wh').pending).toBeGreaterThan(ROWS - 2)
  expect(await letsOthersIn(store.writes.alignDeliveries(NOW, 'wh'))).toBe(true)
  expect([counts('wh'), counts('other')]).toEqual([{ [after]: ROWS }, { pending: ROWS }])
})

it('HOOK-S1, HOOK-F4: a deletion that a kill interrupted left a webhook that was disabled, with half of its events', async () => {
  await subscribe('wh')
  await subscribe('other')
  fill('pending')
  const killed = store.writes.deleteSubscription('wh', NOW)
  store.close()
  await expect(killed).rejects.toThrow()
  expect(await reader.findSubscription('wh')).toBeUndefined()
  expect(counts('wh').pending).toBeGreaterThan(0)
  store = openSqlite(database.path)
  await store.writes.alignDeliveries(NOW)
  expect([counts('wh'), counts('other')]).toEqual([{ cancelled: ROWS }, { pending: ROWS }])
})

it('HOOK-R5, HOOK-F4: an enabling that a kill interrupted left events held until they were given up', async () => {
  await subscribe('wh')
  await subscribe('other')
  fill('held')
  await store.writes.disableSubscription('other', 'owner', NOW)
  await store.writes.alignDeliveries(NOW)
  expect([counts('wh'), counts('other')]).toEqual([{ pending: ROWS }, { held: ROWS }])
})

it('HOOK-R5: what is disabled again while it is enabled keeps what is held', async () => {
  await subscribe('wh')
  await subscribe('other')
  fill('held')
  await store.writes.disableSubscription('wh', 'owner', NOW)
  const enabling = store.writes.enableSubscription('wh', 'held', NOW, 16)
  await store.writes.disableSubscription('wh', 'owner', NOW)
  await enabling
  expect(counts('wh').held).toBeGreaterThan(0)
  expect((await reader.listSubscriptions({ accountId: 'a' })).find(({ id }) => id === 'wh')?.status).toBe('disabled')
})
