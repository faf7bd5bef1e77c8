import { randomBytes } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { OCPI_VERSIONS } from '../../src/domain/partners/records.ts'
import { run } from '../../src/server/cli/run.ts'
import { startCentralSystem } from '../central-system.ts'
import type { ApiClient } from '../cli/api-client.ts'
import { prepareRoaming } from '../cli/partner-setup.ts'
import { type Operator, startOperator } from './operator.testing.ts'
import { createPartner, type Partner, type PartnerOptions } from './partner.ts'
import { PARTNER_QUIRKS } from './quirks.ts'

const open: Partner[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()))
})
async function kept<T extends Partner>(starting: Promise<T>): Promise<T> {
  const one = await starting
  open.push(one)
  return one
}
const operatorOf = (options: Parameters<typeof startOperator>[0] = {}): Promise<Operator> =>
  kept(startOperator(options))
async function registered(options: PartnerOptions = {}, operator?: Operator): Promise<[Partner, Operator]> {
  const other = operator ?? (await operatorOf())
  const partner = await kept(createPartner(options))
  await partner.register(other.versionsUrl, other.tokenA)
  return [partner, other]
}

describe('SIM-P1: a partner registers, in either direction, and renews its credentials', () => {
  it.each(OCPI_VERSIONS)('registers with OCPI %s', async (ocpi) => {
    const [partner, operator] = await registered({ ocpi })
    expect([partner.version(), operator.version()]).toEqual([ocpi, ocpi])
    expect(operator.peer()).toMatchObject({
      url: partner.versionsUrl,
      roles: [{ role: 'EMSP', country_code: 'NL', party_id: 'SIM' }],
    })
    expect(partner.peer()).toMatchObject({ roles: [{ role: 'CPO', party_id: 'OPR' }] })
  })

  it('takes the highest version that both have, and says so when there is none', async () => {
    const operator = await operatorOf({ ocpi: '2.2.1' })
    expect((await registered({}, operator))[0].version()).toBe('2.2.1')
    const newer = await kept(createPartner({ ocpi: '2.3.0' }))
    await expect(newer.register(operator.versionsUrl, 'WRONG')).rejects.toThrow('HTTP 401')
    const other = await operatorOf({ ocpi: '2.2.1' })
    await expect(newer.register(other.versionsUrl, other.tokenA)).rejects.toThrow(/no common version: .* has 2\.2\.1/)
  })

  it('rotates: the old token holds until the new one was used', async () => {
    const [partner, operator] = await registered()
    const before = String(operator.peer()?.token)
    const call = (token: string) =>
      fetch(partner.versionsUrl, { headers: { authorization: `Token ${Buffer.from(token).toString('base64')}` } })
    await partner.rotate()
    const after = String(operator.peer()?.token)
    expect(after).not.toBe(before)
    expect(operator.received('credentials').map(({ method }) => method)).toEqual(['POST', 'PUT'])
    expect((await call(after)).status).toBe(200)
    expect((await call(before)).status).toBe(401)
    expect(await partner.pull('tariffs')).toHaveLength(1)
  })

  it('GET gives back the token that the request came with; POST again and PUT before are 405; DELETE ends it', async () => {
    const [partner, operator] = await registered()
    const credentials = partner.endpoint('credentials')
    const token = String(partner.peer()?.token)
    expect(await partner.client.ask('GET', credentials)).toMatchObject({ data: { token } })
    expect(await partner.client.call('POST', credentials, {})).toMatchObject({ status: 405, statusCode: 2000 })
    expect((await partner.client.call('DELETE', credentials)).statusCode).toBe(1000)
    expect((await partner.client.call('GET', credentials)).status).toBe(401)
    expect(operator.peer()).toBeUndefined()
  })
})

describe('SIM-P2: a partner receives what an operator pushes, and answers as OCPI has it', () => {
  it('PUT, PATCH and GET of locations with their EVSEs and connectors', async () => {
    const [partner, operator] = await registered()
    const address = `${operator.endpoint('locations', 'RECEIVER')}/DE/OPR/L1`
    const push = (method: string, path: string, body?: object) => operator.client.call(method, address + path, body)
    expect(await push('PATCH', '', { name: 'x' })).toMatchObject({ status: 404, statusCode: 2003 })
    expect(
      (await push('PUT', '', { id: 'L1', evses: [{ uid: 'E1', status: 'AVAILABLE', connectors: [{ id: '1' }] }] }))
        .status,
    ).toBe(201)
    await push('PATCH', '/E1', { status: 'CHARGING' })
    await push('PUT', '/E2', { uid: 'E2', status: 'PLANNED' })
    await push('PATCH', '/E1/1', { format: 'CABLE' })
    await push('PATCH', '', { name: 'Depot' })
    expect((await push('GET', '/E1/1')).data).toEqual({ id: '1', format: 'CABLE' })
    const connectors = [{ id: '1', format: 'CABLE' }]
    expect(partner.objects('locations')).toEqual([
      {
        id: 'L1',
        name: 'Depot',
        evses: [
          { uid: 'E2', status: 'PLANNED' },
          { uid: 'E1', status: 'CHARGING', connectors },
        ],
      },
    ])
    expect(await push('GET', '/E9')).toMatchObject({ status: 404, statusCode: 2003 })
  })

  it('a PATCH of a session adds its charging periods; a CDR has an address; each request is echoed', async () => {
    const [partner, operator] = await registered()
    const session = `${operator.endpoint('sessions', 'RECEIVER')}/DE/OPR/S1`
    await operator.client.call('PUT', session, { id: 'S1', charging_periods: [{ at: 1 }] })
    await operator.client.call('PATCH', session, { kwh: 2, charging_periods: [{ at: 2 }] })
    expect(partner.objects('sessions')).toEqual([{ id: 'S1', kwh: 2, charging_periods: [{ at: 1 }, { at: 2 }] }])
    const cdr = { country_code: 'DE', party_id: 'OPR', id: 'C1' }
    const ids = { 'x-request-id': 'R1', 'x-correlation-id': 'C1' }
    const posted = await operator.client.call('POST', operator.endpoint('cdrs', 'RECEIVER'), cdr, ids)
    expect([posted.status, posted.headers.get('x-request-id'), posted.headers.get('x-correlation-id')]).toEqual([
      201,
      'R1',
      'C1',
    ])
    expect((await operator.client.ask('GET', String(posted.headers.get('location')))).data).toEqual(cdr)
    expect(partner.received('cdrs', 'POST').map(({ headers }) => headers['ocpi-to-party-id'])).toEqual(['SIM'])
  })

  it('wrong requests: 401, 400 for no JSON, 404, 405, and 2001 with 200 for JSON of another kind', async () => {
    const [partner, operator] = await registered()
    const cdrs = operator.endpoint('cdrs', 'RECEIVER')
    const statuses = await Promise.all([
      fetch(partner.versionsUrl).then(({ status }) => status),
      operator.client.call('POST', cdrs, '{').then(({ status }) => status),
      operator.client.call('GET', cdrs.replace('cdrs', 'bookings')).then(({ status }) => status),
      operator.client.call('GET', cdrs).then(({ status }) => status),
      operator.client.call('PUT', `${cdrs}/DE/OPR/1`, '[]').then(({ status, statusCode }) => [status, statusCode]),
    ])
    expect(statuses).toEqual([401, 400, 404, 405, [200, 2001]])
  })

  it('its tokens come in pages, and a request for authorization has an answer', async () => {
    const uids = Array.from({ length: 5 }, (_, at) => `T${at}`)
    const [partner, operator] = await registered({ tokens: uids.map((uid) => ({ uid, valid: uid !== 'T4' })) })
    const address = operator.endpoint('tokens', 'SENDER')
    const pulled = await operator.pull('tokens', { limit: '2' })
    expect([partner.received('tokens', 'GET').length, pulled.map(({ uid }) => uid)]).toEqual([3, uids])
    expect(await operator.pull('tokens', { date_to: '2000-01-01T00:00:00Z' })).toEqual([])
    const ask = (uid: string) =>
      operator.client.call('POST', `${address}/${uid}/authorize?type=RFID`, { location_id: 'L1', evse_uids: ['E1'] })
    expect((await ask('T0')).data).toMatchObject({
      allowed: 'ALLOWED',
      location: { evse_uids: ['E1'] },
      authorization_reference: expect.any(String),
    })
    expect((await ask('T4')).data).toMatchObject({ allowed: 'BLOCKED' })
    expect(await ask('T9')).toMatchObject({ status: 404, statusCode: 2004 })
    expect(partner.received('tokens', 'POST')).toHaveLength(3)
  })

  it('pulls in pages, pushes tokens, and sends commands', async () => {
    const [partner, operator] = await registered()
    expect(await partner.pull('locations')).toMatchObject([{ id: 'L1' }, { id: 'L2' }, { id: 'L3' }])
    expect(operator.received('locations')).toHaveLength(2)
    await partner.pushToken({ uid: 'A/B', whitelist: 'NEVER' })
    expect(operator.pushed.get('NL/SIM/A/B')).toMatchObject({ uid: 'A/B', type: 'RFID', whitelist: 'NEVER' })
    const sent = await partner.start({ location_id: 'L3', evse_uid: 'E1', connector_id: '1' })
    expect([sent.response, await partner.resultOf(sent)]).toEqual(['ACCEPTED', 'ACCEPTED'])
    expect(operator.received('commands')[0]?.body).toMatchObject({ token: { uid: 'SIM-APP-1' }, connector_id: '1' })
    const elsewhere = await partner.start({
      location_id: 'L3',
      evse_uid: 'E9',
      response_url: 'https://elsewhere.example/1',
    })
    expect([elsewhere.response, await partner.resultOf(elsewhere, 0.01)]).toEqual(['REJECTED', undefined])
    expect(operator.received('commands')[1]?.body).toMatchObject({ response_url: 'https://elsewhere.example/1' })
  })
})

describe('SIM-P3: the quirks of partners', () => {
  const heard = (operator: Operator) => String(operator.received().at(-1)?.headers.authorization)
  const cdr = { country_code: 'DE', party_id: 'OPR', id: 'C1' }
  const postCdr = (operator: Operator) => operator.client.call('POST', operator.endpoint('cdrs', 'RECEIVER'), cdr)
  const authorize = async (operator: Operator) => {
    const body = { location_id: 'L1', evse_uids: ['E1'] }
    return operator.client.call('POST', `${operator.endpoint('tokens', 'SENDER')}/SIM-CARD-1/authorize`, body)
  }
  const CASES: Readonly<Record<string, (partner: Partner, operator: Operator) => Promise<unknown>>> = {
    'answers-10-mb': async (_, operator) =>
      expect(JSON.stringify(await authorize(operator)).length).toBeGreaterThan(10_000_000),
    'cdr-address-in-body': async (_, operator) => {
      const { headers, data, statusCode } = await postCdr(operator)
      expect([headers.get('location'), data, statusCode]).toEqual([
        null,
        { url: expect.stringContaining('/cdrs/DE/OPR/C1') },
        1000,
      ])
    },
    'leaves-evse-out': async (_, operator) =>
      expect((await authorize(operator)).data).toMatchObject({ allowed: 'ALLOWED', location: { evse_uids: [] } }),
    'line-feed-token': async (partner, operator) => {
      await partner.pull('tariffs')
      expect(Buffer.from(heard(operator).slice(6), 'base64').toString()).toBe(`${String(partner.peer()?.token)}\n`)
    },
    'no-evse': async (partner, operator) => {
      expect((await partner.start({ location_id: 'L3', evse_uid: 'E1' })).response).toBe('REJECTED')
      expect(operator.received('commands')[0]?.body).toMatchObject({ evse_uid: '#NA', connector_id: '#NA' })
    },
    'no-patch': async (_, operator) => {
      const address = `${operator.endpoint('sessions', 'RECEIVER')}/DE/OPR/S1`
      await operator.client.call('PUT', address, { id: 'S1' })
      expect((await operator.client.call('PATCH', address, { kwh: 1 })).status).toBe(405)
    },
    'offset-times': async (partner, operator) => {
      await partner.pushToken({ uid: 'T' })
      expect(operator.pushed.get('NL/SIM/T')?.last_updated).toMatch(/\+00:00$/)
    },
    'plain-token': async (partner, operator) => {
      await partner.pull('tariffs')
      expect(heard(operator)).toBe(`Token ${String(partner.peer()?.token)}`)
    },
    redirects: async (partner, operator) => {
      const authorization = `Token ${Buffer.from(String(operator.peer()?.token)).toString('base64')}`
      const asked = (redirect: 'manual' | 'follow') =>
        fetch(`${operator.endpoint('tokens', 'SENDER')}?limit=1`, { headers: { authorization }, redirect })
      const { status, headers } = await asked('manual')
      expect([status, headers.get('location')]).toEqual([307, '/moved/ocpi/2.3.0/tokens?limit=1'])
      expect((await asked('follow')).status).toBe(200)
      expect(partner.received('tokens').map(({ url }) => url.pathname.startsWith('/moved'))).toEqual([
        false,
        false,
        true,
      ])
    },
    'refuses-pushes': async (partner, operator) => {
      expect(await postCdr(operator)).toMatchObject({ status: 200, statusCode: 2000 })
      expect([
        partner.received('cdrs').length,
        partner.objects('cdrs'),
        (await authorize(operator)).statusCode,
      ]).toEqual([1, [], 1000])
    },
    slow: async (_, operator) => {
      const before = performance.now()
      await authorize(operator)
      expect(performance.now() - before).toBeGreaterThan(190)
    },
    'trailing-slashes': async (partner, operator) => {
      expect(operator.peer()?.url).toBe(partner.versionsUrl)
      expect(partner.versionsUrl).toMatch(/versions\/$/)
      expect(await operator.pull('tokens', { limit: '1' })).toHaveLength(2)
    },
  }
  it('each has a test, a name and a public page', () => {
    expect(PARTNER_QUIRKS.map(({ name }) => name)).toEqual(Object.keys(CASES))
    for (const { title, reference } of PARTNER_QUIRKS) {
      expect(reference).toMatch(/^https:\/\/github\.com\/[\w.-]+\/[\w.-]+\/(issues|pull)\/\d+$/)
      expect(title.length).toBeGreaterThan(15)
    }
  })

  it.each(Object.entries(CASES))('%s', async (name, proves) => {
    await proves(...(await registered({ quirks: [name], slowMs: 200 })))
  })

  it('a name that there is not says so', async () => {
    await expect(createPartner({ quirks: ['plain-tokn'] })).rejects.toThrow('did you mean plain-token')
  })
})

describe('SIM-P4: one command line shows a whole roaming charge', () => {
  const cli = async (args: readonly string[], environment: Readonly<Record<string, string>> = {}) => {
    const out: string[] = []
    const notes: string[] = []
    const code = await run(['simulate', ...args], {
      environment,
      out: (text) => out.push(text),
      note: (text) => notes.push(text),
      now: Date.now,
      random: randomBytes,
      terminal: false,
    })
    return { code, out: out.join('\n'), notes: notes.join('\n') }
  }

  it.each(OCPI_VERSIONS)('registers, pulls, pushes, starts, stops and prints the CDR: OCPI %s', async (ocpi) => {
    const operator = await operatorOf()
    const args = ['--partner', operator.versionsUrl, '--token', operator.tokenA, '--duration', '1', '--ocpi', ocpi]
    const { code, out, notes } = await cli(args)
    expect([code, notes.match(/^\d of 7/gm)?.length]).toEqual([0, 7])
    expect(notes).toContain('pulled 1 available of 3 EVSEs, 1 tariffs')
    expect(notes).toContain('START_SESSION at DE*OPR*L3: ACCEPTED, the charge point: ACCEPTED')
    expect(out).toContain(ocpi === '2.2.1' ? 'total   3 EUR (3.57 with tax)' : 'total   3 EUR (0.57 of tax)')
    expect(out).toContain('2026-11-29T12:00:00.000Z  ENERGY 7.5, TIME 0.5')
    expect(operator.pushed.get('NL/SIM/SIM-APP-1')).toMatchObject({ type: 'APP_USER' })
  })

  it('--json prints the CDR; the token may stand in the environment; --evse chooses', async () => {
    const operator = await operatorOf()
    const args = ['--partner', operator.versionsUrl, '--duration', '1', '--json', '--quirk', 'no-patch']
    const { code, out } = await cli([...args, '--evse', 'DE*OPR*L3'], { PILOTWIRE_OCPI_TOKEN: operator.tokenA })
    expect([code, JSON.parse(out)]).toEqual([
      0,
      { ok: true, version: '2.3.0', cdr: expect.objectContaining({ id: 'CDR1' }) },
    ])
  })

  it.each([
    [['--partner', 'ftp://x'], 'Expected an address'],
    [['--partner', 'http://localhost:1'], 'token A'],
    [['--partner', 'http://localhost:1', '--token', 'A', '--quirk', 'no-pong'], 'there is no quirk no-pong'],
    [['--partner', '--token', 'A', '--energy', '3'], '--energy does nothing with --partner'],
    [['--token', 'A'], '--token is a part of --partner'],
  ])('wrong usage ends with 2: %s', async (args, sentence) => {
    expect(await cli(args)).toMatchObject({ code: 2, notes: expect.stringContaining(sentence) })
  })

  it('what fails says which step, and ends with 1', async () => {
    const operator = await operatorOf()
    const args = ['--partner', operator.versionsUrl, '--token', operator.tokenA]
    expect(await cli(['--partner', operator.versionsUrl, '--token', 'X'])).toMatchObject({
      code: 1,
      notes: expect.stringContaining('does not know the token'),
    })
    expect(await cli([...args, '--quirk', 'no-evse', '--json'])).toMatchObject({
      code: 1,
      notes: expect.stringContaining('5 of 7'),
    })
    expect((await cli(['--partner', '--list-quirks', '--json'])).out).toContain('"plain-token"')
  })
})

describe('SIM-P4: with an API credential all is made that a first charge needs', () => {
  it('a party, a price, a station that is online, a published location, and an invitation in place of the last one', async () => {
    const server = await startCentralSystem()
    const asked: [method: string, path: string, body?: unknown][] = []
    const answers: Readonly<Record<string, object>> = {
      'GET /2/tariffs': { data: [] },
      'GET /2/ocpi/partners': { data: [{ id: 'old', name: 'Simulated partner', state: 'registered' }] },
      'PUT /2/ocpi/party': { countryCode: 'DE', partyId: 'SIM' },
      'POST /2/ocpi/partners': { token: 'A', versionsUrl: 'http://localhost/ocpi/versions' },
    }
    const api: ApiClient = {
      sessions: () => Promise.resolve([]),
      request: async (method, path, body) => {
        asked.push([method, path, body])
        const isMissing = method === 'GET' && path === '/2/ocpi/party'
        return { status: isMissing ? 404 : 200, body: answers[`${method} ${path}`] ?? {} }
      },
    }
    const said: string[] = []
    const prepared = await prepareRoaming({ api, ocppUrl: server.url, seconds: 20, say: (text) => said.push(text) })
    expect(prepared).toMatchObject({ versionsUrl: 'http://localhost/ocpi/versions', tokenA: 'A', evse: 'DE*SIM*ESIM1' })
    expect(server.connections()).toBe(1)
    expect(asked.map(([method, path]) => `${method} ${path}`)).toEqual([
      'GET /2/ocpi/party',
      'PUT /2/ocpi/party',
      'GET /2/tariffs',
      'POST /2/tariffs',
      'PUT /2/locations/SIM-ROAMING',
      'GET /2/ocpi/partners',
      'DELETE /2/ocpi/partners/old',
      'POST /2/ocpi/partners',
    ])
    expect(asked[4]?.[2]).toMatchObject({
      publish: true,
      country: 'DEU',
      evses: [{ evseId: 'DE*SIM*ESIM1', evseControllerId: 'SIM-ROAMING' }],
    })
    expect(said).toEqual([expect.stringContaining('0 of 7')])
    await prepared.close()
    await expect.poll(() => server.connections()).toBe(0)
    const refusing: ApiClient = { ...api, request: async () => ({ status: 403, body: { detail: 'not allowed' } }) }
    await expect(
      prepareRoaming({ api: refusing, ocppUrl: server.url, seconds: 20, say: () => undefined }),
    ).rejects.toThrow('PUT /2/ocpi/party was answered with 403: not allowed')
    await server.close()
    expect(server.violations).toEqual([])
  })
})
