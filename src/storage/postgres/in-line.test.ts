import { afterAll, beforeAll, expect, it } from 'vitest'
import { emptyDatabase, type PostgresDatabase } from '../../../test/postgres/databases.ts'
import { aChargePoint, anIdToken, aSubscription, NOW } from '../../../test/support/storage-contract/records.ts'
import type { Writes } from '../../domain/ports/storage.ts'
import { coldWrites } from '../cold/cold-port.ts'
import { databaseAt } from '../open.ts'
import { postgresAddress } from './connection/address.ts'
import { createPool, type Pool } from './connection/pool.ts'
import { postgresDialect } from './dialect.ts'
import { watchRegistrations, writeRuns } from './writer.ts'

/** As many as a server has connections for, and more. */
const AT_ONCE = 24
const numbers = Array.from({ length: AT_ONCE }, (_, n) => n)

// STORE-N16: changes that come at once
let database: PostgresDatabase
let pools: readonly Pool[]
let servers: readonly { readonly writes: Pick<Writes, Changes>; readonly begunAgain: string[] }[]
beforeAll(async () => {
  database = await emptyDatabase()
  const store = await databaseAt(database.url).openStore()
  await store.writes.createAccount({ id: 'A', name: 'A', createdAt: NOW })
  await store.close()
  pools = [0, 1].map(() => createPool(postgresAddress(database.url), 6))
  servers = pools.map((pool, n) => {
    const begunAgain: string[] = []
    const watch = watchRegistrations(pool, `server ${n}`, () => () => undefined)
    const runOf = writeRuns(pool, async () => void begunAgain.push('again'), watch.count)
    return { writes: coldWrites(postgresDialect, runOf), begunAgain }
  })
})
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.close()))
  await database.drop()
})
const [of, all] = [(n: number) => servers[n % servers.length], Promise.all.bind(Promise)]

it('of nine webhooks to one address one is made, and the others are told that it exists', async () => {
  const made = await all(
    numbers
      .slice(0, 9)
      .map((n) => of(n)?.writes.createSubscription(aSubscription({ id: `W${n}`, secrets: [{ sealed: 's' }] }), 50)),
  )
  expect(made.toSorted()).toEqual(['created', ...Array.from({ length: 8 }, () => 'exists')])
})

it('webhooks to many addresses are all made', async () => {
  const made = await all(
    numbers.map((n) => {
      const url = `https://example.com/${n}`
      return of(n)?.writes.createSubscription(aSubscription({ id: `M${n}`, url, secrets: [{ sealed: 's' }] }), 50)
    }),
  )
  expect(new Set(made)).toEqual(new Set(['created']))
})

it('registrations at one server are not in the way of each other', async () => {
  const [server] = servers
  server?.begunAgain.splice(0)
  const made = await all(numbers.map((n) => server?.writes.createChargePoint(aChargePoint({ id: `CP${n}` }))))
  const cards = await all(numbers.map((n) => server?.writes.createIdToken(anIdToken({ id: `CARD${n}` }))))
  expect(new Set([...made, ...cards])).toEqual(new Set(['created']))
  expect(server?.begunAgain).toEqual([])
})

it('one charge point that two servers register is made once', async () => {
  const made = await all([0, 1].map((n) => of(n)?.writes.createChargePoint(aChargePoint({ id: 'TWICE' }))))
  expect(made.toSorted()).toEqual(['created', 'exists'])
})

type Changes = 'createSubscription' | 'createChargePoint' | 'createIdToken'
