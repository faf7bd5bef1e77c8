import { afterEach, beforeEach, expect, it } from 'vitest'
import { startApi, type TestApi } from '../../../test/support/api/testing.ts'
import { answer, type Receiver, startReceiver } from '../../../test/support/webhooks/receiver.ts'

const CONSENT = { 'webhook-allowed-origin': 'charging.example.com' }

let api: TestApi
let hook: Receiver

beforeEach(async () => {
  api = await startApi({
    settings: { baseUrl: 'https://charging.example.com/api', webhookAllowPrivate: ['127.0.0.0/8'] },
  })
  hook = await startReceiver(answer(200, CONSENT))
})
afterEach(async () => {
  await api.close()
  await hook.close()
})

const subscribe = (change: object = {}) =>
  api.call('POST', '/2/webhooks', { url: hook.url, verify: 'cloudevents', ...change })
const list = async () => (await api.get('/2/webhooks')).data

it('HOOK-S6: nobody is asked unless the subscription wants it', async () => {
  const created = await (await api.call('POST', '/2/webhooks', { url: hook.url })).json<object>()
  expect(created).not.toHaveProperty('verify')
  expect(hook.received).toHaveLength(0)
})

it('HOOK-S6: OPTIONS with our host name as WebHook-Request-Origin, and no body; consent makes the webhook', async () => {
  const created = await subscribe()
  expect(created.status).toBe(201)
  expect(await created.json()).toMatchObject({ verify: 'cloudevents', status: 'active' })
  expect(hook.received).toEqual([
    expect.objectContaining({
      method: 'OPTIONS',
      path: '/hook',
      body: '',
      headers: expect.objectContaining({ 'webhook-request-origin': 'charging.example.com' }),
    }),
  ])
  expect(hook.received[0]?.headers).not.toHaveProperty('webhook-signature')
})

it.each([
  ['200 without the header', answer(200, { allow: 'OPTIONS, POST' })],
  ['a rate of 0', answer(200, { ...CONSENT, 'webhook-allowed-rate': '0' })],
  ['a redirect to one that consents', answer(307, { location: '/consents' })],
])('HOOK-S6: %s is no consent: 422, and nothing is stored', async (_, respond) => {
  hook.respond = (response, received, request) => {
    const consents = received.path === '/consents' ? answer(200, CONSENT) : respond
    consents(response, received, request)
  }
  const refused = await subscribe()
  expect(refused.status).toBe(422)
  expect(await refused.json()).toMatchObject({ code: 'consent_missing' })
  expect(await list()).toEqual([])
})

it('HOOK-S6: a receiver that does not answer gave no consent; the problem says how to give it', async () => {
  hook.respond = (response) => response.socket?.destroy()
  expect((await (await subscribe()).json()).detail).toBe(
    'The receiver must answer OPTIONS with WebHook-Allowed-Origin: charging.example.com (or *); it gave no answer (connection_lost).',
  )
})

it('HOOK-S6, HOOK-X1: an address that may not be reached is not asked either', async () => {
  expect((await subscribe({ url: hook.url.replace('127.0.0.1', '[::1]') })).status).toBe(400)
  expect(hook.received).toHaveLength(0)
})

it('HOOK-S6: a new URL is asked before it is taken; the rate is the new receiver’s', async () => {
  hook.respond = answer(200, { ...CONSENT, 'webhook-allowed-rate': '90' })
  const { id } = await (await subscribe()).json()
  const patch = (body: object) => api.call('PATCH', `/2/webhooks/${id}`, body)
  hook.respond = (response, received, request) =>
    (received.path === '/2' ? answer(200, CONSENT) : answer(204))(response, received, request)
  expect((await patch({ url: `${new URL('/1', hook.url)}` })).status).toBe(422)
  expect(await api.get(`/2/webhooks/${id}`)).toMatchObject({ url: hook.url, allowedRatePerMinute: 90 })
  expect(await (await patch({ url: `${new URL('/2', hook.url)}` })).json()).not.toHaveProperty('allowedRatePerMinute')
  const asked = hook.received.length
  expect((await patch({ description: 'billing' })).status).toBe(200)
  expect(hook.received).toHaveLength(asked)
})

it('HOOK-S6: verification can be asked for later, and given up', async () => {
  const { id } = await (await api.call('POST', '/2/webhooks', { url: hook.url })).json()
  hook.respond = answer(200, { ...CONSENT, 'webhook-allowed-rate': '5' })
  const verified = await api.call('PATCH', `/2/webhooks/${id}`, { verify: 'cloudevents' })
  expect(await verified.json()).toMatchObject({ verify: 'cloudevents', allowedRatePerMinute: 5 })
  const without = await (await api.call('PATCH', `/2/webhooks/${id}`, { verify: null })).json<object>()
  expect(Object.keys(without)).not.toEqual(expect.arrayContaining(['verify']))
  expect(Object.keys(without)).not.toEqual(expect.arrayContaining(['allowedRatePerMinute']))
  expect((await api.call('PATCH', `/2/webhooks/${id}`, { verify: 'yes' })).status).toBe(400)
})

it('HOOK-S6: ten questions a minute; strangers are not flooded with them', async () => {
  hook.respond = answer(404)
  for (let count = 0; count < 10; count++) expect((await subscribe()).status).toBe(422)
  const refused = await subscribe()
  expect([refused.status, refused.headers.has('retry-after')]).toEqual([429, true])
  expect(hook.received).toHaveLength(10)
})
