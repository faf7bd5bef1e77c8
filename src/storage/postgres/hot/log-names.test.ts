import { afterAll, beforeAll, expect, it } from 'vitest'
import { emptyDatabase, type PostgresDatabase, rowsOf } from '../../../../test/postgres/databases.ts'
import { aCommand, changeSet } from '../../../../test/support/storage-contract/records.ts'
import { postgresAddress } from '../connection/address.ts'
import { createPool, type Pool } from '../connection/pool.ts'
import { LogNames } from './log-names.ts'

let database: PostgresDatabase
let pool: Pool
beforeAll(async () => {
  database = await emptyDatabase()
  pool = createPool(postgresAddress(database.url), 2)
})
afterAll(async () => {
  await pool.close()
  await database.drop()
})

it('STORE-N5: two nodes that meet a name at once give it one number, whatever stands in it', async () => {
  const names = ['Heartbeat', 'odd \0 \ud800', 'x'.repeat(20_000)]
  const sets = names.map((method, n) => changeSet({ command: aCommand(n, { method }) }))
  const nodes = [new LogNames(pool), new LogNames(pool)]
  expect(nodes.map((node) => node.knows(sets))).toEqual([false, false])
  await Promise.all(nodes.map((node) => node.learn(sets)))
  expect(nodes.map((node) => node.knows(sets))).toEqual([true, true])
  const [one, other] = nodes.map((node) => names.map((name) => node.methodKey(name)))
  expect(one).toEqual(other)
  expect(new Set(one).size).toBe(names.length)
  expect(await rowsOf(database.url, 'SELECT key FROM log_methods')).toHaveLength(names.length)
  nodes[0]?.forget()
  expect(nodes[0]?.knows(sets)).toBe(false)
})
