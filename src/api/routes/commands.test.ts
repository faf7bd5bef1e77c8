import { beforeAll, expect, it } from 'vitest'
import { apiOfTest, command, START, tokenOf } from '../../../test/support/api/testing.ts'
import { logIdAt, logIdToUuid } from '../../domain/message-log/log-id.ts'
import type { TokenPrincipal } from '../access/access.ts'

const PATH = '/2/evse-controllers/CP1/commands'
const ORDER = { method: 'TriggerMessage', request: { requestedMessage: 'Heartbeat' } }

let token: TokenPrincipal | undefined
const api = await apiOfTest({ parts: { verifyAccessToken: async () => token } })

const as = (chargePoints: TokenPrincipal['chargePoints'], ...scopes: string[]) => {
  token = tokenOf({ scopes, chargePoints })
  return { authorization: 'Bearer pwa_1' }
}

it('SESSION-O1: without wait 202 with the pending row, and where it is', async () => {
  const answer = await api.call('POST', PATH, ORDER)
  const row = await answer.json()
  expect([answer.status, row.status, row.direction]).toEqual([202, 'pending', 'out'])
  expect(answer.headers.get('location')).toBe(`${PATH}/${row.id}`)
  expect(api.recording.commands.at(-1)).toEqual({ accountId: 'acc1', chargePointId: 'CP1', ...ORDER, waitMs: 0 })
})

it('SESSION-O1: with wait the row as answered; the wait may be a query parameter too', async () => {
  const body = await api.call('POST', PATH, { ...ORDER, wait: 30, ttl: 600 })
  expect([body.status, (await body.json()).status]).toEqual([200, 'success'])
  expect(api.recording.commands.at(-1)).toMatchObject({ waitMs: 30_000, ttlMs: 600_000 })
  const query = await api.call('POST', `${PATH}?wait=15`, ORDER)
  expect(query.status).toBe(200)
  expect(api.recording.commands.at(-1)).toMatchObject({ waitMs: 15_000 })
})

it.each([
  [404, 'not_found'],
  [409, 'charge_point_offline'],
  [409, 'charge_point_pending'],
  [409, 'charge_point_rejected'],
  [429, 'queue_full'],
  [503, 'not_stored'],
] as const)('SESSION-O4: a refusal %i %s of the core is a problem', async (status, code) => {
  const before = api.recording.answerCommand
  api.recording.answerCommand = () => ({ refused: true, status, code, detail: 'Because.' })
  const answer = await api.call('POST', PATH, ORDER)
  expect([answer.status, await answer.json()]).toEqual([status, expect.objectContaining({ code, detail: 'Because.' })])
  if (status > 409) expect(answer.headers.get('retry-after')).toBe('5')
  api.recording.answerCommand = before
})

it('OCPP-RP13: the schema’s faults come with their pointers', async () => {
  const before = api.recording.answerCommand
  const errors = [{ pointer: '/request/requestedMessage', message: 'must be one of …' }]
  api.recording.answerCommand = () => ({ refused: true, status: 400, code: 'invalid_request', detail: 'No.', errors })
  const answer = await api.call('POST', PATH, ORDER)
  expect((await answer.json()).errors).toEqual([{ ...errors[0], code: 'invalid_request' }])
  api.recording.answerCommand = before
})

it('SESSION-O3: one Idempotency-Key is one command, also while the first one runs', async () => {
  const count = api.recording.commands.length
  const before = api.recording.core.sendCommand
  let release = (): void => undefined
  api.recording.core.sendCommand = async (order) => {
    await new Promise<void>((resolve) => {
      release = resolve
    })
    return before(order)
  }
  const send = () => api.call('POST', PATH, ORDER, { 'idempotency-key': 'one' })
  const first = send()
  const during = await send().then(async (early) => (early.status === 409 ? early : send()))
  expect([during.status, (await during.json()).code]).toEqual([409, 'idempotency_key_in_use'])
  release()
  expect((await first).status).toBe(202)
  const repeated = await send()
  expect([repeated.status, repeated.headers.get('idempotent-replayed')]).toEqual([202, 'true'])
  expect(repeated.headers.get('location')).toMatch(PATH)
  expect(api.recording.commands.length).toBe(count + 1)
  api.recording.core.sendCommand = before
})

it('SESSION-O3: an order that was refused gives its key free; keys of other callers are their own', async () => {
  const before = api.recording.answerCommand
  const send = (headers: Record<string, string> = {}) =>
    api.call('POST', PATH, ORDER, { 'idempotency-key': 'two', ...headers })
  api.recording.answerCommand = () => ({ refused: true, status: 409, code: 'charge_point_offline', detail: 'Away.' })
  expect((await send()).status).toBe(409)
  api.recording.answerCommand = before
  expect((await send()).headers.get('idempotent-replayed')).toBeNull()
  const other = await send({ authorization: `Bearer ${await api.newCredential('acc1')}` })
  expect([other.status, other.headers.get('idempotent-replayed')]).toEqual([202, null])
})

it('OIDC-C11: the core is told what a token may have a charge point do, and a credential may everything', async () => {
  await api.call('POST', PATH, ORDER, as('all', 'openid', 'chargers:control', 'chargers:configure', 'toString'))
  expect(api.recording.commands.at(-1)?.capabilities).toEqual(['control'])
  await api.call('POST', PATH, ORDER)
  expect(api.recording.commands.at(-1)?.capabilities).toBeUndefined()
})

const id = logIdAt(START) + 7
beforeAll(async () => {
  await api.addRows([
    command(id, { method: 'Heartbeat' }),
    command(id + 1, { method: 'MeterValues' }),
    command(id + 2, { method: 'Heartbeat' }),
    command(id + 3, { chargePointId: 'CP-OTHER' }),
  ])
})

it('API-A8: reading the log: one row by its UUID', async () => {
  const uuid = logIdToUuid(id, api.store.salt)
  expect(await api.get(`${PATH}/${uuid}`)).toMatchObject({ id: uuid, method: 'Heartbeat', status: 'success' })
  expect((await api.call('GET', `${PATH}/${uuid.toUpperCase()}`)).status).toBe(200)
})

it('API-A8, API-B6: reading the log: unknown, forged and foreign ids are 404', async () => {
  const foreign = logIdToUuid(id + 3, api.store.salt)
  const forged = logIdToUuid(id, api.store.salt + 1n)
  for (const uuid of [foreign, forged, 'x'.repeat(36), '00000000-0000-0000-0000-000000000000', 'abc']) {
    expect((await api.call('GET', `${PATH}/${uuid}`)).status).toBe(404)
  }
  expect((await api.call('GET', `${PATH}/${logIdToUuid(id, api.store.salt)}`, undefined, as('all'))).status).toBe(403)
})

it('API-A8: reading the log: which methods a window holds, with counts', async () => {
  const { data } = await api.get(`${PATH}/methods?from=2026-08-01T00:00:00Z`)
  expect(data).toHaveLength(2)
  expect(data).toEqual(
    expect.arrayContaining([
      { method: 'Heartbeat', count: 2 },
      { method: 'MeterValues', count: 1 },
    ]),
  )
  expect(await api.get(`${PATH}/methods?from=2030-08-01T00:00:00Z`)).toEqual({ data: [], meta: {} })
  expect(await api.get(`${PATH}/methods?from=2026-08-01T00:00:00Z&to=2026-08-01T01:00:00Z`)).toMatchObject({
    data: [],
  })
})
