import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Json, until } from './house.ts'
import { roamingHouse, statusWith as statusAt } from './roaming-house.ts'
import { type Provider, startProvider } from './roaming-partner.ts'

const {
  house,
  invite,
  invited: invitedWith,
  registeredWith: registeredBeside,
  rotate,
  exchanges,
} = await roamingHouse()
let provider: Provider
beforeEach(async () => {
  provider = await startProvider()
})
afterEach(() => provider.close())

const invited = (version?: '2.2.1' | '2.3.0') => invitedWith(provider, version)
const registeredWith = () => registeredBeside(provider)
const statusWith = (token: string, address = provider.operator) => statusAt(token, address)

describe('registering', () => {
  it.each(['2.2.1', '2.3.0'] as const)('OCPI-A1: a partner registers with token A at %s, once', async (version) => {
    const partner = await invited(version)
    expect(partner).toMatchObject({
      state: 'registered',
      version,
      versionsUrl: provider.url,
      roles: [{ role: 'EMSP', countryCode: 'NL', partyId: 'EMP' }],
      endpoints: [{ identifier: 'credentials' }, { identifier: 'tokens' }],
    })
    expect(JSON.stringify(partner)).not.toContain('pwo_')
    const own = await provider.call('GET', provider.at('credentials'))
    expect(own.body.data).toMatchObject({ token: provider.token, url: provider.operator })
    expect((await provider.exchange('POST')).status).toBe(405)
  })

  it('OCPI-A1: token A is good until the new token was used, also when the answer to POST was lost', async () => {
    const { versionsUrl, token = '' } = await invite()
    await provider.register(versionsUrl, token)
    const lost = provider.token
    provider.token = token
    expect((await provider.exchange('POST')).body.status_code).toBe(1000)
    expect(provider.token).not.toBe(lost)
    expect(await statusWith(token)).toBe(200)
    expect(await statusWith(provider.token)).toBe(200)
    expect(await statusWith(token)).toBe(401)
    expect(await statusWith(lost)).toBe(401)
  })

  it('OCPI-A1: we register with a partner, at the highest version that both have', async () => {
    const partner = await registeredWith()
    expect(partner).toMatchObject({ version: '2.3.0', roles: [{ partyId: 'EMP' }], endpoints: [{}, {}] })
    const posted = provider.asked.filter(({ method }) => method === 'POST')
    expect(posted).toMatchObject([{ body: { roles: [{ role: 'CPO', country_code: 'DE' }] } }])
    expect(posted[0]?.headers).not.toHaveProperty('ocpi-to-party-id')
    expect((await provider.call('GET', provider.operator)).status).toBe(200)
  })

  it('OCPI-A1: a registration whose answer is lost goes on from either side', async () => {
    const token = provider.fresh()
    provider.valid.add(token)
    const order = { name: 'X', url: provider.url, token }
    const loseAnswer = async (asked: { method: string; body: Json | undefined }) => {
      if (asked.method !== 'POST') return undefined
      provider.token = String(asked.body?.token)
      return 'hang up' as const
    }
    provider.instead = loseAnswer
    const first = await house.request('POST', '/2/ocpi/partners', order)
    expect([first.status, first.body.code]).toEqual([422, 'partner_refused'])
    const [id] = /[0-9a-f]{16}/.exec(String(first.body.detail)) ?? []
    // The partner has our token: it sends its credentials with it.
    provider.instead = () => undefined
    await provider.learn(`${house.url}/ocpi/versions`, provider.token, '2.3.0')
    expect((await provider.exchange('PUT')).body.status_code).toBe(1000)
    expect((await house.request('GET', `/2/ocpi/partners/${id}`)).body.state).toBe('registered')

    // And the same from ours: what was begun goes on, although the partner thinks that we are registered.
    await house.request('DELETE', `/2/ocpi/partners/${id}`)
    provider.valid.add(token)
    provider.instead = loseAnswer
    const again = await house.request('POST', '/2/ocpi/partners', order)
    const [other] = /[0-9a-f]{16}/.exec(String(again.body.detail)) ?? []
    provider.instead = ({ method }) => (method === 'POST' ? { status: 405 } : undefined)
    const { status, body } = await house.request('POST', '/2/ocpi/partners', order)
    expect([status, body.id, body.state]).toEqual([201, other, 'registered'])
  })

  it.each<[string, Parameters<typeof Object.assign>[1]]>([
    ['redirects', { status: 302, headers: { location: '/elsewhere' } }],
    ['answers no JSON', { text: '<html>' }],
    ['answers a list', { text: '[]' }],
    ['refuses the token', { status: 401, code: 2000 }],
    ['answers an error', { code: 3000 }],
    ['answers 11 MB', { text: `{"status_code":1000,"data":["${'x'.repeat(11_000_000)}"]}` }],
    ['has no version of ours', { data: [{ version: '2.1.1', url: 'http://127.0.0.1:1/' }] }],
    ['names another scheme', { data: [{ version: '2.3.0', url: 'file:///etc/passwd' }] }],
  ])('OCPI-A1: a partner that %s is not registered', async (_, reply) => {
    provider.instead = () => reply
    const order = { name: 'X', url: provider.url, token: 'a' }
    const { status, body } = await house.request('POST', '/2/ocpi/partners', order)
    expect([status, body.code]).toEqual([422, 'partner_refused'])
    const { data } = (await house.request('GET', '/2/ocpi/partners?limit=500')).body as { data: Json[] }
    expect(data.filter(({ versionsUrl }) => versionsUrl === provider.url)).toMatchObject([{ state: 'invited' }])
  })

  it('OCPI-A1: neither an address inside nor our own is called', async () => {
    for (const url of ['http://10.0.0.1/versions', `${house.url}/ocpi/versions`]) {
      const { status } = await house.request('POST', '/2/ocpi/partners', { name: 'X', url, token: 'a' })
      expect(status).toBe(422)
    }
    const { versionsUrl, token = '' } = await invite()
    await provider.learn(versionsUrl, token, '2.3.0')
    provider.token = token
    const sent = { ...provider.credentials('a'), url: versionsUrl }
    const { body } = await provider.call('POST', provider.at('credentials'), sent)
    expect(body).toMatchObject({ status_code: 2001, status_message: expect.stringContaining('url') })
  })

  it('OCPI-A1: a partner that cannot be called is told so, and stays invited', async () => {
    const { id, versionsUrl, token = '' } = await invite()
    await provider.learn(versionsUrl, token, '2.3.0')
    provider.token = token
    provider.instead = () => ({ status: 500 })
    expect((await provider.exchange('POST')).body.status_code).toBe(3001)
    provider.instead = ({ path }) => (path === '/versions' ? { data: [] } : undefined)
    expect((await provider.exchange('POST')).body.status_code).toBe(3002)
    provider.instead = ({ path }) => (path === '/2.3.0' ? { data: { endpoints: [] } } : undefined)
    expect((await provider.exchange('POST')).body.status_code).toBe(3003)
    expect((await house.request('GET', `/2/ocpi/partners/${id}`)).body.state).toBe('invited')
    provider.instead = () => undefined
    expect((await provider.exchange('PUT')).status).toBe(405)
    expect((await provider.exchange('POST')).body.status_code).toBe(1000)
  })
})

describe('rotating', () => {
  it('OCPI-A1: the partner rotates: its old token holds until the new one was used; endpoints are read again', async () => {
    const { id } = await invited()
    const old = provider.token
    await provider.call('GET', provider.operator)
    provider.asked.length = 0
    expect((await provider.exchange('PUT')).body.status_code).toBe(1000)
    expect(provider.asked.map(({ path }) => path)).toEqual(['/versions', '/2.3.0'])
    expect(await statusWith(old)).toBe(200)
    expect(await statusWith(provider.token)).toBe(200)
    expect(await statusWith(old)).toBe(401)
    await until(async () => (await exchanges(id)).some(({ status }) => status === 401))
    const refused = (await exchanges(id)).find(({ status }) => status === 401)
    expect(refused?.response).toContain('newer one')
  })

  it('OCPI-A1: a PUT that cannot be carried out changes nothing', async () => {
    const { id } = await invited()
    const before = (await house.request('GET', `/2/ocpi/partners/${id}`)).body
    provider.instead = () => ({ status: 503 })
    const old = provider.token
    expect((await provider.exchange('PUT')).body.status_code).toBe(3001)
    provider.instead = () => undefined
    expect(await statusWith(old)).toBe(200)
    const { updatedAt: _, ...after } = (await house.request('GET', `/2/ocpi/partners/${id}`)).body
    expect(before).toMatchObject({ ...after, lastContactAt: before.lastContactAt })
  })

  it('OCPI-A1: we rotate both ways, and old tokens end with the first use of the new ones', async () => {
    const { id } = await registeredWith()
    const old = provider.token
    await provider.call('GET', provider.operator)
    expect(await rotate(id)).toMatchObject({ status: 200, body: { state: 'registered' } })
    expect(provider.token).not.toBe(old)
    expect(await statusWith(old)).toBe(200)
    expect(await statusWith(provider.token)).toBe(200)
    expect(await statusWith(old)).toBe(401)
    expect(await rotate(id)).toMatchObject({ status: 200 })
    expect(provider.valid.size).toBeLessThanOrEqual(2)
  })

  it('OCPI-A1: a rotation that fails leaves the old tokens valid, even when the new one was tried', async () => {
    const { id } = await registeredWith()
    const old = provider.token
    await provider.call('GET', provider.operator)
    for (const failure of [{ status: 400, code: 2001 }, { code: 3001 }, { status: 500 }, 'hang up'] as const) {
      provider.instead = async ({ method, body }) => {
        if (method !== 'PUT') return undefined
        expect(await statusWith(String(body?.token), `${house.url}/ocpi/2.3.0`)).toBe(200)
        return failure
      }
      expect(await rotate(id)).toMatchObject({ status: 422, body: { code: 'partner_refused' } })
      expect(await statusWith(old, provider.at('credentials'))).toBe(200)
    }
    provider.instead = () => undefined
    expect(await rotate(id)).toMatchObject({ status: 200 })
  })

  it('OCPI-A1: DELETE withdraws from either side', async () => {
    const { id } = await invited()
    expect((await provider.call('DELETE', provider.at('credentials'))).body.status_code).toBe(1000)
    expect(await statusWith(provider.token)).toBe(401)
    expect((await house.request('GET', `/2/ocpi/partners/${id}`)).body).toMatchObject({
      state: 'removed',
      endpoints: [],
    })
    const { id: other } = await invited()
    expect((await house.request('DELETE', `/2/ocpi/partners/${other}`)).status).toBe(204)
    const withdrawn = { method: 'DELETE', path: '/2.3.0/credentials' }
    expect(provider.asked).toContainEqual(expect.objectContaining(withdrawn))
    expect(await statusWith(provider.token)).toBe(401)
    expect(await rotate(other)).toMatchObject({ status: 409 })
  })

  it('OCPI-A1: a suspended partner is refused until it is taken up again', async () => {
    const { id } = await invited()
    const patch = (state: string) => house.request('PATCH', `/2/ocpi/partners/${id}`, { state })
    expect((await patch('suspended')).body.state).toBe('suspended')
    expect(await statusWith(provider.token)).toBe(401)
    expect((await patch('registered')).body.state).toBe('registered')
    expect(await statusWith(provider.token)).toBe(200)
  })

  it('OCPI-A8: a partner that registers, is suspended, taken up again, renamed and removed is an event but once', async () => {
    const { id } = await invited()
    const patch = (change: Json) => house.request('PATCH', `/2/ocpi/partners/${id}`, change)
    await patch({ state: 'suspended' })
    await patch({ state: 'suspended' })
    await patch({ state: 'registered' })
    await patch({ name: 'Beyond' })
    await house.request('DELETE', `/2/ocpi/partners/${id}`)
    const events = (await house.list('/2/events?type=ocpi.partner&limit=500')) as readonly { readonly data: Json }[]
    const own = events.filter(({ data }) => data.partnerId === id)
    expect(own.map(({ data }) => [data.previousState, data.state, data.name])).toEqual([
      ['invited', 'registered', 'Elsewhere'],
      ['registered', 'suspended', 'Elsewhere'],
      ['suspended', 'registered', 'Elsewhere'],
      ['registered', 'removed', 'Beyond'],
    ])
  })
})
