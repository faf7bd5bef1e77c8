/** Tokens of a whole partner at raw stations: by whose word they charge (OCPI-A10). */
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { type Json, until } from './house.ts'
import { roamingHouse } from './roaming-house.ts'
import { customerToken, startProvider } from './roaming-partner.ts'
import { BOOT_16, BOOT_201, connectStation, eventOf, startOf } from './station.ts'

const { house, invited } = await roamingHouse({ PILOTWIRE_UNKNOWN_ID_TOKENS: 'reject' })
const provider = await startProvider()
afterAll(() => provider.close())
const partner = await invited(provider)

const respond = (): Json => ({ status: 'Accepted' })
const old = await connectStation(house.ocppUrl, 'OLD', 'ocpp1.6', { respond })
await old.ask('BootNotification', BOOT_16)
const fresh = await connectStation(house.ocppUrl, 'NEW', 'ocpp2.0.1', { respond })
await fresh.ask('BootNotification', BOOT_201)
const SOCKET = {
  connectorId: '1',
  standard: 'IEC_62196_T2',
  format: 'SOCKET',
  powerType: 'AC_3_PHASE',
  maxVoltage: 230,
  maxAmperage: 32,
}
const placed = await house.request('PUT', '/2/locations/depot', {
  address: 'Main Street 1',
  city: 'Hannover',
  country: 'DEU',
  coordinates: { latitude: 52.3759, longitude: 9.732 },
  timeZone: 'Europe/Berlin',
  evses: ['OLD', 'NEW'].map((id) => ({ uid: `E-${id}`, evseControllerId: id, ocppEvseId: 1, connectors: [SOCKET] })),
})
expect(placed.status).toBe(201)

type Reply = Awaited<ReturnType<typeof provider.instead>>
/** What the partner says of a token. */
let says: (uid: string) => Reply | Promise<Reply> = () => undefined
provider.instead = ({ path }) => {
  const uid = /\/tokens\/([^/]+)\/authorize/.exec(path)?.[1]
  return uid === undefined ? undefined : says(decodeURIComponent(uid))
}
afterEach(() => {
  says = () => undefined
})
const allowed = (more: Json = {}, as = 'ALLOWED') => {
  says = (uid) => ({ data: { allowed: as, token: customerToken(uid), ...more } })
}
const questions = (uid: string) => provider.asked.filter(({ path }) => path.includes(`/tokens/${uid}/authorize`))

async function push(uid: string, more: Json = {}): Promise<void> {
  const reply = await provider.call('PUT', provider.at('tokens', `/NL/EMP/${uid}`), customerToken(uid, more))
  expect(reply.body.status_code).toBe(1000)
}
const shown = async (idTag: string): Promise<unknown> =>
  ((await old.ask('Authorize', { idTag })).idTagInfo as Json).status
const newest = async (id: string): Promise<Json> => {
  const [session] = await house.sessions(id)
  return (await house.request('GET', `/2/sessions/${session?.id}?include=details`)).body
}

describe('OCPI-A10: by the whitelist', () => {
  it.each([
    ['ALWAYS', true, 'Accepted'],
    ['ALLOWED', true, 'Accepted'],
    ['ALWAYS', false, 'Blocked'],
    ['ALLOWED', false, 'Blocked'],
  ])('%s, valid %s: %s by our copy, and nothing is asked', async (whitelist, valid, status) => {
    allowed()
    const uid = `COPY${whitelist}${valid}`
    await push(uid, { whitelist, valid })
    expect(await shown(uid.toLowerCase())).toBe(status)
    expect(questions(uid)).toHaveLength(0)
  })

  it.each([
    ['ALLOWED_OFFLINE', true, 'Accepted'],
    ['ALLOWED_OFFLINE', false, 'Blocked'],
    ['NEVER', true, 'Invalid'],
    ['NEVER', false, 'Invalid'],
  ])('%s, valid %s: the partner decides, and where it says nothing: %s', async (whitelist, valid, without) => {
    const uid = `ASK${whitelist}${valid}`
    await push(uid, { whitelist, valid })
    allowed()
    expect(await shown(uid)).toBe('Accepted')
    allowed({}, 'BLOCKED')
    expect(await shown(uid)).toBe('Blocked')
    const nonsense: Reply[] = [
      'hang up',
      { text: '<html>' },
      { text: '[]' },
      { data: { allowed: 'PERHAPS', token: customerToken(uid) } },
      { data: { allowed: 'ALLOWED', token: customerToken('other') } },
      { data: { allowed: 'ALLOWED' } },
      { status: 302, headers: { location: `${provider.root}/yes` } },
      { status: 500 },
      { code: 2002 },
      { text: `{"status_code":1000,"data":"${'x'.repeat(11 * 1024 * 1024)}"}` },
    ]
    for (const reply of nonsense) {
      says = () => reply
      expect(await shown(uid), JSON.stringify(reply).slice(0, 100)).toBe(without)
    }
    // A request on a connection that just ended is sent once more.
    expect(questions(uid).length).toBeGreaterThanOrEqual(2 + nonsense.length)
    expect(provider.asked.filter(({ path }) => path === '/yes')).toEqual([])
  })

  it.each([
    [{ status: 404, code: 2004 }, 'Invalid'],
    [{ data: { allowed: 'EXPIRED', token: customerToken('ANSWER') } }, 'Expired'],
    [{ data: { allowed: 'NO_CREDIT', token: customerToken('ANSWER') } }, 'Blocked'],
    [{ data: { allowed: 'NOT_ALLOWED', token: customerToken('ANSWER') } }, 'Invalid'],
    [
      {
        data: {
          allowed: 'ALLOWED',
          token: customerToken('ANSWER'),
          location: { location_id: 'depot', evse_uids: ['X'] },
        },
      },
      'Invalid',
    ],
    [{ data: { allowed: 'ALLOWED', token: customerToken('ANSWER'), location: { location_id: 'other' } } }, 'Invalid'],
    [
      {
        data: {
          allowed: 'ALLOWED',
          token: customerToken('ANSWER'),
          location: { location_id: 'depot', evse_uids: ['e-old'] },
        },
      },
      'Accepted',
    ],
  ])('an answer such as %j is %s', async (reply, status) => {
    await push('ANSWER', { whitelist: 'ALLOWED_OFFLINE' })
    says = () => reply
    expect(await shown('ANSWER')).toBe(status)
  })

  it('a partner that is slow is waited for 4 s, and the station is answered within 5', async () => {
    await push('SLOW', { whitelist: 'ALLOWED_OFFLINE' })
    let release: (reply: Reply) => void = () => undefined
    says = () =>
      new Promise<Reply>((resolve) => {
        release = resolve
      })
    const began = performance.now()
    const waiting = shown('SLOW')
    // Others are served meanwhile.
    expect(await fresh.ask('Heartbeat', {})).toHaveProperty('currentTime')
    expect(await waiting).toBe('Accepted')
    const took = performance.now() - began
    expect(took).toBeGreaterThan(3_000)
    expect(took).toBeLessThan(5_000)
    release(undefined)
  })
})

it('OCPI-A10: what was answered to the card is kept by its charge, which is not asked about again', async () => {
  await push('CHARGE1', { whitelist: 'NEVER', contract_id: 'NL-EMP-COPY' })
  allowed({ authorization_reference: 'ref-1' })
  expect(await shown('CHARGE1')).toBe('Accepted')
  const [question] = questions('CHARGE1')
  expect(question).toMatchObject({ method: 'POST', body: { location_id: 'depot', evse_uids: ['E-OLD'] } })
  expect(question?.path).toMatch(/authorize$/)
  expect(question?.headers).toMatchObject({ 'ocpi-to-party-id': 'EMP', 'ocpi-from-party-id': 'PWR' })
  const begun = await old.ask('StartTransaction', startOf({ idTag: 'charge1' }))
  expect(begun).toMatchObject({ idTagInfo: { status: 'Accepted' } })
  expect(questions('CHARGE1')).toHaveLength(1)
  expect((await newest('OLD')).details).toMatchObject({
    partner: {
      partnerId: partner.id,
      party: 'NL*EMP',
      contractId: 'NL-EMP-CCHARGE1',
      authMethod: 'AUTH_REQUEST',
      authorizationReference: 'ref-1',
    },
  })
  // Withdrawn in mid-charge: the card is refused, and the charge goes on to its end.
  await push('CHARGE1', { whitelist: 'ALLOWED', valid: false })
  expect(await shown('CHARGE1')).toBe('Blocked')
  const { transactionId } = begun
  const timestamp = new Date().toISOString()
  await old.ask('StopTransaction', { transactionId, meterStop: 9, timestamp, idTag: 'CHARGE1' })
  await until(async () => (await newest('OLD')).state === 'completed')
  expect(await newest('OLD')).toMatchObject({ energyKwh: 0.009, details: { partner: { partnerId: partner.id } } })
})

it.each([
  ['ALLOWED', 'Accepted', { authMethod: 'AUTH_REQUEST' }],
  ['BLOCKED', 'Blocked', undefined],
])(
  'OCPI-A10: a 1.6 charge that begins with a card nobody asked about, %s: it is recorded',
  async (as, status, kept) => {
    await push(`START${as}`, { whitelist: 'NEVER' })
    allowed({}, as)
    const begun = await old.ask('StartTransaction', startOf({ idTag: `START${as}` }))
    expect(begun).toMatchObject({ transactionId: expect.any(Number), idTagInfo: { status } })
    expect(questions(`START${as}`)).toHaveLength(1)
    const { details } = await newest('OLD')
    expect(details).toMatchObject({ idToken: `START${as}`, transactionId: String(begun.transactionId) })
    if (kept) expect(details).toMatchObject({ partner: kept })
    else expect(details).not.toHaveProperty('partner')
    const timestamp = new Date().toISOString()
    await old.ask('StopTransaction', { transactionId: begun.transactionId, meterStop: 1, timestamp })
  },
)

it.each([
  ['ALLOWED', 'Accepted'],
  ['BLOCKED', 'Blocked'],
])('OCPI-A10: the same of a 2.0.1 charge, %s', async (as, status) => {
  const uid = `EVENT${as}`
  await push(uid, { whitelist: 'NEVER' })
  allowed({ authorization_reference: 'ref-2' }, as)
  const idToken = { idToken: uid, type: 'ISO14443' }
  const transactionInfo = { transactionId: uid, chargingState: 'Charging' }
  const begun = await fresh.ask('TransactionEvent', eventOf('Started', 0, { idToken, transactionInfo }))
  expect(begun).toMatchObject({ idTokenInfo: { status } })
  const later = await fresh.ask('TransactionEvent', eventOf('Updated', 1, { idToken, transactionInfo }))
  expect(later).toMatchObject({ idTokenInfo: { status } })
  expect(questions(uid)).toHaveLength(as === 'ALLOWED' ? 1 : 2)
  const partnerOf = ((await newest('NEW')).details as Json).partner
  if (as === 'ALLOWED') expect(partnerOf).toMatchObject({ authorizationReference: 'ref-2' })
  else expect(partnerOf).toBeUndefined()
  await fresh.ask('TransactionEvent', eventOf('Ended', 2, { transactionInfo }))
})

it('OCPI-A10: what waited in the queue of a station is not asked about', async () => {
  await push('QUEUED', { whitelist: 'ALLOWED_OFFLINE' })
  allowed({}, 'BLOCKED')
  const timestamp = new Date(Date.now() - 3600_000).toISOString()
  const begun = await old.ask('StartTransaction', startOf({ idTag: 'QUEUED', timestamp }))
  expect(begun).toMatchObject({ idTagInfo: { status: 'Accepted' } })
  expect(questions('QUEUED')).toHaveLength(0)
  expect((await newest('OLD')).details).toMatchObject({ partner: { authMethod: 'WHITELIST' } })
  await old.ask('StopTransaction', { transactionId: begun.transactionId, meterStop: 1, timestamp })
})

it('OCPI-A10: a token of ours goes before a partner’s', async () => {
  await push('BOTH', { whitelist: 'ALWAYS' })
  await house.request('POST', '/2/id-tokens', { id: 'BOTH', status: 'Blocked' })
  expect(await shown('BOTH')).toBe('Blocked')
  expect((await house.request('DELETE', '/2/id-tokens/BOTH')).status).toBe(204)
  expect(await shown('BOTH')).toBe('Accepted')
})

it('OCPI-A10: a contract of Plug & Charge is asked of the party that it begins with', async () => {
  allowed()
  const asked = async (contract: string): Promise<unknown> => {
    const answer = await fresh.ask('Authorize', { idToken: { idToken: contract, type: 'eMAID' } })
    return (answer.idTokenInfo as Json).status
  }
  expect(await asked('NLEMPC12345678X')).toBe('Accepted')
  expect(questions('NLEMPC12345678X').map(({ path }) => path)).toEqual([
    expect.stringMatching(/authorize\?type=EMAID$/),
  ])
  const before = provider.asked.length
  expect(await asked('FRXXXC12345678X')).toMatch(/Invalid|Unknown/)
  expect(provider.asked).toHaveLength(before)
})

it('OCPI-A10: tokens of a suspended partner are not known', async () => {
  await push('PAUSED', { whitelist: 'ALWAYS' })
  expect(await shown('PAUSED')).toBe('Accepted')
  await house.request('PATCH', `/2/ocpi/partners/${partner.id}`, { state: 'suspended' })
  expect(await shown('PAUSED')).toBe('Invalid')
  await house.request('PATCH', `/2/ocpi/partners/${partner.id}`, { state: 'registered' })
  expect(await shown('PAUSED')).toBe('Accepted')
})
