import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { newUuid } from '../../commands/uuid.ts'
import type { SessionEvent } from '../../storage/webhook-store.ts'
import { envelopeText } from '../../webhooks/envelope.ts'
import type { TokenPrincipal } from '../principal.ts'
import { command, START, session, startApi, type TestApi } from '../testing.ts'

interface Hook {
  readonly id: string
  readonly secret: string
  readonly status: string
  readonly url: string
  readonly updates: string
  readonly filter: object
}

const DAY = 86_400_000
const URL_1 = 'https://hooks.example/1'

/** Lets everybody go on once so many have arrived. */
function barrier(count: number): () => Promise<void> {
  let missing = count
  let open: () => void = () => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return () => {
    if (--missing === 0) open()
    return opened
  }
}

describe('the webhook API', () => {
  let api: TestApi
  let token: TokenPrincipal
  let wakes: number
  let addresses: Readonly<Record<string, readonly string[]>>

  beforeEach(async () => {
    wakes = 0
    addresses = { 'hooks.example': ['1.1.1.1'], 'mixed.example': ['1.1.1.1', '10.0.0.1'] }
    token = {
      kind: 'token',
      accountId: 'acc1',
      userId: 'u1',
      clientId: 'c1',
      grantId: 'g1',
      scopes: ['webhooks:manage', 'sessions:read'],
      chargePoints: ['CP1'],
    }
    api = await startApi({
      settings: { webhookAllowPrivate: ['127.0.0.0/8'] },
      parts: {
        resolve: async (name) => addresses[name] ?? Promise.reject(new Error('ENOTFOUND')),
        verifyAccessToken: async () => token,
        deliveries: {
          wake: () => {
            wakes++
          },
          statistics: () => ({ inFlight: 0, succeeded: 3, failed: 1 }),
        },
      },
    })
  })
  afterEach(() => api.close())

  const create = async (body: object = { url: URL_1 }, headers = {}) => api.call('POST', '/2/webhooks', body, headers)
  const created = async (body?: object): Promise<Hook> => (await create(body)).json<Hook>()
  const asToken = { authorization: 'Bearer pwa_x' }

  async function record(change: Partial<SessionEvent> = {}): Promise<SessionEvent> {
    const now = api.clock.now()
    const id = newUuid(now)
    const event: SessionEvent = {
      id,
      accountId: 'acc1',
      sessionId: 's1',
      chargePointId: 'CP1',
      kind: 'transition',
      time: now,
      body: envelopeText(id, now, session('s1')),
      causes: [4096],
      ...change,
    }
    const [result] = await api.store.core.commit([{ chargePointId: event.chargePointId, events: [event] }])
    if (result && !result.ok) throw result.error
    return event
  }

  it('S1, W4: the secret is shown by create and rotate only', async () => {
    const answer = await create({ url: URL_1, events: ['session.updated'], description: 'billing' })
    expect(answer.status).toBe(201)
    const hook = await answer.json<Hook>()
    expect(hook).toMatchObject({ url: URL_1, status: 'active', updates: 'all', events: ['session.updated'] })
    expect(hook.secret).toMatch(/^whsec_[\w-]{43}$/)
    expect(answer.headers.get('location')).toBe(`/2/webhooks/${hook.id}`)
    expect(await api.get<Hook>(`/2/webhooks/${hook.id}`)).not.toHaveProperty('secret')
    const rotatedHook = await (await api.call('POST', `/2/webhooks/${hook.id}/rotate-secret`)).json<Hook>()
    expect(rotatedHook.secret).not.toBe(hook.secret)
    const stored = await api.reads.findSubscription(hook.id)
    expect(stored?.secrets).toHaveLength(2)
    expect(JSON.stringify(stored)).not.toContain('whsec_')
    await api.call('POST', `/2/webhooks/${hook.id}/rotate-secret`, { overlapSeconds: 0 })
    expect((await api.reads.findSubscription(hook.id))?.secrets).toHaveLength(1)
    expect((await api.call('POST', `/2/webhooks/${hook.id}/rotate-secret`, { overlapSeconds: 604_801 })).status).toBe(
      400,
    )
    expect(JSON.stringify(api.logged)).not.toContain('whsec_')
  })

  it('W8: a webhook may ask for Standard Webhooks when it is created; its secrets are then base64', async () => {
    const standard = { url: URL_1, signatureScheme: 'standard-webhooks' }
    const hook = await created(standard)
    expect(hook).toMatchObject({ signatureScheme: 'standard-webhooks' })
    expect(hook.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const rotatedHook = await (await api.call('POST', `/2/webhooks/${hook.id}/rotate-secret`)).json<Hook>()
    expect(rotatedHook.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(await api.get(`/2/webhooks/${hook.id}`)).toMatchObject({ signatureScheme: 'standard-webhooks' })
    const changed = await api.call('PATCH', `/2/webhooks/${hook.id}`, { signatureScheme: 'standard-webhooks' })
    expect(changed.status).toBe(400)
    expect((await create({ ...standard, url: `${URL_1}2`, signatureScheme: 'hex' })).status).toBe(400)
  })

  it.each([
    ['http://hooks.example/', '/url'],
    ['https://mixed.example/', '/url'],
    ['https://unknown.example/', '/url'],
    ['https://10.0.0.1/', '/url'],
    ['https://169.254.169.254/latest/meta-data', '/url'],
    ['https://[::ffff:10.0.0.1]/', '/url'],
    ['https://user:password@hooks.example/', '/url'],
    ['https://hooks.example/#x', '/url'],
    ['hooks.example', '/url'],
  ])('X1: %s is refused, on create and on change', async (url, pointer) => {
    const answer = await create({ url })
    expect(answer.status).toBe(400)
    expect((await answer.json()).errors[0]).toMatchObject({ pointer, code: 'url_not_allowed' })
    const hook = await created()
    expect((await api.call('PATCH', `/2/webhooks/${hook.id}`, { url })).status).toBe(400)
  })

  it('X1: what is allowed by configuration may be http', async () => {
    expect((await create({ url: 'http://127.0.0.1:3000/hook' })).status).toBe(201)
  })

  it('S2: enabling makes no seventeenth active webhook either', async () => {
    const first = await created()
    await api.store.writes.disableSubscription(first.id, 'gone', START)
    for (let index = 1; index <= 16; index++) await created({ url: `${URL_1}${index}`, events: ['session.updated'] })
    const enable = () => api.call('POST', `/2/webhooks/${first.id}/enable`, { resume: 'held' })
    expect(await (await enable()).json()).toMatchObject({ status: 409, code: 'too_many_webhooks' })
    expect(await api.get(`/2/webhooks/${first.id}`)).toMatchObject({ status: 'disabled', disabledReason: 'gone' })
    const [other] = (await api.get('/2/webhooks')).data.filter(({ id }) => id !== first.id)
    await api.call('DELETE', `/2/webhooks/${other?.id}`)
    expect((await enable()).status).toBe(200)
    expect((await enable()).status).toBe(200)
  })

  it('S2: the same URL twice is 409, and so is a seventeenth active webhook', async () => {
    await created()
    expect(await (await create()).json()).toMatchObject({ status: 409, code: 'webhook_exists' })
    for (let index = 2; index <= 16; index++) expect((await create({ url: `${URL_1}${index}` })).status).toBe(201)
    expect(await (await create({ url: `${URL_1}99` })).json()).toMatchObject({ status: 409, code: 'too_many_webhooks' })
    const first = await api.get('/2/webhooks?limit=10')
    const second = await api.get(`/2/webhooks?limit=10&cursor=${first.meta.nextCursor}`)
    expect(new Set([...first.data, ...second.data].map(({ id }) => id)).size).toBe(16)
    expect(second.meta.nextCursor).toBeUndefined()
  })

  it('S1: a page that follows a webhook which was deleted meanwhile does not begin again', async () => {
    for (const number of [1, 2, 3, 4]) await create({ url: `https://hooks.example/${number}` })
    const first = await api.get('/2/webhooks?limit=2')
    const [kept, deleted] = first.data.map(({ id }) => id)
    await api.call('DELETE', `/2/webhooks/${deleted}`)
    const second = await api.get(`/2/webhooks?limit=2&cursor=${first.meta.nextCursor}`)
    expect(second.data).toHaveLength(2)
    expect(second.data.map(({ id }) => id)).not.toContain(kept)
    expect(second.meta.nextCursor).toBeUndefined()
  })

  it.each(['https://HOOKS.example/1', 'https://hooks.example:443/1', ' https://hooks.example/x/../1'])(
    'S2: %j is the same URL in another spelling, when made and when changed',
    async (spelling) => {
      await created({ url: URL_1 })
      expect(await (await create({ url: spelling })).json()).toMatchObject({ status: 409, code: 'webhook_exists' })
      const other = await created({ url: `${URL_1}0` })
      const changed = await api.call('PATCH', `/2/webhooks/${other.id}`, { url: spelling })
      expect(await changed.json()).toMatchObject({ status: 409, code: 'webhook_exists' })
    },
  )

  it.each([
    ['https://hooks.example', 'https://hooks.example'],
    [' https://hooks.example/ä b ', 'https://hooks.example/%C3%A4%20b'],
    ['https://hooks.example/a\nb', 'https://hooks.example/ab'],
    ['https:\\\\hooks.example\\a', 'https://hooks.example/a'],
  ])('E3: %j is shown as the URI that it stands for', async (sent, shown) => {
    const hook = await created({ url: sent })
    expect(hook.url).toBe(shown)
    const changed = await api.call('PATCH', `/2/webhooks/${hook.id}`, { url: sent })
    expect((await changed.json<Hook>()).url).toBe(shown)
  })

  it('S1, W3: of two rotations at the same time both secrets sign', async () => {
    let bothHaveRead = async (): Promise<void> => undefined
    const house = await startApi({
      parts: { resolve: async () => ['1.1.1.1'] },
      reads: (reads) => ({
        ...reads,
        async findSubscription(id) {
          const found = await reads.findSubscription(id)
          await bothHaveRead()
          return found
        },
      }),
    })
    const hook = await (await house.call('POST', '/2/webhooks', { url: URL_1 })).json<Hook>()
    const sealed = async () => (await house.reads.findSubscription(hook.id))?.secrets.map((secret) => secret.sealed)
    const [first] = (await sealed()) ?? []
    bothHaveRead = barrier(2)
    const rotate = () => house.call('POST', `/2/webhooks/${hook.id}/rotate-secret`)
    await Promise.all([rotate(), rotate()])
    bothHaveRead = async () => undefined
    expect(await sealed()).toHaveLength(2)
    expect(await sealed()).not.toContain(first)
    await house.close()
  })

  it('S1: PATCH changes and removes, DELETE is 204 and then 404; unknown members are named', async () => {
    const hook = await created({ url: URL_1, filter: { evseControllerIds: ['CP1'] }, updates: 'transitions' })
    expect(hook).toMatchObject({ filter: { evseControllerIds: ['CP1'] }, updates: 'transitions' })
    const changed = await api.call('PATCH', `/2/webhooks/${hook.id}`, { filter: null, updates: 'all' })
    expect(await changed.json<Hook>()).toEqual(expect.not.objectContaining({ filter: expect.anything() }))
    expect(await (await create({ url: URL_1, urls: [] })).json()).toMatchObject({ code: 'unknown_field' })
    expect((await api.call('DELETE', `/2/webhooks/${hook.id}`)).status).toBe(204)
    expect((await api.call('GET', `/2/webhooks/${hook.id}`)).status).toBe(404)
  })

  it('S3: a token needs both scopes and sees only its own grant’s webhooks; the account does not see those', async () => {
    const own = await created()
    const granted = await (await create({ url: URL_1 }, asToken)).json<Hook>()
    expect((await api.call('GET', `/2/webhooks/${own.id}`, undefined, asToken)).status).toBe(404)
    expect((await api.call('GET', `/2/webhooks/${granted.id}`)).status).toBe(404)
    expect((await api.get('/2/webhooks')).data.map(({ id }) => id)).toEqual([own.id])
    token = { ...token, grantId: 'g2' }
    expect((await api.call('DELETE', `/2/webhooks/${granted.id}`, undefined, asToken)).status).toBe(404)
    token = { ...token, scopes: ['webhooks:manage'] }
    const refused = await api.call('GET', '/2/webhooks', undefined, asToken)
    expect(await refused.json()).toMatchObject({ status: 403, code: 'insufficient_scope' })
  })

  it('S1, B2: deliveries are listed by pages and shown with attempts, body and causes', async () => {
    const hook = await created()
    for (let index = 0; index < 3; index++) await record({ sessionId: `s${index}` })
    const first = await api.get(`/2/webhooks/${hook.id}/deliveries?limit=2&state=pending`)
    const rest = await api.get(
      `/2/webhooks/${hook.id}/deliveries?limit=2&state=pending&cursor=${first.meta.nextCursor}`,
    )
    expect([first.data.length, rest.data.length, rest.meta.nextCursor]).toEqual([2, 1, undefined])
    expect((await api.get(`/2/webhooks/${hook.id}/deliveries?state=failed`)).data).toEqual([])
    const detail = await api.get<{ event: object; causes: string[]; attemptLog: object[] }>(
      `/2/webhooks/${hook.id}/deliveries/${first.data[0]?.id}`,
    )
    expect(detail).toMatchObject({ event: { specversion: '1.0', data: { id: 's1' } }, attemptLog: [] })
    expect(detail.causes).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/)])
    const other = await created({ url: `${URL_1}/other` })
    expect((await api.call('GET', `/2/webhooks/${other.id}/deliveries/${first.data[0]?.id}`)).status).toBe(404)
  })

  it('S1: redeliver and replay make finished deliveries due again and wake the loop', async () => {
    const hook = await created()
    await record()
    const claimed = await api.store.writes.claimDeliveries({ now: START + 1, leaseUntil: START + 99 })
    const [delivery] = claimed.deliveries
    const path = `/2/webhooks/${hook.id}/deliveries/${delivery?.id}/redeliver`
    expect(await (await api.call('POST', path)).json()).toMatchObject({ status: 409, code: 'delivery_in_flight' })
    const attempt = { number: 1, at: START, durationMs: 3, url: URL_1, status: 500, requestHeaders: {} }
    const finish = { deliveryId: delivery?.id ?? '', subscriptionId: hook.id, attempt, state: 'failed' as const }
    await api.store.writes.finishAttempts([finish], START + 2)
    expect((await api.call('POST', path)).status).toBe(202)
    await api.store.writes.claimDeliveries({ now: START + 3, leaseUntil: START + 99 })
    await api.store.writes.finishAttempts([finish], START + 4)
    const window = { from: new Date(START - 1000).toISOString(), to: new Date(START + 1000).toISOString() }
    const replay = (body: object) => api.call('POST', `/2/webhooks/${hook.id}/replay`, body)
    expect(await (await replay({ ...window, state: 'succeeded' })).json()).toEqual({ replayed: 0 })
    expect(await (await replay({ ...window, state: 'failed' })).json()).toEqual({ replayed: 1 })
    expect((await replay({ from: window.to, to: window.from })).status).toBe(400)
    expect(wakes).toBe(3)
  })

  it('S4: a test goes through the real pipeline outside the feed, ten times a minute', async () => {
    const hook = await created()
    const test = () => api.call('POST', `/2/webhooks/${hook.id}/test`)
    expect((await test()).status).toBe(202)
    const [claimed] = (await api.store.writes.claimDeliveries({ now: START + 1, leaseUntil: START + 99 })).deliveries
    expect(claimed?.kind).toBe('test')
    expect((JSON.parse(claimed?.body ?? '') as { data: { id: string } }).data.id).toMatch(/^test_/)
    expect((await api.get('/2/events')).data).toEqual([])
    const detail = await api.get<{ kind: string }>(`/2/webhooks/${hook.id}/deliveries/${claimed?.id}`)
    expect(detail.kind).toBe('test')
    for (let index = 1; index < 10; index++) expect((await test()).status).toBe(202)
    const refused = await test()
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '6'])
    api.clock.advance(6000)
    expect((await test()).status).toBe(202)
  })

  it('R5: what the operator disabled the application cannot enable', async () => {
    const hook = await created()
    await api.store.writes.disableSubscription(hook.id, 'operator', START)
    const answer = await api.call('POST', `/2/webhooks/${hook.id}/enable`, { resume: 'held' })
    expect(await answer.json()).toMatchObject({ status: 409, code: 'webhook_disabled' })
    expect(await api.get<Hook>(`/2/webhooks/${hook.id}`)).toMatchObject({ disabledReason: 'operator' })
  })

  it('R5: a disabled webhook refuses tests until it is enabled', async () => {
    const hook = await created()
    await api.store.writes.disableSubscription(hook.id, 'gone', START)
    expect(await api.get<Hook>(`/2/webhooks/${hook.id}`)).toMatchObject({ status: 'disabled', disabledReason: 'gone' })
    expect(await (await api.call('POST', `/2/webhooks/${hook.id}/test`)).json()).toMatchObject({
      code: 'webhook_disabled',
    })
    expect((await api.call('POST', `/2/webhooks/${hook.id}/enable`, {})).status).toBe(400)
    const enabled = await api.call('POST', `/2/webhooks/${hook.id}/enable`, { resume: 'held' })
    expect(await enabled.json<Hook>()).toMatchObject({ status: 'active' })
  })

  it('S5: Idempotency-Key gives the first answer again, another body is 422', async () => {
    const key = { 'idempotency-key': 'k1' }
    const first = await create({ url: URL_1 }, key)
    const again = await create({ url: URL_1 }, key)
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true'])
    expect(await again.json<Hook>()).toEqual(await first.json<Hook>())
    expect((await create({ url: `${URL_1}/other` }, key)).status).toBe(422)
  })

  it('S7: the feed gives stored envelopes oldest first, by pages and from a position', async () => {
    const events = []
    for (let index = 0; index < 3; index++) events.push(await record())
    await record({ accountId: 'acc2', chargePointId: 'CP-OTHER' })
    const first = await api.get('/2/events?limit=2')
    expect(first).toEqual({
      data: events.slice(0, 2).map(({ body }) => JSON.parse(body) as object),
      meta: { nextCursor: events[1]?.id },
    })
    const rest = await api.get(`/2/events?limit=2&after=${first.meta.nextCursor}`)
    expect(rest.data.map(({ id }) => id)).toEqual([events[2]?.id])
    expect((await api.get(`/2/events?after=${events[2]?.id}`)).data).toEqual([])
    api.clock.advance(DAY)
    await record()
    const recent = encodeURIComponent(new Date(START + DAY).toISOString())
    expect((await api.get(`/2/events?from=${recent}`)).data).toHaveLength(1)
  })

  it('S7, S3: a grant sees the events of what it shares', async () => {
    await record()
    await record({ chargePointId: 'CP2' })
    const answer = await api.call('GET', '/2/events', undefined, asToken)
    expect((await answer.json()).data).toHaveLength(1)
  })

  it('S7, F6: an old event that a failed delivery still keeps is no position: what came after it is gone', async () => {
    await created({ url: URL_1 })
    const old = await record()
    api.clock.advance(31 * DAY)
    const recent = await record()
    expect((await api.call('GET', `/2/events?after=${old.id}`)).status).toBe(410)
    expect((await api.get('/2/events')).data.map(({ id }) => id)).toEqual([recent.id])
  })

  it('S7: a position older than retention is 410, nonsense 400', async () => {
    const old = newUuid(START - 31 * DAY)
    expect(await (await api.call('GET', `/2/events?after=${old}`)).json()).toMatchObject({ code: 'position_expired' })
    for (const after of ['x', newUuid(START)]) {
      expect((await api.call('GET', `/2/events?after=${after}`)).status).toBe(400)
    }
  })

  it('B1: a waiting request gets the event that comes', async () => {
    const waiting = api.get('/2/events?wait=10')
    await record()
    expect((await waiting).data).toHaveLength(1)
  })

  it('L4: the account says whether it settles by itself; only its own credential may change that', async () => {
    expect(await api.get('/2/account')).toEqual({
      id: 'acc1',
      name: 'acc1',
      automaticSettlement: false,
      createdAt: expect.any(String),
    })
    const changed = await api.call('PATCH', '/2/account', { automaticSettlement: true })
    expect(await changed.json()).toMatchObject({ automaticSettlement: true })
    expect(await api.reads.findAccount('acc2')).not.toHaveProperty('automaticSettlement')
    for (const wrong of [{}, { automaticSettlement: 'yes' }, { automaticSettlement: null }, { name: 'x' }]) {
      expect((await api.call('PATCH', '/2/account', wrong)).status).toBe(400)
    }
    expect((await api.call('GET', '/2/account', undefined, asToken)).status).toBe(403)
  })

  it('L1: tariffs are versioned; a second one for the same place is 409', async () => {
    const body = { currency: 'EUR', perKwh: 0.39, perMinute: 0.05 }
    const answer = await api.call('POST', '/2/tariffs', body)
    expect(answer.status).toBe(201)
    const tariff = await answer.json<{ id: string; version: number }>()
    expect(tariff).toMatchObject({ ...body, version: 1, perSession: 0, idlePerMinute: 0 })
    expect((await api.call('POST', '/2/tariffs', body)).status).toBe(409)
    expect((await api.call('POST', '/2/tariffs', { ...body, evseControllerId: 'CP1' })).status).toBe(201)
    expect((await api.call('POST', '/2/tariffs', { ...body, evseControllerId: 'CP-OTHER' })).status).toBe(404)
    const changed = await api.call('PATCH', `/2/tariffs/${tariff.id}`, { perKwh: 0.123456 })
    expect(await changed.json()).toMatchObject({ version: 2, perKwh: 0.123456, perMinute: 0.05 })
    expect((await api.get('/2/tariffs')).data).toHaveLength(2)
    expect((await api.call('DELETE', `/2/tariffs/${tariff.id}`)).status).toBe(204)
    expect((await api.call('GET', `/2/tariffs/${tariff.id}`)).status).toBe(404)
  })

  it.each([
    [{ currency: 'EUR' }],
    [{ currency: 'euro', perKwh: 1 }],
    [{ currency: 'XQQ', perKwh: 1 }],
    [{ currency: 'EUR', perKwh: -1 }],
    [{ currency: 'EUR', perKwh: 0.1234567 }],
    [{ currency: 'EUR', perKwh: '1' }],
    [{ currency: 'EUR', perKwh: 1, perHour: 2 }],
  ])('L1: the tariff %j is refused', async (body) => {
    expect((await api.call('POST', '/2/tariffs', body)).status).toBe(400)
  })

  it('L2, S5: a settlement needs an Idempotency-Key, a credential and sound figures', async () => {
    await api.addSession(session('s1', { state: 'completed' }))
    const settle = (
      body: object,
      headers: Readonly<Record<string, string>> = { 'idempotency-key': JSON.stringify(body).replaceAll(/\s/g, '') },
    ) => api.call('POST', '/2/sessions/s1/settlements', body, headers)
    expect((await settle({ cost: 1, currency: 'EUR' }, {})).status).toBe(400)
    expect((await settle({ cost: 1 }, { ...asToken, 'idempotency-key': 'x' })).status).toBe(403)
    expect((await settle({ cost: -1 })).status).toBe(400)
    expect((await settle({ currency: 'EURO' })).status).toBe(400)
    expect((await settle({ price: 1 })).status).toBe(400)
    const answer = await settle({ cost: 1, currency: 'EUR' })
    expect([answer.status, (await answer.json<{ settlementCount: number }>()).settlementCount]).toEqual([201, 1])
    expect((await api.call('POST', '/2/sessions/none/settlements', {}, { 'idempotency-key': 'y' })).status).toBe(404)
  })

  it('B2: the timeline names events, settlements and the commands behind them', async () => {
    await api.addSession(session('s1', { state: 'completed' }))
    await api.addRows([{ ...command(4096), method: 'StopTransaction', transactionId: '1' }])
    await record()
    await api.store.core.commit([
      {
        chargePointId: 'CP1',
        settlements: [{ sessionId: 's1', number: 1, energyMilliWh: 1_000_000, at: START + 5, by: 'credential c1' }],
      },
    ])
    const timeline = await api.get<{ data: object[] }>('/2/sessions/s1/timeline')
    expect(timeline.data).toMatchObject([
      { type: 'event', kind: 'transition', causes: [{ method: 'StopTransaction', direction: 'in' }] },
      { type: 'settlement', number: 1, energyKwh: 1, by: 'credential c1' },
    ])
  })

  it('OCPP S2: the timeline tells what the session itself does not: why it ended and what was odd', async () => {
    await api.addSession(session('s1', { state: 'completed', endReason: 'interrupted', flags: ['inferred'] }))
    await api.addSession(session('s2', { state: 'suspended', suspendedBy: 'ev' }))
    const meta = async (id: string) => (await api.get<{ meta: object }>(`/2/sessions/${id}/timeline`)).meta
    expect(await meta('s1')).toEqual({ endReason: 'interrupted', flags: ['inferred'] })
    expect(await meta('s2')).toEqual({ suspendedBy: 'ev', flags: [] })
    expect(Object.keys(await api.get('/sessions/s1'))).not.toContain('flags')
  })

  it('metrics show what is due, in flight, held and how old', async () => {
    await created()
    await record()
    api.clock.advance(5000)
    const text = await (await fetch(`${api.url}/metrics`)).text()
    for (const line of ['deliveries_due 1', 'deliveries_in_flight 0', 'attempts_succeeded 3', 'oldest_due_seconds 5']) {
      expect(text).toContain(`pilotwire_webhook_${line}`)
    }
  })
})
