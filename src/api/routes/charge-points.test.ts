import { afterAll, describe, expect, it } from 'vitest'
import { START, startApi, tokenOf } from '../../../test/support/api/testing.ts'
import { matchPassword } from '../../ocpp/credentials.ts'
import type { TokenPrincipal } from '../access/principal.ts'

const PATH = '/2/evse-controllers'
const secretKey = Buffer.alloc(32, 7)
let token: TokenPrincipal | undefined

const api = await startApi({ settings: { secretKey }, parts: { verifyAccessToken: async () => token } })
afterAll(() => api.close())

const create = async (body: unknown) => {
  const answer = await api.call('POST', PATH, body)
  return { status: answer.status, location: answer.headers.get('location'), body: await answer.json() }
}
const change = async (id: string, body: unknown) => {
  const answer = await api.call('PATCH', `${PATH}/${encodeURIComponent(id)}`, body)
  return { status: answer.status, body: await answer.json() }
}
const stored = async (id: string) => (await api.reads.findChargePoint(id))?.passwordHash ?? ''
const as = (chargePoints: TokenPrincipal['chargePoints'], ...scopes: string[]) => {
  token = tokenOf({ scopes, chargePoints })
  return { authorization: 'Bearer pwa_1' }
}

describe('creating charge points', () => {
  it('API-A5: a missing password is generated, shown once, and only its hash is kept', async () => {
    const { status, location, body } = await create({ id: 'NEW-1', name: 'Garage' })
    expect([status, location]).toEqual([201, `${PATH}/NEW-1`])
    expect(body).toEqual({
      id: 'NEW-1',
      name: 'Garage',
      online: false,
      registrationStatus: 'Accepted',
      connectors: [],
      securityProfile: 1,
      password: expect.stringMatching(/^[0-9a-f]{40}$/),
    })
    expect(matchPassword(Buffer.from(body.password), await stored('NEW-1'), secretKey)).toBeDefined()
    expect(await api.get(`${PATH}/NEW-1`)).not.toHaveProperty('password')
    expect(JSON.stringify(await api.get(PATH))).not.toMatch(/v1\$|password/)
  })

  it('API-A5: a password of one’s own is used and never shown', async () => {
    const password = 'correct horse battery'
    const { status, body } = await create({
      id: 'NEW-2',
      password,
      securityProfile: 2,
      protocols: ['ocpp2.0.1'],
      validation: 'strict',
    })
    expect([status, body.password, body.protocols, body.validation]).toEqual([201, undefined, ['ocpp2.0.1'], 'strict'])
    expect(matchPassword(Buffer.from(password), await stored('NEW-2'), secretKey)).toBeDefined()
  })

  it('API-A5: security profile 0 has no password', async () => {
    const { status, body } = await create({ id: 'NEW-0', securityProfile: 0 })
    expect([status, body.password, await stored('NEW-0')]).toEqual([201, undefined, ''])
    const both = await create({ id: 'NEW-00', securityProfile: 0, password: 'x'.repeat(20) })
    expect([both.status, both.body.code]).toEqual([400, 'password_not_used'])
  })

  it.each(['short', 'x'.repeat(15), 'x'.repeat(41), `${'x'.repeat(20)}\n`])(
    'API-A5: the password %j breaks the rule',
    async (password) => {
      const { status, body } = await create({ id: 'NEW-3', password })
      expect([status, body.code, body.errors[0].pointer]).toEqual([400, 'password_rule', '/password'])
      expect(JSON.stringify(body)).not.toContain(JSON.stringify(password).slice(1, -1))
    },
  )

  it('OCPP-T4: the same identity again is 409, and so is one that differs only in case', async () => {
    await create({ id: 'Twin' })
    const again = await create({ id: 'Twin' })
    expect([again.status, again.body.code]).toEqual([409, 'charge_point_exists'])
    const other = await create({ id: 'TWIN' })
    expect([other.status, other.body.code]).toEqual([409, 'charge_point_differs_in_case'])
    const foreign = await create({ id: 'cp-other' })
    expect(foreign.status).toBe(409)
  })

  it('OCPP-T1: an identity with blanks, slashes and per cent signs is reached under its encoded name', async () => {
    const id = 'RDAM 12/3 50% ü'
    const { status, location } = await create({ id })
    expect([status, location]).toEqual([201, `${PATH}/${encodeURIComponent(id)}`])
    expect((await api.get(location ?? '')) as object).toMatchObject({ id })
  })

  it.each([
    [{}, '/id', 'required'],
    [{ id: '' }, '/id', 'out_of_range'],
    [{ id: 'x'.repeat(256) }, '/id', 'out_of_range'],
    [{ id: 'a\nb' }, '/id', 'invalid_identity'],
    [{ id: '..' }, '/id', 'invalid_identity'],
    [{ id: 'a:b', protocols: ['ocpp2.0.1'] }, '/id', 'invalid_identity'],
    [{ id: 'x'.repeat(49), protocols: ['ocpp2.0.1'] }, '/id', 'invalid_identity'],
    [{ id: 'A', protocols: ['ocpp1.5'] }, '/protocols/0', 'invalid_value'],
    [{ id: 'A', protocols: [] }, '/protocols', 'out_of_range'],
    [{ id: 'A', securityProfile: 4 }, '/securityProfile', 'invalid_value'],
    [{ id: 'A', validation: 'loose' }, '/validation', 'invalid_value'],
    [{ id: 'A', registrationStatus: 'Accepted' }, '/registrationStatus', 'unknown_field'],
    [{ id: 'A', accountId: 'acc2' }, '/accountId', 'unknown_field'],
  ])('API-A5: %j is refused at %s', async (body, pointer, code) => {
    const answer = await create(body)
    expect([answer.status, answer.body.errors]).toEqual([400, [{ pointer, code, message: expect.any(String) }]])
  })
})

describe('reading charge points', () => {
  it('API-A5: what it reported and whether it is online', async () => {
    await create({ id: 'LIVE' })
    await api.store.core.commit([
      {
        chargePointId: 'LIVE',
        status: {
          protocol: 'ocpp1.6',
          vendor: 'V',
          model: 'M',
          serialNumber: 'S',
          firmwareVersion: 'F',
          lastSeenAt: START,
        },
        connectors: [
          { connectorId: 1, status: 'Charging', errorCode: 'NoError', updatedAt: START },
          { evseId: 1, connectorId: 2, status: 'Available', updatedAt: START },
        ],
      },
    ])
    const expected = {
      id: 'LIVE',
      protocol: 'ocpp1.6',
      online: false,
      lastSeenAt: '2026-08-01T12:00:00.000Z',
      registrationStatus: 'Accepted',
      vendor: 'V',
      model: 'M',
      serialNumber: 'S',
      firmwareVersion: 'F',
      securityProfile: 1,
    }
    const found: Record<string, unknown> = await api.get(`${PATH}/LIVE`)
    expect(found).toMatchObject(expected)
    expect(found.connectors).toEqual([
      { connectorId: 1, status: 'Charging', errorCode: 'NoError', updatedAt: '2026-08-01T12:00:00.000Z' },
      { evseId: 1, connectorId: 2, status: 'Available', updatedAt: '2026-08-01T12:00:00.000Z' },
    ])
    api.recording.online.add('LIVE')
    expect(await api.get(`${PATH}/LIVE`)).toMatchObject({ online: true })
  })

  it('API-B2: the list is paged by cursor, by id, own account only', async () => {
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page: { data: { id: string }[]; meta: { nextCursor?: string } } = await (
        await api.call('GET', `${PATH}?limit=2${cursor ? `&cursor=${cursor}` : ''}`)
      ).json()
      seen.push(...page.data.map((one) => one.id))
      cursor = page.meta.nextCursor
    } while (cursor)
    expect(seen).toEqual([...seen].sort())
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen).toContain('CP1')
    expect(seen).not.toContain('CP-OTHER')
  })

  it('OIDC-C6: a grant sees the charge points it shares, page by page, and nothing else', async () => {
    const headers = as(['NEW-1', 'CP1', 'GONE', 'CP-OTHER', 'LIVE'], 'chargers:read')
    const ids: string[] = []
    let cursor: string | undefined
    do {
      const answer = await api.call('GET', `${PATH}?limit=2${cursor ? `&cursor=${cursor}` : ''}`, undefined, headers)
      const page: { data: { id: string }[]; meta: { nextCursor?: string } } = await answer.json()
      ids.push(...page.data.map((one) => one.id))
      cursor = page.meta.nextCursor
    } while (cursor)
    expect(ids).toEqual(['CP1', 'LIVE', 'NEW-1'])
    expect((await api.call('GET', `${PATH}/NEW-2`, undefined, headers)).status).toBe(404)
    expect((await api.call('GET', `${PATH}/CP-OTHER`, undefined, headers)).status).toBe(404)
    expect((await api.call('GET', `${PATH}/CP1`, undefined, as('all', 'sessions:read'))).status).toBe(403)
  })
})

describe('changing and deleting charge points', () => {
  it('OCPP-AU5: a pending charge point is approved or rejected', async () => {
    await create({ id: 'WAIT' })
    for (const registrationStatus of ['Pending', 'Rejected', 'Accepted']) {
      expect(await change('WAIT', { registrationStatus })).toMatchObject({ status: 200, body: { registrationStatus } })
    }
    expect(api.recording.disconnected).not.toContain('WAIT')
  })

  it('OCPP-AU6: a new password of one that has connected before warns that it is not told', async () => {
    await create({ id: 'TOLD' })
    const password = 'a password of its own'
    expect((await change('TOLD', { password })).body).not.toHaveProperty('warning')
    await api.store.core.commit([{ chargePointId: 'TOLD', status: { protocol: 'ocpp1.6', lastSeenAt: START } }])
    const warning = expect.stringContaining('BasicAuthPassword')
    expect((await change('TOLD', { password })).body).toMatchObject({ warning })
    expect((await change('TOLD', { name: 'Other' })).body).not.toHaveProperty('warning')
  })

  it('API-A5: null removes what is optional', async () => {
    await create({ id: 'EDIT', name: 'Old', protocols: ['ocpp1.6'], validation: 'off' })
    expect((await change('EDIT', { name: 'New' })).body.name).toBe('New')
    const { body } = await change('EDIT', { name: null, protocols: null, validation: null })
    expect(body).not.toHaveProperty('name')
    expect(body).not.toHaveProperty('protocols')
    expect(body).not.toHaveProperty('validation')
  })

  it('OCPP-AU6: a new password replaces the old one and closes the connection', async () => {
    await create({ id: 'KEY', password: 'the first password' })
    const { status } = await change('KEY', { password: 'the second password' })
    expect(status).toBe(200)
    expect(matchPassword(Buffer.from('the second password'), await stored('KEY'), secretKey)).toBeDefined()
    expect(matchPassword(Buffer.from('the first password'), await stored('KEY'), secretKey)).toBeUndefined()
    expect(api.recording.disconnected.filter((id) => id === 'KEY')).toHaveLength(1)
  })

  it('API-A5: only security profile 0 goes without a password', async () => {
    await create({ id: 'PROFILE' })
    expect((await change('PROFILE', { password: null })).body.code).toBe('password_required')
    expect((await change('PROFILE', { password: 'short' })).body.code).toBe('password_rule')
    expect((await change('PROFILE', { securityProfile: 0 })).status).toBe(200)
    expect(await stored('PROFILE')).toBe('')
    expect((await change('PROFILE', { securityProfile: 1 })).body.code).toBe('password_required')
    expect((await change('PROFILE', { securityProfile: 1, password: 'x'.repeat(16) })).status).toBe(200)
    expect(api.recording.disconnected.filter((id) => id === 'PROFILE')).toHaveLength(2)
  })

  it('OCPP-AU4: a disabled charge point is disconnected', async () => {
    await create({ id: 'OFF' })
    expect((await change('OFF', { disabled: true })).body.disabled).toBe(true)
    expect(api.recording.disconnected).toContain('OFF')
    expect((await change('OFF', { disabled: false })).body).not.toHaveProperty('disabled')
  })

  it('API-A6: a deleted one is gone and disconnected', async () => {
    await create({ id: 'DEL' })
    expect((await api.call('DELETE', `${PATH}/DEL`)).status).toBe(204)
    expect(api.recording.disconnected).toContain('DEL')
    expect((await api.call('GET', `${PATH}/DEL`)).status).toBe(404)
    expect((await api.call('DELETE', `${PATH}/DEL`)).status).toBe(404)
  })

  it('API-A5, OIDC-C11: another account’s charge point cannot be touched, and tokens change nothing', async () => {
    expect((await change('CP-OTHER', { name: 'mine' })).status).toBe(404)
    expect((await api.call('DELETE', `${PATH}/CP-OTHER`)).status).toBe(404)
    expect(await api.reads.findChargePoint('CP-OTHER')).toBeDefined()
    const headers = as('all', 'chargers:read', 'chargers:control')
    for (const [method, path] of [
      ['POST', PATH],
      ['PATCH', `${PATH}/CP1`],
      ['DELETE', `${PATH}/CP1`],
    ] as const) {
      const answer = await api.call(method, path, { id: 'X' }, headers)
      expect([answer.status, (await answer.json()).code]).toEqual([403, 'api_credential_required'])
    }
  })
})
