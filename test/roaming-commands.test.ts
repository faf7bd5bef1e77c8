/** Commands of whole partners to raw stations, over real HTTP (OCPI-A4). */
import { afterAll, describe, expect, it } from 'vitest'
import { type Json, until } from './house.ts'
import { roamingHouse } from './roaming-house.ts'
import { customerToken, type OcpiReply, type Provider, startProvider } from './roaming-partner.ts'
import { BOOT_16, BOOT_201, connectStation, eventOf, startOf } from './station.ts'

const { house, invited, exchanges } = await roamingHouse()
const providers: Provider[] = []
const ids: string[] = []
const USUAL = new Map([['GetChargingProfiles', 'NoProfiles']])
const said = new Map<string, string>()
const SCHEDULE = {
  evseId: 1,
  duration: 600,
  scheduleStart: new Date().toISOString(),
  chargingRateUnit: 'A',
  chargingSchedulePeriod: [{ startPeriod: 0, limit: 8 }],
}
const respond = (method: string): Json => ({
  status: said.get(method) ?? USUAL.get(method) ?? 'Accepted',
  ...(method === 'GetCompositeSchedule' && { schedule: SCHEDULE }),
})

const CONNECTOR = { connectorId: '1', standard: 'IEC_62196_T2', format: 'SOCKET', powerType: 'AC_3_PHASE' }
const SOCKET = { ...CONNECTOR, maxVoltage: 230, maxAmperage: 32 }
const PLACE = {
  address: 'Main Street 1',
  city: 'Hannover',
  country: 'DEU',
  coordinates: { latitude: 52.3759, longitude: 9.732 },
  timeZone: 'Europe/Berlin',
}

for (let at = 0; at < 2; at++) {
  const provider = await startProvider()
  provider.instead = ({ path }) => (path.startsWith('/results') ? {} : undefined)
  providers.push(provider)
  ids.push((await invited(provider)).id)
}
const old = await connectStation(house.ocppUrl, 'OLD', 'ocpp1.6', { respond })
await old.ask('BootNotification', BOOT_16)
const fresh = await connectStation(house.ocppUrl, 'NEW', 'ocpp2.0.1', { respond })
await fresh.ask('BootNotification', BOOT_201)
const evses = ['OLD', 'NEW'].map((id) => ({
  uid: `E-${id}`,
  evseControllerId: id,
  ocppEvseId: 1,
  connectors: [SOCKET],
}))
expect((await house.request('PUT', '/2/locations/depot', { ...PLACE, evses })).status).toBe(201)
afterAll(async () => {
  for (const provider of providers) await provider.close()
})

let results = 0
async function command(name: string, body: Json, by = 0) {
  const provider = providers[by] as Provider
  const path = `/results/${++results}`
  const reply: OcpiReply = await provider.call('POST', provider.at('commands', `/${name}`), {
    response_url: `${provider.root}${path}`,
    ...body,
  })
  const posted = () => provider.asked.filter((asked) => asked.path === path)
  return {
    reply: reply.body,
    async result(): Promise<Json | undefined> {
      await until(() => posted().length > 0)
      return posted()[0]?.body
    },
    posted,
  }
}

const at = (id: string): Json => ({ location_id: 'depot', evse_uid: `E-${id}` })
const start = (id: string, uid: string, by = 0, more: Json = {}) =>
  command('START_SESSION', { ...at(id), token: customerToken(uid), ...more }, by)
const accepted = { status_code: 1000, data: { result: 'ACCEPTED' } }
const partnerOf = async (id: unknown): Promise<unknown> => {
  const { body } = await house.request('GET', `/2/sessions/${id}?include=details`)
  return (body.details as Json).partner
}
const newest = async (id: string): Promise<Json> => (await house.sessions(id))[0] as Json

it('OCPI-A4: START_SESSION and STOP_SESSION at a 1.6 station, whose session keeps the customer', async () => {
  const started = await start('OLD', 'AAAA01', 0, { authorization_reference: 'ref-1' })
  expect(started.reply).toMatchObject(accepted)
  expect(await started.result()).toEqual({ result: 'ACCEPTED' })
  const [posted] = started.posted()
  expect(posted?.headers).toMatchObject({ 'ocpi-to-party-id': 'EMP', 'ocpi-from-party-id': 'PWR' })
  const { idTag } = (await old.asked('RemoteStartTransaction')) as Json
  const begun = await old.ask('StartTransaction', startOf({ idTag }))
  expect(begun).toMatchObject({ idTagInfo: { status: 'Accepted' } })
  const { id } = await newest('OLD')
  const party = { partnerId: ids[0], party: 'NL*EMP', contractId: 'NL-EMP-CAAAA01' }
  expect(await partnerOf(id)).toEqual({ ...party, authMethod: 'COMMAND', authorizationReference: 'ref-1' })
  // The card is never checked, though nobody pushed it, and a stranger may not stop the charge.
  expect(await old.ask('Authorize', { idTag: 'aaaa01' })).toMatchObject({ idTagInfo: { status: 'Accepted' } })
  const stranger = await command('STOP_SESSION', { session_id: id }, 1)
  expect(stranger.reply).toMatchObject({ status_code: 1000, data: { result: 'UNKNOWN_SESSION' } })
  const unlocked = await command('UNLOCK_CONNECTOR', { ...at('OLD'), connector_id: '1' }, 1)
  expect(await unlocked.result()).toEqual({ result: 'REJECTED' })
  expect(old.calls('UnlockConnector')).toHaveLength(0)
  const stopped = await command('STOP_SESSION', { session_id: id })
  expect(await stopped.result()).toEqual({ result: 'ACCEPTED' })
  const timestamp = new Date().toISOString()
  await old.ask('StopTransaction', { transactionId: begun?.transactionId, meterStop: 10, timestamp, reason: 'Remote' })
  await until(async () => (await newest('OLD')).state === 'completed')
  expect((await command('STOP_SESSION', { session_id: id })).reply).toMatchObject({ data: { result: 'REJECTED' } })
})

it('OCPI-A4: a 2.0.1 station is given the customer’s own token, and may ask about it', async () => {
  const started = await start('NEW', 'BBBB02')
  expect(await started.result()).toEqual({ result: 'ACCEPTED' })
  const request = (await fresh.asked('RequestStartTransaction')) as Json
  expect(request).toMatchObject({ evseId: 1, idToken: { idToken: 'BBBB02', type: 'ISO14443' } })
  const idToken = { idToken: 'BBBB02', type: 'ISO14443' }
  expect(await fresh.ask('Authorize', { idToken })).toMatchObject({ idTokenInfo: { status: 'Accepted' } })
  const { remoteStartId } = request
  const transactionInfo = { transactionId: 'T-1', remoteStartId, chargingState: 'Charging' }
  await fresh.ask('TransactionEvent', eventOf('Started', 0, { triggerReason: 'RemoteStart', transactionInfo, idToken }))
  expect(await partnerOf((await newest('NEW')).id)).toMatchObject({ partnerId: ids[0], authMethod: 'COMMAND' })
})

it('OCPI-A4: what a station refuses, and one that is away, is said in the result', async () => {
  said.set('RemoteStartTransaction', 'Rejected')
  expect(await (await start('OLD', 'AAAA03')).result()).toEqual({ result: 'REJECTED' })
  said.clear()
  said.set('UnlockConnector', 'NotSupported')
  const unlocked = await command('UNLOCK_CONNECTOR', { ...at('OLD'), connector_id: '1' })
  expect(await unlocked.result()).toEqual({ result: 'NOT_SUPPORTED' })
  said.clear()
  const evses = [{ uid: 'E-AWAY', evseControllerId: 'AWAY', ocppEvseId: 1, connectors: [SOCKET] }]
  await house.request('POST', '/2/evse-controllers', { id: 'AWAY' })
  expect((await house.request('PUT', '/2/locations/away', { ...PLACE, evses })).status).toBe(201)
  const away = await command('START_SESSION', { location_id: 'away', token: customerToken('AAAA04') })
  expect(away.reply).toMatchObject(accepted)
  expect((await away.result())?.result).toMatch(/FAILED|EVSE_INOPERATIVE/)
})

describe('OCPI-A4: what is wrong with a command', () => {
  it.each([
    ['another location', 'START_SESSION', { location_id: 'nowhere', token: customerToken('X1') }, 2003],
    ['another EVSE', 'START_SESSION', { location_id: 'depot', evse_uid: 'X', token: customerToken('X1') }, 2003],
    ['no token', 'START_SESSION', { location_id: 'depot', evse_uid: 'E-OLD' }, 2001],
    ['a token of others', 'START_SESSION', { ...at('OLD'), token: customerToken('X1', { party_id: 'XXX' }) }, 2001],
    [
      'a connector alone',
      'START_SESSION',
      { location_id: 'depot', connector_id: '1', token: customerToken('X') },
      2001,
    ],
    [
      'no time',
      'RESERVE_NOW',
      { ...at('OLD'), token: customerToken('X'), reservation_id: 'r', expiry_date: '+1 h' },
      2001,
    ],
    ['a command that is none', 'DANCE', {}, 2001],
  ])('%s', async (_, name, body, code) => {
    expect((await command(name, body)).reply).toMatchObject({ status_code: code, status_message: expect.any(String) })
  })

  it.each([
    ['this server', () => `${house.url}/results/1`],
    ['another port of the partner', () => 'http://127.0.0.1:1/results/1'],
    ['another host', () => 'http://169.254.169.254/latest'],
    ['another partner', () => `${providers[1]?.root}/results/1`],
    ['a file', () => 'file:///etc/passwd'],
    ['somebody’s account', () => (providers[0]?.root ?? '').replace('://', '://a:b@')],
    ['nothing', () => 'nothing'],
  ])('a result for %s is sent nowhere', async (_, response_url) => {
    const wrong = await command('STOP_SESSION', { session_id: 'x', response_url: response_url() })
    expect(wrong.reply).toMatchObject({ status_code: 2001, status_message: expect.stringContaining('response_url') })
  })
})

it('OCPI-A4: a result is posted again while the partner fails, and shown among the exchanges', async () => {
  const provider = providers[0] as Provider
  let failed = 0
  provider.instead = ({ path }) => {
    if (!path.startsWith('/results')) return undefined
    return failed++ === 0 ? { status: 503 } : {}
  }
  const again = await command('CANCEL_RESERVATION', { reservation_id: 'none' })
  await until(() => again.posted().length === 2)
  expect(again.posted()[1]?.body).toEqual({ result: 'UNKNOWN_RESERVATION' })
  await until(async () => (await exchanges(String(ids[0]))).some(({ attempt }) => attempt === 2))
})

it('OCPI-A4: two partners reserve under the same number, and each cancels its own', async () => {
  const expiry_date = new Date(Date.now() + 600_000).toISOString()
  const reserve = (id: string, uid: string, by: number) =>
    command('RESERVE_NOW', { ...at(id), token: customerToken(uid), reservation_id: 'same', expiry_date }, by)
  const first = await reserve('OLD', 'CCCC01', 0)
  const second = await reserve('NEW', 'CCCC02', 1)
  expect(await Promise.all([first.result(), second.result()])).toEqual([{ result: 'ACCEPTED' }, { result: 'ACCEPTED' }])
  const [here, there] = [old.requests('ReserveNow')[0], fresh.requests('ReserveNow')[0]]
  expect(here?.reservationId).not.toBe(there?.id)
  // Its token was authorized by the reservation.
  expect(await old.ask('Authorize', { idTag: 'CCCC01' })).toMatchObject({ idTagInfo: { status: 'Accepted' } })
  expect((await old.ask('Authorize', { idTag: 'CCCC02' })) as Json).not.toHaveProperty('parentIdTag')
  const cancelled = await command('CANCEL_RESERVATION', { reservation_id: 'same' }, 1)
  expect(await cancelled.result()).toEqual({ result: 'ACCEPTED' })
  expect(fresh.requests('CancelReservation')).toMatchObject([{ reservationId: there?.id }])
  expect(old.calls('CancelReservation')).toHaveLength(0)
  expect(await (await reserve('OLD', 'CCCC01', 0)).result()).toEqual({ result: 'ACCEPTED' })
  expect(old.requests('CancelReservation')).toMatchObject([{ reservationId: here?.reservationId }])
  said.set('ReserveNow', 'Occupied')
  expect(await (await reserve('NEW', 'CCCC03', 1)).result()).toEqual({ result: 'EVSE_OCCUPIED' })
  said.clear()
})

describe('OCPI-A6: a charging profile of a partner', () => {
  const charging_profile = {
    charging_rate_unit: 'A',
    charging_profile_period: [
      { start_period: 0, limit: 10 },
      { start_period: 3600, limit: 16 },
    ],
  }
  async function ask(method: string, id: unknown, by = 0, query = '') {
    const provider = providers[by] as Provider
    provider.instead = ({ path: asked }) => (asked.startsWith('/results') ? {} : undefined)
    const path = `/results/${++results}`
    const response_url = `${provider.root}${path}`
    const isPut = method === 'PUT'
    const address = `/${id}${isPut ? '' : `?response_url=${encodeURIComponent(response_url)}${query}`}`
    const body = isPut ? { response_url, charging_profile } : undefined
    const reply = await provider.call(method, provider.at('chargingprofiles', address), body)
    const posted = () => provider.asked.filter((asked) => asked.path === path)
    return {
      reply: reply.body,
      async result(): Promise<unknown> {
        await until(() => posted().length > 0)
        return posted()[0]?.body
      },
    }
  }
  const desired = () => house.list('/2/evse-controllers/NEW/charging-profiles?source=desired')

  it('limits its own session, until it is cleared or the session ends', async () => {
    const { id, state } = (await house.sessions('NEW'))[0] as Json
    expect(state).toBe('charging')
    expect((await ask('PUT', id, 1)).reply).toMatchObject({ data: { result: 'UNKNOWN_SESSION' } })
    expect((await ask('PUT', 'nothing')).reply).toMatchObject({ data: { result: 'UNKNOWN_SESSION' } })
    expect(await (await ask('DELETE', id)).result()).toEqual({ result: 'UNKNOWN' })
    const put = await ask('PUT', id)
    expect(put.reply).toMatchObject(accepted)
    expect(await put.result()).toEqual({ result: 'ACCEPTED' })
    const [sent] = fresh.requests('SetChargingProfile')
    expect(sent).toMatchObject({
      evseId: 1,
      chargingProfile: { chargingProfilePurpose: 'TxProfile', transactionId: 'T-1' },
    })
    expect(JSON.stringify(sent)).toContain('"limit":10')
    expect(await (await ask('GET', id, 0, '&duration=600')).result()).toMatchObject({
      result: 'ACCEPTED',
      profile: {
        charging_profile: { charging_rate_unit: 'A', charging_profile_period: [{ start_period: 0, limit: 8 }] },
      },
    })
    expect((await ask('GET', id)).reply).toMatchObject({ status_code: 2001 })
    expect(await (await ask('DELETE', id)).result()).toEqual({ result: 'ACCEPTED' })
    await until(async () => (await desired()).length === 0)
    expect(await (await ask('PUT', id)).result()).toEqual({ result: 'ACCEPTED' })
    expect(await desired()).not.toEqual([])
    await fresh.ask('TransactionEvent', eventOf('Ended', 1, { transactionInfo: { transactionId: 'T-1' } }))
    await until(async () => (await desired()).length === 0)
    expect((await ask('PUT', id)).reply).toMatchObject({ data: { result: 'REJECTED' } })
  })
})

it('OCPI-A6: what a hub says of parties is given back, and what we do not offer is 404', async () => {
  const provider = providers[0] as Provider
  const info = {
    country_code: 'FR',
    party_id: 'ABC',
    role: 'EMSP',
    status: 'OFFLINE',
    last_updated: '2026-11-29T10:00:00Z',
  }
  const at = provider.at('hubclientinfo', '/FR/ABC')
  expect((await provider.call('GET', at)).status).toBe(404)
  expect((await provider.call('PUT', at, { ...info, party_id: 'XYZ' })).body.status_code).toBe(2001)
  expect((await provider.call('PUT', at, { ...info, more: 1 })).body.status_code).toBe(1000)
  expect((await provider.call('GET', at.replace('FR/ABC', 'fr/abc'))).body.data).toEqual({ ...info, more: 1 })
  for (const module of ['bookings', 'payments', 'invoicereconciliation']) {
    expect((await provider.call('GET', at.replace('hubclientinfo/FR/ABC', module))).status).toBe(404)
  }
})
