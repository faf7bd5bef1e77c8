/** Limits over HTTP, through two servers that share a database. */
import { afterAll, expect, it } from 'vitest'
import { partner } from '../house.ts'
import { emptyDatabase, rowsOf, statement } from './databases.ts'
import { gateTo } from './gate.ts'
import { type NodeProcess, startNode } from './node.ts'

const RATE = 30

const database = await emptyDatabase()
const gate = await gateTo(database.url)
const nodes: NodeProcess[] = []
for (const name of ['one', 'two']) {
  nodes.push(await startNode(gate.url, name, { PILOTWIRE_RATE_API: String(RATE) }))
}
const credential = nodes[0]?.credential ?? ''
const servers = nodes.map(({ url }) => ({ ...partner(url, credential), url }))
afterAll(async () => {
  await Promise.all(nodes.map((node) => node.kill('SIGKILL')))
  await gate.close()
  await database.drop()
})

const either = (n: number) => servers[n % 2] as (typeof servers)[number]
/** As if a minute had passed. */
const refill = async (): Promise<void> => {
  await statement(database.url, 'DELETE FROM rate_buckets')
  for (const server of servers) {
    await expect.poll(async () => (await server.request('GET', '/2/id-tokens')).status).not.toBe(429)
  }
  await statement(database.url, 'DELETE FROM rate_buckets')
}

it('API-E2: an account has one rate, whichever of them is asked', async () => {
  await refill()
  const statuses: number[] = []
  for (let n = 0; n < RATE + 10; n++) {
    const { status, headers } = await either(n).request('GET', '/2/id-tokens')
    statuses.push(status)
    if (status === 429) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  }
  const granted = statuses.filter((status) => status === 200).length
  expect(granted).toBeGreaterThanOrEqual(RATE)
  // Those that come in while this test takes its time.
  expect(granted).toBeLessThan(RATE + 9)
  expect(statuses.at(-1)).toBe(429)
})

it('HOOK-S5: an order that reaches both at once with one key is carried out once', async () => {
  await refill()
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, n) =>
      fetch(`${either(n).url}/2/webhooks`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${credential}`,
          'content-type': 'application/json',
          'idempotency-key': 'order-7',
        },
        body: JSON.stringify({ url: 'http://localhost:3000/hook', events: ['session.updated'] }),
      }),
    ),
  )
  const statuses = answers.map(({ status }) => status)
  expect(statuses.filter((status) => status !== 201 && status !== 409)).toEqual([])
  const made = answers.filter(({ status, headers }) => status === 201 && headers.get('idempotent-replayed') === null)
  expect(made).toHaveLength(1)
  expect(await rowsOf(database.url, 'SELECT id FROM webhook_subscriptions')).toHaveLength(1)
  for (const answer of answers) await answer.body?.cancel()
})

it('STORE-R3: while the database is away requests are answered with 503, and at once as before when it is back', async () => {
  await refill()
  gate.shut()
  const away = await either(0).request('GET', '/2/id-tokens')
  expect(away).toMatchObject({ status: 503, body: { code: 'storage_unavailable' } })
  gate.open()
  await expect.poll(async () => (await either(0).request('GET', '/2/id-tokens')).status).toBe(200)
  const [row] = await rowsOf<{ buckets: string }>(database.url, 'SELECT count(*) AS buckets FROM rate_buckets')
  expect(Number(row?.buckets)).toBeGreaterThan(0)
})
