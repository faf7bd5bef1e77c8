import { randomBytes } from 'node:crypto'
import { afterAll, expect, it } from 'vitest'
import { recordingCore } from '../../../test/support/api/testing.ts'
import { openOperatorPlace } from '../../../test/support/console/testing.ts'
import { type Browser, csrfOf } from '../../../test/support/oidc/browser.ts'
import { aBulkOrder } from '../../../test/support/records.ts'
import { aChargePoint } from '../../../test/support/storage-contract/records.ts'
import { startBulkOrders } from '../../application/bulk-orders/orders.ts'
import type { Rollouts } from '../../application/rollouts/rollouts.ts'
import { systemClock } from '../../server/system.ts'
import { addUptimePages } from '../uptime/page.tsx'
import { bulkOrderPages } from './page.tsx'

const NEW = '/dashboard/new-bulk-order'
const HOSTILE = '"><script>alert(1)</script>'

const pages = bulkOrderPages({
  preview: (asked) => orders.preview(asked),
  order: (asked, by) => orders.order(asked, by),
  cancel: (order) => orders.cancel(order),
  countsOf: (order) => orders.countsOf(order),
  whatOf: (order) => orders.whatOf(order),
  look: () => orders.look(),
  stop: () => undefined,
})
const place = await openOperatorPlace({}, { extraPages: [pages, addUptimePages] })
const { reads, writes } = place
const orders = startBulkOrders({
  reads,
  writes,
  core: recordingCore({ writes }).core,
  clock: systemClock,
  random: randomBytes,
  secretKey: Buffer.alloc(32),
  rollouts: { act: async () => undefined, rows: async () => [] } as unknown as Rollouts,
  log: { info: () => undefined, warn: () => undefined, error: () => undefined },
})
for (const id of ['LOG-1', 'LOG-2', `LOG-${HOSTILE}`.slice(0, 30)]) {
  await writes.createChargePoint(aChargePoint({ id, securityProfile: 0, createdAt: 0 }))
  await writes.updateChargePoint('A', id, { labels: { site: 'North' } })
}
const otto = await place.signedIn(place.otto)
const bob = await place.signedIn(place.bob)
afterAll(async () => {
  orders.stop()
  await place.close()
})

const page = async (browser: Browser, path: string): Promise<string> => (await browser.get(path)).text()
const name = (html: string): string => html.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')

it('BULK-B2, CONSOLE-A19: bulk orders: asks first: how many, and who cannot and why', async () => {
  const html = await page(otto, `${NEW}?kind=reset&id=LOG-1&id=LOG-9`)
  expect(name(html)).toContain('Reset: 2 charge points')
  expect(name(html)).toContain('2 cannot carry it out and are left out:')
  expect(html).toContain('never connected')
  expect(html).not.toContain('class="danger"')
  expect(name(await page(otto, NEW))).toContain('No charge point is ticked')
  expect((await bob.get(`${NEW}?kind=reset&id=LOG-1`)).status).toBe(403)
  expect(await page(otto, `${NEW}?kind=label&id=${encodeURIComponent(HOSTILE)}&key=a`)).not.toContain('<script>alert')
})

it('BULK-B1: bulk orders: all that match are ordered it once, and the page shows what became of each', async () => {
  const all = 'site=North'
  const html = await page(otto, `${NEW}?kind=label&all=${encodeURIComponent(all)}&key=ring&value=east`)
  expect(name(html)).toContain('Label 3 charge points')
  const csrf = csrfOf(html, '/new-bulk-order')
  const sent = {
    csrf,
    kind: 'label',
    all,
    key: 'ring',
    value: 'east',
    once: /name="once" value="([^"]+)"/.exec(html)?.[1] ?? '',
  }
  expect((await bob.post(NEW, sent)).status).toBe(403)
  const made = await otto.post(NEW, sent)
  expect(made.status).toBe(303)
  const path = made.headers.get('location') ?? ''
  expect(path).toMatch(/^\/dashboard\/bulk-orders\/[0-9a-f-]+$/)
  await expect.poll(async () => name(await page(bob, path))).toContain('3 done')
  const shown = await page(bob, path)
  expect(shown).toContain('ordered by otto@example.com')
  expect(shown).not.toContain('<script>alert')
  expect((await place.reads.findChargePoint('LOG-1'))?.labels).toEqual({ site: 'North', ring: 'east' })
  expect(name(await page(bob, `${path}?state=failed`))).toContain('None.')
  expect(name(await page(bob, '/dashboard/bulk-orders'))).toContain('Label ring')
  expect((await (await place.signedIn(place.eve)).get(path)).status).toBe(404)
  expect((await place.reads.searchAudit({ accountId: 'A', limit: 1 }))[0]?.subject).toContain(
    'Labels (ring) of 3 charge points: ',
  )
})

it('BULK-B9: bulk orders: what failed of an order is tried again as it was ordered, after the question', async () => {
  const now = Date.now()
  const what = { kind: 'label', labels: { ring: 'west', zone: null } } as const
  const by = { kind: 'user', id: place.otto.id } as const
  const times = { expiresAt: now, createdAt: 1, updatedAt: now }
  const order = aBulkOrder('eeee-failed', { what: JSON.stringify(what), total: 3, by, state: 'done', ...times })
  await place.writes.putRecords('bulk_orders', [order])
  const row = { orderId: order.id, isOrdered: true, updatedAt: now } as const
  await place.writes.putRecords('bulk_order_rows', [
    { ...row, stationId: 'LOG-1', state: 'failed', reason: 'it was not connected in time' },
    { ...row, stationId: 'LOG-2', state: 'done' },
    { ...row, stationId: 'LOG-9', state: 'failed', reason: HOSTILE },
  ])
  const path = `/dashboard/bulk-orders/${order.id}`
  expect(await page(bob, path)).not.toContain('failed again')
  const shown = await page(otto, `${path}?ui_locales=de`)
  expect(name(shown)).toContain('Die 2 fehlgeschlagenen noch einmal…')
  expect(shown).toContain('sie war nicht rechtzeitig verbunden')
  expect(shown).not.toContain('<script>alert')
  const html = await page(otto, `${NEW}?again=${order.id}`)
  expect(name(html)).toContain('Label ring, zone: 2 charge points')
  expect(name(html)).toContain('1 cannot carry it out and are left out: Charge point Reason LOG-9')
  expect(html).not.toContain('name="kind"')
  const sent = { csrf: csrfOf(html, '/new-bulk-order'), again: order.id, kind: 'reset', id: 'LOG-2' }
  const made = await otto.post(NEW, sent)
  expect(made.status).toBe(303)
  const next = made.headers.get('location') ?? ''
  await expect.poll(async () => name(await page(bob, next))).toContain('1 done')
  expect((await place.reads.findChargePoint('LOG-1'))?.labels).toMatchObject({ ring: 'west' })
  expect((await place.reads.findChargePoint('LOG-2'))?.labels).toMatchObject({ ring: 'east' })
  // Another account's order, and none at all.
  await place.writes.putRecords('bulk_orders', [{ ...order, accountId: 'B', id: 'foreign' }])
  await place.writes.putRecords('bulk_order_rows', [
    { ...row, orderId: 'foreign', stationId: 'LOG-1', state: 'failed' },
  ])
  for (const id of ['foreign', 'nothing']) {
    expect(name(await page(otto, `${NEW}?again=${id}&kind=x`))).toContain('No charge point is ticked')
  }
})

it('BULK-B6: bulk orders: one that waits is cancelled by whoever may operate', async () => {
  const path = async (): Promise<string> => {
    const [order] = await place.reads.listRecords('bulk_orders', {
      where: { accountId: 'A' },
      newestFirst: true,
      limit: 1,
    })
    return `/dashboard/bulk-orders/${order?.id}`
  }
  const order = await orders.order(
    { accountId: 'A', selector: { ids: ['LOG-1'] }, what: { kind: 'firmware', firmwareId: 'fw' } },
    { kind: 'user', id: place.otto.id },
  )
  expect(order).toMatchObject({ status: 400 })
  const now = Date.now()
  const times = { expiresAt: now + 3600_000, createdAt: now, updatedAt: now }
  await place.writes.putRecords('bulk_orders', [aBulkOrder('ffffffff-waits', times)])
  const row = {
    orderId: 'ffffffff-waits',
    stationId: 'LOG-1',
    state: 'waiting',
    isOrdered: false,
    updatedAt: now,
  } as const
  await place.writes.putRecords('bulk_order_rows', [row])
  expect(await page(bob, await path())).not.toContain('/cancel"')
  const html = await page(otto, await path())
  expect(name(html)).toContain('Reset (hard): 1 charge point')
  const done = await otto.post(`${await path()}/cancel`, { csrf: csrfOf(html, '/cancel') })
  expect(done.status).toBe(303)
  expect(name(await page(otto, await path()))).toContain('1 cancelled')
})

it('UPTIME-U6: uptime on the console: by charge point, connector, site and month, and as a file', async () => {
  for (const [group, word] of [
    ['evseController', 'LOG-1'],
    ['connector', ''],
    ['site', 'North'],
    ['month', '20'],
  ] as const) {
    const answer = await bob.get(`/dashboard/uptime?group=${group}`)
    expect(answer.status).toBe(200)
    expect(await answer.text()).toContain(word)
  }
  const file = await bob.get('/dashboard/uptime.csv?group=site')
  expect(file.headers.get('content-type')).toContain('text/csv')
  expect(await file.text()).toContain('North')
  expect((await bob.get('/dashboard/uptime?from=soon')).status).toBe(400)
  expect((await bob.get('/dashboard/uptime?from=2020-01-01')).status).toBe(400)
})
