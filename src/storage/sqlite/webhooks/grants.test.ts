import { randomBytes } from 'node:crypto'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { temporaryDatabase } from '../../../../test/support/storage/testing.ts'
import { aChargePoint, anEvent, aSubscription, NOW } from '../../../../test/support/storage-contract/records.ts'
import { newUuid } from '../../../domain/message-log/log-id.ts'
import type { FileWritingSide } from '../../database.ts'
import { openSqlite, openSqliteReader } from '../writer.ts'

const database = temporaryDatabase()
let store: FileWritingSide
let reader: ReturnType<typeof openSqliteReader>
let raw: Database.Database

beforeEach(async () => {
  store = openSqlite(database.path)
  reader = openSqliteReader(database.path)
  raw = new Database(database.path)
  await store.writes.createAccount({ id: 'a', name: 'a', createdAt: NOW })
  raw.exec(`INSERT INTO users (id, account_id, email, role, password_hash, created_at)
      VALUES ('u', 'a', 'u@example.com', 'member', '-', 1)`)
  raw.exec(`INSERT INTO oauth_clients (id, kind, application_type, name, redirect_uris, post_logout_redirect_uris,
      scopes, grant_types, origin, links, created_at) VALUES ('c', 'public', 'web', 'c', '[]', '[]', '[]', '[]', 'dynamic', '{}', 1)`)
  raw.exec(`INSERT INTO grants (id, account_id, user_id, client_id, scopes, charge_points, created_at, updated_at)
      VALUES ('g', 'a', 'u', 'c', '["sessions:read","webhooks:manage"]', '["A"]', 1, 1)`)
  await store.writes.createSubscription(aSubscription({ accountId: 'a', grantId: 'g' }), 16)
  for (const id of ['A', 'B']) await store.writes.createChargePoint(aChargePoint({ id, accountId: 'a' }))
})
afterEach(() => {
  raw.close()
  reader.close()
  store.close()
  database.remove()
})

const emit = async (chargePointId: string): Promise<void> => {
  const event = anEvent({
    id: newUuid(NOW, randomBytes),
    accountId: 'a',
    subject: `s-${chargePointId}`,
    chargePointId,
  })
  await store.core.commit([{ chargePointId, events: [event] }])
}
const claim = async () => {
  const { deliveries, revoked } = await store.writes.claimDeliveries({ now: NOW + 1000, leaseUntil: NOW + 60_000 })
  for (const id of revoked) await store.writes.alignDeliveries(NOW + 1000, id)
  return deliveries
}
const states = async () => (await reader.listDeliveries({ subscriptionId: 'wh', limit: 100 })).map(({ state }) => state)

it('HOOK-S3: A is shared, sessions on A and B: only A arrives', async () => {
  await emit('A')
  await emit('B')
  expect(await claim()).toHaveLength(1)
  expect(await states()).toEqual(['in_flight'])
})

it('HOOK-S3: a grant that shares all charge points shares future ones', async () => {
  raw.exec(`UPDATE grants SET charge_points = '"all"'`)
  await emit('Z')
  expect(await claim()).toHaveLength(1)
})

it('HOOK-S3: revoked between failure and retry: nothing more is sent, the subscription is revoked', async () => {
  await emit('A')
  raw.exec('UPDATE grants SET revoked_at = 5')
  expect(await claim()).toEqual([])
  expect(await states()).toEqual(['cancelled'])
  expect((await reader.findSubscription('wh'))?.status).toBe('revoked')
  await emit('A')
  expect(await states()).toEqual(['cancelled'])
})

it.each([{ state: 'pending', dueAt: NOW + 5000 }, { state: 'failed' }, { state: 'succeeded' }] as const)(
  'HOOK-S3, HOOK-F4: revoked while it is sent, an attempt that ends as $state waits for nothing',
  async (outcome) => {
    await emit('A')
    const [delivery] = await claim()
    raw.exec('UPDATE grants SET revoked_at = 5')
    expect(await claim()).toEqual([])
    const attempt = { number: 1, at: NOW, durationMs: 1, url: 'https://example.com/', requestHeaders: {} }
    await store.writes.finishAttempts(
      [{ deliveryId: delivery?.id ?? '', subscriptionId: 'wh', attempt, ...outcome }],
      NOW + 2000,
    )
    expect(await states()).toEqual([outcome.state === 'succeeded' ? 'succeeded' : 'cancelled'])
    expect(await reader.deliveryStatistics(NOW + 9000)).toMatchObject({ due: 0, waiting: 0, inFlight: 0 })
  },
)

it.each([
  ['narrowed to another charge point', `UPDATE grants SET charge_points = '["B"]'`],
  ['without sessions:read', `UPDATE grants SET scopes = '["webhooks:manage"]'`],
  ['without webhooks:manage', `UPDATE grants SET scopes = '["sessions:read"]'`],
  ['of a disabled user', 'UPDATE users SET disabled_at = 5'],
  ['of a disabled application', 'UPDATE oauth_clients SET disabled_at = 5'],
])('HOOK-S3: a grant %s after the event: nothing is sent', async (_, change) => {
  await emit('A')
  raw.exec(change)
  expect(await claim()).toEqual([])
  expect(await states()).toEqual(['cancelled'])
  expect((await reader.findSubscription('wh'))?.status).toBe('active')
})

it('HOOK-F1: a grant is an owner beside its account: neither takes the other’s places', async () => {
  for (let index = 0; index < 16; index++) {
    const url = `https://own${index}.example/`
    await store.writes.createSubscription(aSubscription({ id: `own${index}`, accountId: 'a', url }), 16)
  }
  for (let index = 0; index < 4; index++) {
    const event = { id: newUuid(NOW, randomBytes), accountId: 'a', subject: `s${index}`, chargePointId: 'A' }
    await store.core.commit([{ chargePointId: 'A', events: [anEvent(event)] }])
  }
  const claimed = await claim()
  expect(claimed.filter(({ subscriptionId }) => subscriptionId === 'wh')).toHaveLength(4)
  expect(claimed.length).toBeGreaterThan(16)
  expect(claimed.length).toBeLessThanOrEqual(20)
  expect(await claim()).toEqual([])
})

it('HOOK-S3: an expired refresh token alone stops nothing', async () => {
  raw.exec(`INSERT INTO refresh_tokens (hash, family_id, grant_id, client_id, user_id, scopes, auth_time, sid, issued_at,
      expires_at, absolute_expires_at) VALUES ('h', 'f', 'g', 'c', 'u', '[]', 1, 's', 1, 2, 2)`)
  await emit('A')
  expect(await claim()).toHaveLength(1)
})

it('HOOK-S3: an account’s list of its grants’ subscriptions, page by page, without its own and the revoked ones', async () => {
  const first = await reader.findSubscription('wh')
  if (!first) throw new Error('not found')
  const { grantId: _, ...own } = first
  await store.writes.createSubscription({ ...own, id: 'a-own' }, 16)
  for (const id of ['wh2', 'wh3', 'wh4']) {
    await store.writes.createSubscription({ ...first, id, url: `https://example.com/${id}` }, 16)
  }
  raw.exec(`UPDATE webhook_subscriptions SET status = 'revoked' WHERE id = 'wh3'`)
  const page = async (afterId?: string) =>
    (await reader.listGrantSubscriptions({ accountId: 'a', limit: 2, afterId })).map(({ id }) => id)
  expect(await page()).toEqual(['wh', 'wh2'])
  expect(await page('wh2')).toEqual(['wh4'])
  expect(await reader.listGrantSubscriptions({ accountId: 'b', limit: 9 })).toEqual([])
})
