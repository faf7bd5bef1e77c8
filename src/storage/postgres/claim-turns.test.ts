import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { empty, emptyDatabase, type PostgresDatabase } from '../../../test/postgres/databases.ts'
import { anEvent, aSubscription, changeSet, NOW } from '../../../test/support/storage-contract/records.ts'
import { newUuid } from '../../domain/message-log/log-id.ts'
import { coldWrites } from '../cold/cold-port.ts'
import { databaseAt } from '../open.ts'
import { postgresAddress } from './connection/address.ts'
import { createPool, type Pool } from './connection/pool.ts'
import { Session } from './connection/session.ts'
import { postgresDialect } from './dialect.ts'
import { writeRuns } from './writer.ts'

const EVENTS = 120
/** Advisory locks are each database's own. */
const WAITING = `SELECT count(*) FROM pg_locks WHERE NOT granted AND locktype = 'advisory'
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`

// HOOK-F8: servers that claim webhooks at once
let database: PostgresDatabase
beforeAll(async () => {
  database = await emptyDatabase()
})
afterAll(() => database.drop())
beforeEach(() => empty(database))

/** One receiver, and events of as many sessions. */
const emitted = async (count: number): Promise<void> => {
  const store = await databaseAt(database.url).openStore()
  await store.writes.createAccount({ id: 'A', name: 'A', createdAt: NOW })
  await store.writes.createSubscription(aSubscription({ secrets: [{ sealed: 's' }] }), 9)
  for (let n = 0; n < count; n++) {
    const event = anEvent({ id: newUuid(NOW, randomBytes), subject: `S${n}`, orderKey: `S${n}` })
    await store.core.commit([changeSet({ events: [event] })])
  }
  await store.close()
}
const server = (begunAgain: string[]) => {
  const pool = createPool(postgresAddress(database.url), 2)
  const writes = coldWrites(postgresDialect, (name, args) => {
    const pause = async (): Promise<void> => void begunAgain.push(name)
    return writeRuns(pool, pause, async () => undefined)(name, args)
  })
  return { pool, writes }
}
const claimed = async ({ writes }: ReturnType<typeof server>) =>
  (await writes.claimDeliveries({ now: NOW, leaseUntil: NOW + 60_000 })).deliveries
const closeAll = (pools: readonly Pool[]): Promise<unknown> => Promise.all(pools.map((pool) => pool.close()))

it('one that waited for its turn takes what is left, without beginning again', async () => {
  await emitted(2)
  const begunAgain: string[] = []
  const waiting = server(begunAgain)
  const first = await Session.open(postgresAddress(database.url))
  await first.run('BEGIN')
  await first.rows(postgresDialect.lockClaims?.sql ?? '')
  const turn = claimed(waiting)
  await expect.poll(() => waiting.pool.value<number>(WAITING)).toBe(1)
  const taken = await first.value<string>(
    `UPDATE webhook_deliveries SET state = 'in_flight', lease_until = ${NOW + 60_000}
       WHERE position = (SELECT min(position) FROM webhook_deliveries) RETURNING id`,
  )
  await first.run('COMMIT')
  const deliveries = await turn
  expect(deliveries).toHaveLength(1)
  expect(deliveries[0]?.id).not.toBe(taken)
  expect(begunAgain).toEqual([])
  await closeAll([waiting.pool])
  await first.end()
})

it('three take everything of one host, each of it once, and no claim begins again', async () => {
  await emitted(EVENTS)
  const begunAgain: string[] = []
  const servers = [server(begunAgain), server(begunAgain), server(begunAgain)]
  const taken: string[] = []
  await Promise.all(
    servers.map(async (one) => {
      while (taken.length < EVENTS) {
        const deliveries = await claimed(one)
        taken.push(...deliveries.map(({ id }) => id))
        const attempt = { number: 1, at: NOW, durationMs: 1, url: 'https://example.com/', status: 200 }
        await one.writes.finishAttempts(
          deliveries.map(({ id: deliveryId, subscriptionId }) => ({
            deliveryId,
            subscriptionId,
            attempt: { ...attempt, requestHeaders: {} },
            state: 'succeeded' as const,
          })),
          NOW + 1,
        )
      }
    }),
  )
  expect(new Set(taken).size).toBe(EVENTS)
  expect(taken).toHaveLength(EVENTS)
  expect(begunAgain.filter((name) => name === 'claimDeliveries')).toEqual([])
  await closeAll(servers.map(({ pool }) => pool))
})
