import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Json, until } from './house.ts'
import { roamingHouse } from './roaming-house.ts'
import { customerToken, type Provider, startProvider } from './roaming-partner.ts'

const { house, invited: invitedWith, registeredWith: registeredBeside, exchanges, rotate } = await roamingHouse()
let provider: Provider
beforeEach(async () => {
  provider = await startProvider()
})
afterEach(() => provider.close())

const invited = (version?: '2.2.1' | '2.3.0') => invitedWith(provider, version)
const registeredWith = () => registeredBeside(provider)

describe('the wire', () => {
  it('OCPI-A1: a token is taken in base64, with a line feed, without padding, and plain', async () => {
    await invited()
    const { token, operator } = provider
    const base64 = (text: string): string => Buffer.from(text).toString('base64')
    const status = async (authorization: string): Promise<number> =>
      (await fetch(operator, { headers: { authorization } })).status
    for (const text of [base64(token), base64(`${token}\n`), base64(`${token}\n`).replace(/=+$/, ''), token]) {
      expect(await status(`Token ${text}`)).toBe(200)
    }
    expect((await provider.call('GET', `${operator}/`)).status).toBe(200)
    for (const text of [`Bearer ${token}`, `Token ${base64(`${token}x`)}`, 'Token', 'Token pwo_', '']) {
      expect(await status(text)).toBe(401)
    }
  })

  it('OCPI-A7: ids are echoed everywhere, routing headers at functional modules only', async () => {
    await invited()
    const routing = {
      'ocpi-from-country-code': 'NL',
      'ocpi-from-party-id': 'EMP',
      'ocpi-to-country-code': 'DE',
      'ocpi-to-party-id': 'PWR',
    }
    for (const address of [provider.operator, provider.at('credentials')]) {
      const { headers } = await provider.call('GET', address, undefined, routing)
      expect([headers.get('x-request-id'), headers.get('x-correlation-id')]).toEqual(['r-1', 'c-1'])
      expect(headers.get('ocpi-to-party-id')).toBeNull()
    }
    const { headers, status, body } = await provider.call('GET', provider.at('tokens', '/NL/EMP/x'), undefined, routing)
    expect([status, body.status_code]).toEqual([404, 2004])
    expect(headers.get('ocpi-to-party-id')).toBe('EMP')
    expect(headers.get('ocpi-from-country-code')).toBe('DE')
    expect(headers.get('x-request-id')).toBe('r-1')
  })

  it('OCPI-A6, OCPI-A7: HTTP says transport only', async () => {
    await invited()
    const token = provider.at('tokens', '/NL/EMP/A1')
    const cases: readonly [string, string, unknown, number][] = [
      ['GET', `${house.url}/ocpi/2.3.0/bookings`, undefined, 404],
      ['GET', `${house.url}/ocpi/2.3.0/payments/x`, undefined, 404],
      ['GET', `${house.url}/ocpi/versions/9`, undefined, 404],
      ['GET', provider.at('tokens', '/NL/EMP'), undefined, 404],
      ['DELETE', token, undefined, 405],
      ['POST', provider.operator, {}, 405],
      ['PUT', token, '{"a":', 400],
      ['PUT', token, '', 200],
      ['PUT', token, '[]', 200],
      ['PUT', token, { uid: 1 }, 200],
      ['PUT', token, `${'['.repeat(100)}${']'.repeat(100)}`, 400],
      ['PUT', token, { ...customerToken('A1'), more: 'x'.repeat(1_100_000) }, 413],
    ]
    for (const [method, address, body, status] of cases) {
      const reply = await provider.call(method, address, body)
      expect([method, address, reply.status]).toEqual([method, address, status])
      expect(reply.body).toMatchObject({ status_message: expect.any(String), timestamp: expect.stringMatching(/Z$/) })
      expect(reply.body.status_code).toBeGreaterThanOrEqual(2000)
    }
    expect(
      (await provider.call('PUT', token, customerToken('A1', { more: 'x'.repeat(900_000) }))).body.status_code,
    ).toBe(1000)
    expect((await fetch(`${house.url}/ocpi/2.3.0/bookings`)).status).toBe(401)
  })

  it('OCPI-A8: exchanges of both directions are kept, newest first, cut and without tokens', async () => {
    const { id } = await registeredWith()
    await provider.call('PUT', provider.at('tokens', '/NL/EMP/B1'), customerToken('B1', { more: 'x'.repeat(20_000) }))
    // Both sides read versions and details, one POST, one PUT, and one pull of tokens.
    await until(async () => (await exchanges(id)).length === 7)
    const all = await exchanges(id)
    const put = all.find(({ method }) => method === 'PUT')
    expect(put).toMatchObject({ direction: 'in', status: 200, statusCode: 1000, attempt: 1 })
    expect(String(put?.request)).toHaveLength(16 * 1024)
    expect(all.map(({ at }) => at)).toEqual(
      all
        .map(({ at }) => String(at))
        .sort()
        .reverse(),
    )
    const post = all.find(({ method }) => method === 'POST')
    expect(post).toMatchObject({ direction: 'out', status: 200, request: expect.stringContaining('"token":"…"') })
    expect(JSON.stringify(all)).not.toMatch(/pwo_|provider-token/)
    const first = (await house.request('GET', `/2/ocpi/partners/${id}/exchanges?limit=3`)).body as {
      data: Json[]
      meta: { nextCursor: string }
    }
    const rest = await house.list(`/2/ocpi/partners/${id}/exchanges?limit=3&cursor=${first.meta.nextCursor}`)
    expect([...first.data, ...rest].map((one) => one.id)).toEqual(all.slice(0, 6).map((one) => one.id))
  })

  it('OCPI-A8: what we sent can be sent again, but no credentials', async () => {
    const { id } = await registeredWith()
    const all = await exchanges(id)
    const replay = (one: Json | undefined) =>
      house.request('POST', `/2/ocpi/partners/${id}/exchanges/${one?.id}/replay`)
    provider.asked.length = 0
    expect(await replay(all.find(({ url }) => url === provider.url))).toMatchObject({
      status: 200,
      body: {},
    })
    expect(provider.asked[0]).toMatchObject({ method: 'GET', path: '/versions' })
    expect((await replay(all.find(({ method }) => method === 'POST'))).status).toBe(409)
  })

  it('OCPI-A8: a partner that repeats our token leaves none in an exchange, nor does one in an address', async () => {
    const { id } = await registeredWith()
    provider.instead = ({ method, body }) =>
      method === 'PUT'
        ? { text: JSON.stringify({ status_code: 2001, status_message: `bad ${body?.token}` }) }
        : undefined
    expect((await house.request('POST', `/2/ocpi/partners/${id}/rotate`)).status).toBe(422)
    await provider.call('GET', `${provider.operator}?key=${provider.token}`)
    await until(async () => (await exchanges(id)).some(({ url }) => String(url).includes('?key=…')))
    const all = JSON.stringify(await exchanges(id))
    expect(all).toContain('bad …')
    expect(all).not.toContain('pwo_')
  })

  it('OCPI-A1: a partner that is suspended while its tokens are rotated stays so', async () => {
    const { id } = await registeredWith()
    provider.instead = async (asked) => {
      const reply = asked.method === 'PUT' ? await provider.answer(asked) : undefined
      if (reply) await house.request('PATCH', `/2/ocpi/partners/${id}`, { state: 'suspended' })
      return reply
    }
    expect((await rotate(id)).status).toBe(200)
    expect((await house.request('GET', `/2/ocpi/partners/${id}`)).body.state).toBe('suspended')
  })

  it('OCPI-A8: nothing is sent again to a host that the partner has left', async () => {
    const { id } = await invited()
    const moved = await startProvider()
    moved.valid.add('T9')
    const put = await provider.call('PUT', provider.at('credentials'), moved.credentials('T9'))
    expect(put.body.status_code).toBe(1000)
    provider.asked.length = 0
    const before = (await exchanges(id)).find(({ url }) => url === provider.url)
    const again = await house.request('POST', `/2/ocpi/partners/${id}/exchanges/${before?.id}/replay`)
    expect([again.status, provider.asked]).toEqual([409, []])
    await moved.close()
  })
})

describe('tokens', () => {
  it('OCPI-A3: are put, read and patched; what is not in a patch stays, and uids have no case', async () => {
    await invited()
    const address = provider.at('tokens', '/nl/emp/0aB1')
    const token = customerToken('0aB1', { visual_number: 'V 1', custom: { deep: [1] } })
    expect((await provider.call('PUT', address, token)).body.status_code).toBe(1000)
    expect((await provider.call('GET', provider.at('tokens', '/NL/EMP/0AB1'))).body.data).toEqual(token)
    const patch = { valid: false, last_updated: '2026-11-29T11:00:00' }
    expect((await provider.call('PATCH', address, patch)).body.status_code).toBe(1000)
    expect((await provider.call('GET', address)).body.data).toEqual({ ...token, ...patch })
    expect((await provider.call('PATCH', address, { valid: true })).body).toMatchObject({
      status_code: 2001,
      status_message: expect.stringContaining('last_updated'),
    })
    const unknown = await provider.call('PATCH', provider.at('tokens', '/NL/EMP/none'), patch)
    expect([unknown.status, unknown.body.status_code]).toEqual([200, 2004])
    expect((await provider.call('GET', `${address}?type=APP_USER`)).status).toBe(404)
    const app = customerToken('0aB1', { type: 'APP_USER' })
    expect((await provider.call('PUT', `${address}?type=APP_USER`, app)).body.status_code).toBe(1000)
    expect((await provider.call('GET', `${address}?type=APP_USER`)).body.data).toEqual(app)
  })

  it.each<[string, Json]>([
    ['uid', { uid: 'x'.repeat(37) }],
    ['uid', { uid: 'other' }],
    ['country_code', { country_code: 'BE' }],
    ['party_id', { party_id: 'XXX' }],
    ['whitelist', { whitelist: 'SOMETIMES' }],
    ['valid', { valid: 'yes' }],
    ['issuer', { issuer: null }],
    ['last_updated', { last_updated: '2026-11-29T10:00:00+00:00' }],
    ['last_updated', { last_updated: 'yesterday' }],
    ['type', { type: '' }],
    ['energy_contract.supplier_name', { energy_contract: {} }],
  ])(
    'OCPI-A3, OCPI-A7: a token with a wrong %s is refused with 2001 and its name, and not stored',
    async (name, more) => {
      await invited()
      const address = provider.at('tokens', '/NL/EMP/W1')
      const { status, body } = await provider.call('PUT', address, customerToken('W1', more))
      expect([status, body.status_code]).toEqual([200, 2001])
      expect(body.status_message).toContain(name)
      expect((await provider.call('GET', address)).status).toBe(404)
    },
  )

  it('OCPI-A7: unknown values of open enumerations are taken at 2.3.0, and refused at 2.2.1', async () => {
    await invited('2.3.0')
    const token = customerToken('E1', { type: 'IMPLANT', language: null })
    const { language: _, ...kept } = token
    const address = provider.at('tokens', '/NL/EMP/E1?type=IMPLANT')
    expect((await provider.call('PUT', address, token)).body.status_code).toBe(1000)
    expect((await provider.call('GET', address)).body.data).toEqual(kept)
    await invited('2.2.1')
    const refused = await provider.call('PUT', provider.at('tokens', '/NL/EMP/E1?type=IMPLANT'), token)
    expect(refused.body).toMatchObject({ status_code: 2001, status_message: expect.stringContaining('type') })
  })

  it('OCPI-A3, OCPI-A9: are pulled page by page at registration, of every party, wrong ones passed over', async () => {
    provider.roles = [...provider.roles, { ...provider.roles[0], country_code: 'BE', party_id: 'SUB' }]
    provider.tokens = [
      ...['P1', 'P2', 'P3', 'P4'].map((uid) => customerToken(uid)),
      { uid: 'nonsense' },
      customerToken('P5', { country_code: 'BE', party_id: 'SUB' }),
      customerToken('P6', { party_id: 'XXX' }),
    ]
    const { id } = await invited()
    await until(async () => {
      const { body } = await house.request('GET', `/2/ocpi/partners/${id}`)
      return body.tokensPulledAt !== undefined
    })
    for (const uid of ['P1', 'P4']) {
      expect((await provider.call('GET', provider.at('tokens', `/NL/EMP/${uid}`))).body.data).toEqual(
        customerToken(uid),
      )
    }
    expect((await provider.call('GET', provider.at('tokens', '/BE/SUB/P5'))).status).toBe(200)
    expect((await provider.call('GET', provider.at('tokens', '/NL/XXX/P6'))).status).toBe(404)
    const pulls = provider.asked.filter(({ path }) => path.startsWith('/2.3.0/tokens'))
    expect(pulls).toHaveLength(8)
    expect(pulls.map(({ headers }) => headers['ocpi-to-party-id'])).toEqual(
      [...'EEEESSSS'].map((one) => (one === 'E' ? 'EMP' : 'SUB')),
    )
    expect(pulls[0]?.headers['ocpi-from-party-id']).toBe('PWR')
  })
})
