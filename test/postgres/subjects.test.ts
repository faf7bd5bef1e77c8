/** What an operator orders, on PostgreSQL: bulk orders, local lists and reports. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ChargePoint } from '../../simulator/index.ts'
import type { Mail } from '../../src/application/alerts/mailer.ts'
import { makeDue, sendDue } from '../../src/application/reports/start-reports.ts'
import { systemClock } from '../../src/server/system.ts'
import { databaseAt } from '../../src/storage/open.ts'
import type { ApiAnswer, Json } from '../house.ts'
import { type Nodes, openNodes } from './nodes.ts'

let installation: Nodes
const stations: ChargePoint[] = []

const ask = (method: string, path: string, body?: unknown): Promise<ApiAnswer> => {
  const [node] = installation.nodes
  if (!node) throw new Error('There is no node.')
  return node.request(method, path, body)
}
const found = async (path: string): Promise<Json> => (await ask('GET', path)).body

beforeAll(async () => {
  installation = await openNodes(1, {
    PILOTWIRE_SMTP_URL: 'smtp://127.0.0.1:9',
    PILOTWIRE_MAIL_FROM: 'p@example.com',
  })
  for (const [id, ocpp] of [
    ['OLD', '1.6'],
    ['NEW', '2.0.1'],
  ] as const) {
    const url = String(installation.nodes[0]?.ocppUrl)
    const station = await ChargePoint.connect({ url, id, ocpp, speed: 20, seed: 1 })
    await station.boot()
    stations.push(station)
  }
})
afterAll(async () => {
  for (const { station } of stations) await station.powerOff()
  await installation.close()
})

it('BULK-B1, BULK-B7: a bulk order is carried out, shown with its rows and its counts, and listed', async () => {
  const order = { selector: {}, order: { kind: 'label', labels: { site: 'North' } } }
  const { status, body } = await ask('POST', '/2/bulk-orders', order)
  expect([status, body.total]).toEqual([202, 2])
  await expect.poll(async () => (await found(`/2/bulk-orders/${body.id}`)).state).toBe('done')
  const rows = (await found(`/2/bulk-orders/${body.id}?state=done&limit=1`)).data as readonly Json[]
  expect(rows).toHaveLength(1)
  expect((await found('/2/bulk-orders')).data).toMatchObject([{ id: body.id, counts: { done: 2 } }])
  expect((await found('/2/evse-controllers/OLD')).labels).toEqual({ site: 'North' })
})

it('LIST-A1, LIST-A4: a local list reaches both, and so does what changes of it', async () => {
  await ask('POST', '/2/id-tokens', { id: 'CARD' })
  expect((await ask('PUT', '/2/local-lists/all', { selector: {}, tokens: 'all' })).status).toBe(201)
  const applied = async () => (await found('/2/local-lists/all/status')).counts
  await expect.poll(applied).toEqual({ applied: 2 })
  await ask('PATCH', '/2/id-tokens/CARD', { status: 'Blocked' })
  const updates = async (): Promise<readonly unknown[]> => {
    const rows = (await installation.nodes[0]?.rows('NEW')) ?? []
    return rows.flatMap(({ method, request }) => (method === 'SendLocalList' ? [(request as Json).updateType] : []))
  }
  await expect.poll(updates).toEqual(['Differential', 'Full'])
  await expect.poll(applied).toEqual({ applied: 2 })
})

it('REPORT-A1: a report sums the sessions of its period by the labels of their charge points', async () => {
  const [old] = stations
  await old?.plug(1, { soc: 20 })
  await old?.swipe(1, 'DRIVER')
  await expect.poll(() => old?.charge(1).energyKwh).toBeGreaterThan(0.1)
  await old?.swipe(1, 'DRIVER')
  await expect
    .poll(async () => (await found('/2/sessions?evseControllerId=OLD')).data)
    .toMatchObject([{ state: 'completed' }])
  const report = { kind: 'sessions', groupBy: 'site', schedule: 'weekly', targets: [{ mail: 'a@example.com' }] }
  expect((await ask('PUT', '/2/reports/fleet', report)).status).toBe(201)
  const store = await databaseAt(installation.databaseUrl).openStore()
  const later = Date.now() + 8 * 86_400_000
  const sent: Mail[] = []
  const mailer = { send: async (mail: Mail) => void sent.push(mail) }
  const parts = {
    reads: store.reads,
    writes: store.writes,
    timeZone: 'UTC',
    clock: { ...systemClock, now: () => later },
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    post: { mailer, language: 'en', domain: 'example.com' } as const,
  }
  await makeDue(parts)
  await sendDue(parts)
  await store.close()
  expect(sent.map(({ to, attachments }) => [to, attachments?.[0]?.content])).toContainEqual([
    'a@example.com',
    expect.stringMatching(/North/),
  ])
})
