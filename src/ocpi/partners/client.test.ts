import { afterAll, beforeEach, expect, it } from 'vitest'
import { type Provider, startProvider } from '../../../test/roaming-partner.ts'
import type { Partner } from '../../domain/partners/records.ts'
import { sealedBox } from '../../secrets/sealed-box.ts'
import { systemClock } from '../../server/system.ts'
import { createSender } from '../../webhooks/sending/sender.ts'
import { createPartnerClient } from './client.ts'

const random = (bytes: number): Buffer => Buffer.alloc(bytes, 7)
const sealed = sealedBox(Buffer.alloc(32, 1), 'partnerTokens', random)
const limits = { connectTimeoutMs: 5000, totalTimeoutMs: 15_000, allowPrivate: ['127.0.0.1'] }
const sender = createSender(limits, systemClock, async () => ['127.0.0.1'])
const noted: { readonly url: string; readonly status: number }[] = []
const exchanges = {
  note: (_: Partner, exchange: (typeof noted)[number]) => void noted.push(exchange),
  flush: async () => {},
}
const stopping = new AbortController()
const client = createPartnerClient({
  ...systemClock,
  sender,
  exchanges,
  sealed,
  random,
  baseUrl: 'https://cpo.example',
  stopping: stopping.signal,
})
const partner = { accountId: 'a', partnerId: 'p', sealedToken: sealed.seal('T', 'p') } as Partner

const provider: Provider = await startProvider()
beforeEach(() => {
  noted.length = 0
  provider.asked.length = 0
  provider.valid.add('T')
})
afterAll(async () => {
  await sender.close()
  await provider.close()
})

const get = (more: object = {}) => client.call(partner, { method: 'GET', url: provider.url, ...more })

it('OCPI-A1, OCPI-A9: sends the token in base64, ids, and routing headers only where they belong', async () => {
  expect(await get()).toMatchObject({ ok: true, code: 1000, status: 200 })
  const [plain] = provider.asked
  expect(plain?.headers).toMatchObject({ authorization: 'Token VA==', 'x-request-id': expect.any(String) })
  expect(Object.keys(plain?.headers ?? {}).filter((name) => name.startsWith('ocpi-'))).toEqual([])
  const [from, to] = [
    { countryCode: 'DE', partyId: 'PWR' },
    { countryCode: 'NL', partyId: 'EMP' },
  ]
  await get({ routing: { from, to } })
  expect(provider.asked[1]?.headers).toMatchObject({ 'ocpi-from-party-id': 'PWR', 'ocpi-to-country-code': 'NL' })
  expect(noted).toMatchObject([{ url: provider.url, status: 200 }, {}])
})

it('OCPI-A1: a partner that is slow, or hangs up, may have done it; one that was never reached has not', async () => {
  provider.instead = () => new Promise(() => {})
  expect(await get({ timeoutMs: 50 })).toMatchObject({ ok: false, isUncertain: true })
  provider.instead = () => 'hang up'
  expect(await get()).toMatchObject({ ok: false, isUncertain: true })
  provider.instead = () => undefined
  expect(await get({ url: 'http://127.0.0.1:1/' })).toMatchObject({ ok: false, isUncertain: false })
  for (const url of ['http://127.0.0.2/', 'https://cpo.example/ocpi/versions', 'file:///x', 'nonsense']) {
    expect(await get({ url })).toMatchObject({ ok: false, isUncertain: false })
  }
  expect(noted.map(({ status }) => status)).toEqual([0, 0, 0, 0])
})

it.each([
  ['no envelope', { text: '{}' }, {}],
  ['a status_code that is a text', { text: '{"status_code":"1000"}' }, {}],
  ['another status_code', { code: 2001 }, { code: 2001 }],
  ['HTTP 500', { status: 500, code: 3000 }, { code: 3000 }],
])('OCPI-A1: %s is no success', async (_, reply, has) => {
  provider.instead = () => reply
  expect(await get()).toMatchObject({ ok: false, message: expect.any(String), ...has })
  provider.instead = () => undefined
})

it('OCPI-A2: links that lead back end the pull, and so does what is no list', async () => {
  const pages = async () => {
    const seen: unknown[] = []
    for await (const page of client.pages(partner, { url: `${provider.root}/2.3.0/tokens?limit=2` })) seen.push(page)
    return seen
  }
  const link = (to: string) => ({ data: [], headers: { link: `<${to}>; rel="next"` } })
  provider.instead = ({ path }) =>
    link(path.includes('limit=2') ? '/x?offset=1' : 'https://elsewhere.example/y?limit=2')
  expect(await pages()).toEqual([[], [], expect.objectContaining({ ok: false })])
  expect(provider.asked.map(({ path }) => path)).toEqual(['/2.3.0/tokens?limit=2', '/2.3.0/tokens?offset=1'])
  provider.instead = () => ({ data: { tokens: [] } })
  expect(await pages()).toMatchObject([{ ok: false }])
  provider.instead = () => undefined
})

it('OCPI-A1: a token that was sealed for another partner is not sent', async () => {
  const other = { ...partner, partnerId: 'q' }
  expect(await client.call(other, { method: 'GET', url: provider.url })).toMatchObject({ ok: false })
  expect(provider.asked).toEqual([])
})
