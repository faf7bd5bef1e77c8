import { randomBytes } from 'node:crypto'
import { afterAll, expect, it } from 'vitest'
import { startApi, tokenOf } from '../../../test/support/api/testing.ts'
import { aChargePoint } from '../../../test/support/storage-contract/records.ts'
import { type BulkOrders, startBulkOrders } from '../../application/bulk-orders/orders.ts'
import type { Rollouts } from '../../application/rollouts/rollouts.ts'
import type { TokenPrincipal } from '../access/access.ts'
import { addBulkOrders } from './bulk-orders.ts'

const PATH = '/2/bulk-orders'
const LABELS = { kind: 'label', labels: { site: 'North' } }
const AVAILABLE = { kind: 'availability', available: true }

interface Shown {
  readonly id: string
  readonly state: string
  readonly code: string
  readonly total: number
  readonly counts: object
  readonly order: object
  readonly data: readonly { readonly id: string; readonly evseControllerId: string; readonly reason?: string }[]
  readonly meta: { readonly nextCursor: string }
}

let orders: BulkOrders
let token: TokenPrincipal
const api = await startApi({
  parts: {
    verifyAccessToken: async () => token,
    extraEndpoints: [
      (parts) => {
        const { reads, writes, core, log, settings } = parts
        const rollouts = { act: async () => undefined, rows: async () => [] } as unknown as Rollouts
        const clock = { now: parts.now, monotonic: parts.now, after: parts.after }
        const { secretKey } = settings
        orders = startBulkOrders({ reads, writes, core, log, rollouts, clock, secretKey, random: randomBytes })
        addBulkOrders(parts, orders)
      },
    ],
  },
})
for (const id of ['CP2', 'CP3', 'CP4']) {
  await api.store.writes.createChargePoint(aChargePoint({ id, accountId: 'acc1', securityProfile: 0, createdAt: 0 }))
}
afterAll(async () => {
  orders.stop()
  await api.close()
})

const as = (grantId: string, ...scopes: string[]): { readonly authorization: string } => {
  token = tokenOf({ grantId, scopes, chargePoints: ['CP2', 'CP3'] })
  return { authorization: 'Bearer pwa_1' }
}
const send = async (body: object, headers?: Readonly<Record<string, string>>) => {
  const answer = await api.call('POST', PATH, body, headers)
  return { status: answer.status, body: await answer.json<Shown>(), headers: answer.headers }
}

it.each([
  ['reset', { kind: 'reset', type: 'soft' }, 'chargers:control', 'chargers:firmware'],
  ['log', { kind: 'log', type: 'security' }, 'chargers:firmware', 'chargers:control'],
  ['availability', AVAILABLE, 'chargers:control', 'chargers:configure'],
])('BULK-B6: %s needs its own scope', async (_, order, scope, other) => {
  const asked = { selector: {}, order, dryRun: true }
  expect(await send(asked, as('g1', other))).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } })
  expect(await send(asked, as('g1', scope))).toMatchObject({ status: 200, body: { total: 2 } })
  expect((await send(asked, as('g1', 'chargers:read'))).status).toBe(403)
  // Nothing was ordered: what was only asked is no entry of the audit log.
  const { data } = await api.get<{ data: { outcome: string }[] }>('/2/audit')
  expect(data.filter(({ outcome }) => outcome === 'done')).toEqual([])
})

it('BULK-B6: no scope covers labels, as for one charge point', async () => {
  const { status, body } = await send({ selector: {}, order: LABELS }, as('g1', 'chargers:control'))
  expect([status, body.code]).toEqual([403, 'api_credential_required'])
})

it('BULK-B1, BULK-B7: shows its rows in pages and by state, and is one entry of the audit log', async () => {
  const key = { 'idempotency-key': 'once' }
  const { status, body, headers } = await send({ ids: ['CP2', 'CP3', 'CP9'], order: LABELS }, key)
  expect([status, headers.get('location'), body.total]).toEqual([202, `${PATH}/${body.id}`, 3])
  expect((await send({ ids: ['CP2', 'CP3', 'CP9'], order: LABELS }, key)).body.id).toBe(body.id)
  await expect
    .poll(async () => {
      api.clock.advance(1000)
      return (await api.get<Shown>(`${PATH}/${body.id}`)).state
    })
    .toBe('done')
  const page = await api.get<Shown>(`${PATH}/${body.id}?limit=1&state=done`)
  expect(page).toMatchObject({ counts: { done: 2, refused: 1 }, order: LABELS, data: [{ evseControllerId: 'CP2' }] })
  const next = await api.get<Shown>(`${PATH}/${body.id}?limit=1&state=done&cursor=${page.meta.nextCursor}`)
  expect(next.data).toMatchObject([{ evseControllerId: 'CP3' }])
  const subjects = async () =>
    (await api.get<{ data: { subject?: string }[] }>('/2/audit')).data.map((row) => row.subject)
  const reported = `Labels (site) of 3 charge points: 2 done, 1 refused, ${body.id}`
  const isReported = async () => (await subjects()).filter((subject) => subject === reported).length
  await expect.poll(isReported).toBe(1)
  expect((await api.call('POST', `${PATH}/${body.id}/cancel`)).status).toBe(409)
})

it('API-B1: an order that removes a label names it, and holds no null', async () => {
  const labels = { site: 'North', zone: null }
  const { body } = await send({ ids: ['CP2'], order: { kind: 'label', labels } })
  expect(body.order).toEqual({ kind: 'label', labels: { site: 'North' }, removed: ['zone'] })
})

it('BULK-B2: a secret in it is masked', async () => {
  const request = { key: 'AuthorizationKey', value: 'the-very-new-password' }
  const order = { kind: 'command', method: 'ChangeConfiguration', request }
  const { body } = await send({ ids: ['CP2'], order })
  expect(body.order).toEqual({ ...order, request: { ...request, value: '***' } })
})
