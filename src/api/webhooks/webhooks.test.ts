import { expect, it } from 'vitest'
import { SECRET_KEY, START, startApi } from '../../../test/support/api/testing.ts'
import { asToken, type Hook, URL_1, webhookHouse } from '../../../test/support/api/webhooks/house.ts'
import { createCursors } from '../../domain/message-log/cursor.ts'

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

const house = webhookHouse()

it('HOOK-S1, HOOK-W4: the secret is shown by create and rotate only', async () => {
  const answer = await house.create({ url: URL_1, events: ['session.updated'], description: 'billing' })
  expect(answer.status).toBe(201)
  const hook = await answer.json<Hook>()
  expect(hook).toMatchObject({ url: URL_1, status: 'active', updates: 'all', events: ['session.updated'] })
  expect(hook.secret).toMatch(/^whsec_[\w-]{43}$/)
  expect(answer.headers.get('location')).toBe(`/2/webhooks/${hook.id}`)
  expect(await house.api.get<Hook>(`/2/webhooks/${hook.id}`)).not.toHaveProperty('secret')
  const rotatedHook = await (await house.api.call('POST', `/2/webhooks/${hook.id}/rotate-secret`)).json<Hook>()
  expect(rotatedHook.secret).not.toBe(hook.secret)
  const stored = await house.api.reads.findSubscription(hook.id)
  expect(stored?.secrets).toHaveLength(2)
  expect(JSON.stringify(stored)).not.toContain('whsec_')
  await house.api.call('POST', `/2/webhooks/${hook.id}/rotate-secret`, { overlapSeconds: 0 })
  expect((await house.api.reads.findSubscription(hook.id))?.secrets).toHaveLength(1)
  expect(
    (await house.api.call('POST', `/2/webhooks/${hook.id}/rotate-secret`, { overlapSeconds: 604_801 })).status,
  ).toBe(400)
  expect(JSON.stringify(house.api.logged)).not.toContain('whsec_')
})

it('HOOK-W8: a webhook may ask for Standard Webhooks when it is created; its secrets are then base64', async () => {
  const standard = { url: URL_1, signatureScheme: 'standard-webhooks' }
  const hook = await house.created(standard)
  expect(hook).toMatchObject({ signatureScheme: 'standard-webhooks' })
  expect(hook.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  const rotatedHook = await (await house.api.call('POST', `/2/webhooks/${hook.id}/rotate-secret`)).json<Hook>()
  expect(rotatedHook.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(await house.api.get(`/2/webhooks/${hook.id}`)).toMatchObject({ signatureScheme: 'standard-webhooks' })
  const changed = await house.api.call('PATCH', `/2/webhooks/${hook.id}`, { signatureScheme: 'standard-webhooks' })
  expect(changed.status).toBe(400)
  expect((await house.create({ ...standard, url: `${URL_1}2`, signatureScheme: 'hex' })).status).toBe(400)
})

it.each([
  ['http://hooks.example/', '/url'],
  ['https://169.254.169.254/latest/meta-data', '/url'],
  ['https://user:password@hooks.example/', '/url'],
  ['https://hooks.example/#x', '/url'],
  ['hooks.example', '/url'],
])('HOOK-X1: %s is refused, on create and on change', async (url, pointer) => {
  const answer = await house.create({ url })
  expect(answer.status).toBe(400)
  expect((await answer.json()).errors[0]).toMatchObject({ pointer, code: 'url_not_allowed' })
  const hook = await house.created()
  expect((await house.api.call('PATCH', `/2/webhooks/${hook.id}`, { url })).status).toBe(400)
})

it('HOOK-X1: what is allowed by configuration may be http', async () => {
  expect((await house.create({ url: 'http://127.0.0.1:3000/hook' })).status).toBe(201)
})

it('HOOK-S2: enabling makes no seventeenth active webhook either', async () => {
  const first = await house.created()
  await house.api.store.writes.disableSubscription(first.id, 'gone', START)
  for (let index = 1; index <= 16; index++)
    await house.created({ url: `${URL_1}${index}`, events: ['session.updated'] })
  const enable = () => house.api.call('POST', `/2/webhooks/${first.id}/enable`, { resume: 'held' })
  expect(await (await enable()).json()).toMatchObject({ status: 409, code: 'too_many_webhooks' })
  expect(await house.api.get(`/2/webhooks/${first.id}`)).toMatchObject({ status: 'disabled', disabledReason: 'gone' })
  const [other] = (await house.api.get('/2/webhooks')).data.filter(({ id }) => id !== first.id)
  await house.api.call('DELETE', `/2/webhooks/${other?.id}`)
  expect((await enable()).status).toBe(200)
  expect((await enable()).status).toBe(200)
})

it('HOOK-S2: the same URL twice is 409, and so is a seventeenth active webhook', async () => {
  await house.created()
  expect(await (await house.create()).json()).toMatchObject({ status: 409, code: 'webhook_exists' })
  for (let index = 2; index <= 16; index++) expect((await house.create({ url: `${URL_1}${index}` })).status).toBe(201)
  expect(await (await house.create({ url: `${URL_1}99` })).json()).toMatchObject({
    status: 409,
    code: 'too_many_webhooks',
  })
  const first = await house.api.get('/2/webhooks?limit=10')
  const second = await house.api.get(`/2/webhooks?limit=10&cursor=${first.meta.nextCursor}`)
  expect(new Set([...first.data, ...second.data].map(({ id }) => id)).size).toBe(16)
  expect(second.meta.nextCursor).toBeUndefined()
})

it('HOOK-S1: a page that follows a webhook which was deleted meanwhile does not begin again', async () => {
  for (const number of [1, 2, 3, 4]) await house.create({ url: `https://hooks.example/${number}` })
  const first = await house.api.get('/2/webhooks?limit=2')
  const [kept, deleted] = first.data.map(({ id }) => id)
  await house.api.call('DELETE', `/2/webhooks/${deleted}`)
  const second = await house.api.get(`/2/webhooks?limit=2&cursor=${first.meta.nextCursor}`)
  expect(second.data).toHaveLength(2)
  expect(second.data.map(({ id }) => id)).not.toContain(kept)
  expect(second.meta.nextCursor).toBeUndefined()
})

it('SEARCH-Q7: a cursor of an older version, which held the id alone, is refused instead of ending the list', async () => {
  await house.created()
  const query = { list: 'webhooks', account: 'acc1', query: { limit: 2, accountId: 'acc1' } }
  const old = createCursors(SECRET_KEY).seal(['wh_1'], query, house.api.clock.now())
  const answer = await house.api.call('GET', `/2/webhooks?limit=2&cursor=${old}`)
  expect(answer.status).toBe(400)
  expect(await answer.json()).toMatchObject({ errors: [{ pointer: '?cursor', code: 'invalid_cursor' }] })
})

it.each(['https://HOOKS.example/1', 'https://hooks.example:443/1', ' https://hooks.example/x/../1'])(
  'HOOK-S2: %j is the same URL in another spelling, when made and when changed',
  async (spelling) => {
    await house.created({ url: URL_1 })
    expect(await (await house.create({ url: spelling })).json()).toMatchObject({
      status: 409,
      code: 'webhook_exists',
    })
    const other = await house.created({ url: `${URL_1}0` })
    const changed = await house.api.call('PATCH', `/2/webhooks/${other.id}`, { url: spelling })
    expect(await changed.json()).toMatchObject({ status: 409, code: 'webhook_exists' })
  },
)

it.each([
  ['https://hooks.example', 'https://hooks.example'],
  [' https://hooks.example/ä b ', 'https://hooks.example/%C3%A4%20b'],
  ['https://hooks.example/a\nb', 'https://hooks.example/ab'],
  ['https:\\\\hooks.example\\a', 'https://hooks.example/a'],
])('API-E3: %j is shown as the URI that it stands for', async (sent, shown) => {
  const hook = await house.created({ url: sent })
  expect(hook.url).toBe(shown)
  const changed = await house.api.call('PATCH', `/2/webhooks/${hook.id}`, { url: sent })
  expect((await changed.json<Hook>()).url).toBe(shown)
})

it('HOOK-S1, HOOK-W3: of two rotations at the same time both secrets sign', async () => {
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

it('HOOK-S3: a token needs both scopes and sees only its own grant’s webhooks; the account does not see those', async () => {
  const own = await house.created()
  const granted = await (await house.create({ url: URL_1 }, asToken)).json<Hook>()
  expect((await house.api.call('GET', `/2/webhooks/${own.id}`, undefined, asToken)).status).toBe(404)
  expect((await house.api.call('GET', `/2/webhooks/${granted.id}`)).status).toBe(404)
  expect((await house.api.get('/2/webhooks')).data.map(({ id }) => id)).toEqual([own.id])
  house.token = { ...house.token, grantId: 'g2' }
  expect((await house.api.call('DELETE', `/2/webhooks/${granted.id}`, undefined, asToken)).status).toBe(404)
  house.token = { ...house.token, scopes: ['webhooks:manage'] }
  const refused = await house.api.call('GET', '/2/webhooks', undefined, asToken)
  expect(await refused.json()).toMatchObject({ status: 403, code: 'insufficient_scope' })
})

it('HOOK-S1, HOOK-B2: deliveries are listed by pages and shown with attempts, body and causes', async () => {
  const hook = await house.created()
  for (let index = 0; index < 3; index++) await house.record({ subject: `s${index}` })
  const first = await house.api.get(`/2/webhooks/${hook.id}/deliveries?limit=2&state=pending`)
  const rest = await house.api.get(
    `/2/webhooks/${hook.id}/deliveries?limit=2&state=pending&cursor=${first.meta.nextCursor}`,
  )
  expect([first.data.length, rest.data.length, rest.meta.nextCursor]).toEqual([2, 1, undefined])
  expect((await house.api.get(`/2/webhooks/${hook.id}/deliveries?state=failed`)).data).toEqual([])
  const detail = await house.api.get<{ event: object; causes: string[]; attemptLog: object[] }>(
    `/2/webhooks/${hook.id}/deliveries/${first.data[0]?.id}`,
  )
  expect(detail).toMatchObject({ event: { specversion: '1.0', data: { id: 's1' } }, attemptLog: [] })
  expect(detail.causes).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/)])
  const other = await house.created({ url: `${URL_1}/other` })
  expect((await house.api.call('GET', `/2/webhooks/${other.id}/deliveries/${first.data[0]?.id}`)).status).toBe(404)
})

it('HOOK-S1: redeliver and replay make finished deliveries due again and wake the loop', async () => {
  const hook = await house.created()
  await house.record()
  const claimed = await house.api.store.writes.claimDeliveries({ now: START + 1, leaseUntil: START + 99 })
  const [delivery] = claimed.deliveries
  const path = `/2/webhooks/${hook.id}/deliveries/${delivery?.id}/redeliver`
  expect(await (await house.api.call('POST', path)).json()).toMatchObject({ status: 409, code: 'delivery_in_flight' })
  const attempt = { number: 1, at: START, durationMs: 3, url: URL_1, status: 500, requestHeaders: {} }
  const finish = { deliveryId: delivery?.id ?? '', subscriptionId: hook.id, attempt, state: 'failed' as const }
  await house.api.store.writes.finishAttempts([finish], START + 2)
  expect((await house.api.call('POST', path)).status).toBe(202)
  await house.api.store.writes.claimDeliveries({ now: START + 3, leaseUntil: START + 99 })
  await house.api.store.writes.finishAttempts([finish], START + 4)
  const window = { from: new Date(START - 1000).toISOString(), to: new Date(START + 1000).toISOString() }
  const replay = (body: object) => house.api.call('POST', `/2/webhooks/${hook.id}/replay`, body)
  expect(await (await replay({ ...window, state: 'succeeded' })).json()).toEqual({ replayed: 0 })
  expect(await (await replay({ ...window, state: 'failed' })).json()).toEqual({ replayed: 1 })
  expect((await replay({ from: window.to, to: window.from })).status).toBe(400)
  expect(house.wakes).toBe(3)
})

it('HOOK-S4: a test goes through the real pipeline outside the feed, ten times a minute', async () => {
  const hook = await house.created()
  const test = () => house.api.call('POST', `/2/webhooks/${hook.id}/test`)
  expect((await test()).status).toBe(202)
  const [claimed] = (await house.api.store.writes.claimDeliveries({ now: START + 1, leaseUntil: START + 99 }))
    .deliveries
  expect(claimed?.kind).toBe('test')
  expect((JSON.parse(claimed?.body ?? '') as { data: { id: string } }).data.id).toMatch(/^test_/)
  expect((await house.api.get('/2/events')).data).toEqual([])
  const detail = await house.api.get<{ kind: string }>(`/2/webhooks/${hook.id}/deliveries/${claimed?.id}`)
  expect(detail.kind).toBe('test')
  for (let index = 1; index < 10; index++) expect((await test()).status).toBe(202)
  const refused = await test()
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '6'])
  house.api.clock.advance(6000)
  expect((await test()).status).toBe(202)
})

it('HOOK-R8: a pause that the receiver asked for is shown while it lasts, and what leaves through it says so', async () => {
  const hook = await house.created()
  await house.record()
  await house.record({ subject: 's2' })
  const { writes } = house.api.store
  const { deliveries } = await writes.claimDeliveries({ now: START + 1, leaseUntil: START + 99 })
  const until = START + 600_000
  const attempt = { number: 1, at: START, durationMs: 3, url: URL_1, status: 429, requestHeaders: {} }
  await writes.finishAttempts(
    deliveries.map(({ id }) => ({
      deliveryId: id,
      subscriptionId: hook.id,
      attempt,
      state: 'pending' as const,
      dueAt: START + 5000,
      pausedUntil: until,
    })),
    START,
  )
  const pausedUntil = new Date(until).toISOString()
  expect(await house.api.get(`/2/webhooks/${hook.id}`)).toMatchObject({ pausedUntil })
  expect((await house.api.get('/2/webhooks')).data).toMatchObject([{ pausedUntil }])
  const list = `/2/webhooks/${hook.id}/deliveries`
  expect((await house.api.get(list)).data).toMatchObject([
    { nextAttemptAt: pausedUntil },
    { nextAttemptAt: pausedUntil },
  ])
  const now = new Date(house.api.clock.now()).toISOString()
  const again = await house.api.call('POST', `${list}/${deliveries[0]?.id}/redeliver`)
  expect([again.status, await again.json()]).toMatchObject([202, { nextAttemptAt: now }])
  const test = await house.api.call('POST', `/2/webhooks/${hook.id}/test`)
  expect([test.status, await test.json()]).toMatchObject([202, { nextAttemptAt: now }])
  const claimed = await writes.claimDeliveries({ now: START + 2, leaseUntil: START + 99 })
  expect(claimed.deliveries.map(({ kind }) => kind)).toEqual(['transition', 'test'])
  house.api.clock.advance(600_000)
  expect(await house.api.get(`/2/webhooks/${hook.id}`)).not.toHaveProperty('pausedUntil')
})
