import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { emptyDatabase, rowsOf, statement } from '../../../../test/postgres/databases.ts'
import { type Gate, gateTo } from '../../../../test/postgres/gate.ts'
import { describeLimits, placeOf } from '../../../../test/support/storage-contract/limits.ts'
import type { Limits } from '../../../domain/ports/limits.ts'
import { limitsInMemory } from '../../../limits/limits.ts'
import type { SharedLimits } from '../../database.ts'
import { postgresAddress } from '../connection/address.ts'
import { after } from '../writer.ts'
import { postgresLimits } from './limits.ts'

const HOUR_MS = 3_600_000
const bucket = (key: string, tokens: number, most = 10) => ({ key, most, perMs: HOUR_MS, tokens })

let opened: SharedLimits[] = []
let ahead = 0
const now = (): number => Date.now() + ahead

const node = (url = database.url): Limits => {
  const one = postgresLimits(postgresAddress(url), { alone: limitsInMemory(now), now }, after)
  opened.push(one)
  return one.limits
}
const closeAll = async (): Promise<void> => {
  await Promise.all(opened.map((one) => one.close()))
  opened = []
  await statement(database.url, 'DELETE FROM rate_buckets; DELETE FROM limit_places')
}
/** Whatever is stored is older by so much. */
const pass = async (ms: number): Promise<void> => {
  ahead += ms
  await statement(
    database.url,
    `UPDATE rate_buckets SET at = at - ${ms}, full_at = full_at - ${ms};
     UPDATE limit_places SET since = since - ${ms}, lease_until = lease_until - ${ms}`,
  )
}
const taken = async (limits: Limits, ...[purpose, requested]: Parameters<Limits['take']>): Promise<boolean> =>
  (await limits.take(purpose, requested)).taken

/** One database for all of these tests, which follow each other. */
const database = await emptyDatabase()
afterAll(() => database.drop())

describeLimits('PostgreSQL', () => ({ limits: node(), pass, close: closeAll }))

it('STORE-R1: attempts are counted together, whichever node they come to', async () => {
  const nodes = [node(), node(), node()]
  let granted = 0
  for (let n = 0; n < 15; n++) {
    if (await taken(nodes[n % 3] as Limits, 'attempts', [bucket('sign-in', 1)])) granted++
  }
  expect(granted).toBe(10)
  await closeAll()
})

it('STORE-R1: nodes that take at once from buckets in any order neither fail nor give too much', async () => {
  const nodes = [node(), node()]
  const all = await Promise.all(
    Array.from({ length: 300 }, (_, n) =>
      taken(
        nodes[n % 2] as Limits,
        'calls',
        n % 3 === 0 ? [bucket('a', 1, 90), bucket('b', 1, 500)] : [bucket('b', 1, 500), bucket('a', 1, 90)],
      ),
    ),
  )
  expect(all.filter(Boolean)).toHaveLength(90)
  await closeAll()
})

it('STORE-R2: most requests cost no journey, a refused flood costs none, and no more is given than there is', async () => {
  const gate = await gateTo(database.url)
  const nodes = [node(gate.url), node(gate.url)]
  const granted = async (limits: Limits | undefined, times: number): Promise<number> => {
    let count = 0
    for (let n = 0; n < times; n++)
      if (await limits?.take('account', [bucket('acc', 1, 400)]).then((one) => one.taken)) count++
    return count
  }
  const first = await granted(nodes[0], 200)
  expect(first).toBe(200)
  expect(gate.sent()).toBeLessThan(100)
  // A fortieth of the bucket may lie with the other one, which does not ask for it.
  const rest = await granted(nodes[1], 200)
  expect(rest).toBeGreaterThanOrEqual(200 - 10)
  const before = gate.sent()
  expect(await granted(nodes[1], 1000)).toBeLessThanOrEqual(200 - rest)
  expect(gate.sent() - before).toBeLessThan(100)
  await closeAll()
  await gate.close()
})

it('STORE-R4: a place is the installation’s, and free once its lease has run out', async () => {
  const [one, other] = [node(), node()]
  const place = placeOf(await one.occupy('key "k"', 1, 'a'))
  expect(await other.occupy('key "k"', 1, 'b')).toMatchObject([{ reported: 'a' }])
  place.free()
  await expect.poll(async () => 'free' in (await other.occupy('key "k"', 1, 'b'))).toBe(true)
  expect(await one.occupy('key "k"', 1, 'a')).toMatchObject([{ reported: 'b' }])
  await pass(31_000)
  expect('free' in (await one.occupy('key "k"', 1, 'a'))).toBe(true)
  await closeAll()
})

it('STORE-R1: nobody reads in the database who was limited', async () => {
  await node().take('attempts', [bucket('sign-in ada@example.com 192.0.2.7', 1)])
  const rows = await rowsOf<{ key: string }>(database.url, 'SELECT key FROM rate_buckets')
  expect(rows.map(({ key }) => key)).toEqual([expect.stringMatching(/^[\w-]{43}$/)])
  await closeAll()
})

it('STORE-R1: neither table is written to the log of the database', async () => {
  const rows = await rowsOf(
    database.url,
    `SELECT relname::text AS name, relpersistence::text AS kind FROM pg_class
       WHERE relname IN ('rate_buckets', 'limit_places') ORDER BY 1`,
  )
  expect(rows).toEqual([
    { name: 'limit_places', kind: 'u' },
    { name: 'rate_buckets', kind: 'u' },
  ])
})

describe('limits while the database is away', () => {
  let gate: Gate
  beforeAll(async () => {
    gate = await gateTo(database.url)
  })
  afterAll(() => gate.close())

  it('STORE-R3: requests are counted by each node alone, attempts, calls and keys are refused, until it is back', async () => {
    const limits = node(gate.url)
    expect(await taken(limits, 'account', [bucket('acc', 4)])).toBe(true)
    gate.shut()
    for (const purpose of ['attempts', 'calls'] as const) {
      await expect(limits.take(purpose, [bucket('a', 1)])).rejects.toMatchObject({ code: 'storage_busy' })
    }
    await expect(limits.occupy('key "k"', 1, 'a')).rejects.toMatchObject({ code: 'storage_busy' })
    expect(await taken(limits, 'account', [bucket('acc', 9)])).toBe(true)
    expect(await taken(limits, 'account', [bucket('acc', 2)])).toBe(false)
    expect(await taken(node(gate.url), 'address', [bucket('192.0.2.7', 10)])).toBe(true)
    gate.open()
    await expect.poll(() => taken(limits, 'attempts', [bucket('b', 1)]).catch(() => false)).toBe(true)
    expect(await taken(limits, 'account', [bucket('acc', 7)])).toBe(false)
    expect(await taken(limits, 'account', [bucket('acc', 6)])).toBe(true)
    await closeAll()
  })

  it('STORE-R3: one that does not answer is given up, and asked again by itself', async () => {
    const limits = node(gate.url)
    expect(await taken(limits, 'account', [bucket('acc', 10)])).toBe(true)
    gate.stall()
    await expect(limits.take('attempts', [bucket('a', 1)])).rejects.toMatchObject({ code: 'storage_busy' })
    expect(await taken(limits, 'account', [bucket('acc', 10)])).toBe(true)
    gate.open()
    // Together again: the shared bucket is empty.
    await expect.poll(() => taken(limits, 'account', [bucket('other', 1), bucket('acc', 1)])).toBe(false)
    await closeAll()
  })
})
