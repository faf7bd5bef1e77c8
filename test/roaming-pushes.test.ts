/** What a whole partner is pushed over real HTTP: locations, tariffs, sessions of its customers and their CDRs. */
import { afterAll, expect, it } from 'vitest'
import { type Json, until } from './house.ts'
import { roamingHouse } from './roaming-house.ts'
import { type Asked, customerToken, type Provider, startProvider } from './roaming-partner.ts'
import { BOOT_16, connectStation, startOf } from './station.ts'

const MODULES = ['locations', 'tariffs', 'sessions', 'cdrs']
const { house, invited, exchanges } = await roamingHouse({ PILOTWIRE_WEBHOOK_SCHEDULE: '1,1,1,1,1,1,1,1,1,1' })
const providers: Provider[] = []
const ids: string[] = []
for (let at = 0; at < 2; at++) {
  const made = await startProvider()
  made.receives = MODULES
  made.instead = ({ path }) => (path.startsWith('/results') ? {} : undefined)
  providers.push(made)
  ids.push((await invited(made)).id)
}
const [provider, other] = providers as [Provider, Provider]
const [id = ''] = ids
afterAll(async () => {
  for (const one of providers) await one.close()
})

const remote: Json[] = []
const station = await connectStation(house.ocppUrl, 'CP', 'ocpp1.6', {
  respond: (method, request) => {
    if (method === 'RemoteStartTransaction') remote.push(request as Json)
    return { status: 'Accepted' }
  },
})
await station.ask('BootNotification', BOOT_16)

const connector = { connectorId: '1', standard: 'IEC_62196_T2', format: 'SOCKET', powerType: 'AC_3_PHASE' }
const evse = { uid: 'e1', evseId: 'DE*PWR*E1', evseControllerId: 'CP', ocppEvseId: 1 }
const PLACE: Json = {
  publish: true,
  address: 'Main Street 1',
  city: 'Hannover',
  country: 'DEU',
  coordinates: { latitude: 52.3759, longitude: 9.732 },
  timeZone: 'Europe/Berlin',
  evses: [{ ...evse, connectors: [{ ...connector, maxVoltage: 230, maxAmperage: 32 }] }],
}
const putPlace = (more: Json = {}) => house.request('PUT', '/2/locations/depot', { ...PLACE, ...more })
const last = (module: string, by = provider): Asked | undefined => by.pushed(module).at(-1)
const say = (status: string) =>
  station.ask('StatusNotification', {
    connectorId: 1,
    errorCode: 'NoError',
    status,
    timestamp: new Date().toISOString(),
  })

it('OCPI-A2: a location is pushed whole to each partner, its EVSE alone when only the status changed', async () => {
  expect((await putPlace()).status).toBe(201)
  await until(() => provider.pushed('locations').length > 0 && other.pushed('locations').length > 0)
  expect(provider.pushed('locations')[0]).toMatchObject({
    method: 'PUT',
    path: '/2.3.0/locations/DE/PWR/depot',
    body: { id: 'depot', country: 'DEU', evses: [{ uid: 'e1' }] },
    headers: { 'ocpi-from-party-id': 'PWR', 'ocpi-to-party-id': 'EMP' },
  })
  await say('Faulted')
  await until(() => last('locations')?.body?.status === 'OUTOFORDER')
  expect(last('locations')).toMatchObject({ method: 'PUT', path: '/2.3.0/locations/DE/PWR/depot/e1' })
  await say('Available')
})

it('OCPI-A2: a tariff is pushed when it is made and changed, and deleted when it is gone', async () => {
  const { body: tariff } = await house.request('POST', '/2/tariffs', { currency: 'EUR', perKwh: 0.49, name: 'Night' })
  const path = `/2.3.0/tariffs/DE/PWR/${tariff.id}`
  await until(() => last('tariffs') !== undefined)
  expect(last('tariffs')).toMatchObject({ method: 'PUT', path, body: { currency: 'EUR' } })
  await house.request('PATCH', `/2/tariffs/${tariff.id}`, { currency: 'CHF' })
  await until(() => last('tariffs')?.body?.currency === 'CHF')
  await house.request('DELETE', `/2/tariffs/${tariff.id}`)
  await until(() => last('tariffs')?.method === 'DELETE')
  expect(last('tariffs')?.path).toBe(path)
})

/** A charge of a customer of the first partner, begun by its command. */
async function charge(uid: string, during: () => Promise<unknown> = async () => undefined): Promise<Json> {
  const begun = remote.length
  const reply = await provider.call('POST', provider.at('commands', '/START_SESSION'), {
    response_url: `${provider.root}/results/${uid}`,
    location_id: 'depot',
    evse_uid: 'e1',
    token: customerToken(uid),
    authorization_reference: `ref-${uid}`,
  })
  expect(reply.body).toMatchObject({ status_code: 1000, data: { result: 'ACCEPTED' } })
  await until(() => remote.length > begun)
  // By the tariff that will price it, before there is a transaction.
  const ordered = (await provider.call('GET', provider.at('sessions'))).body.data as readonly Json[]
  const [own] = ordered.filter(({ authorization_reference: of }) => of === `ref-${uid}`)
  expect(own).toMatchObject({ status: 'PENDING', currency: 'EUR' })
  const { transactionId } = await station.ask('StartTransaction', startOf({ idTag: String(remote.at(-1)?.idTag) }))
  await during()
  await station.ask('StopTransaction', { transactionId, meterStop: 11_000, timestamp: new Date().toISOString() })
  const cdrs = () => provider.pushed('cdrs').filter(({ body }) => body?.authorization_reference === `ref-${uid}`)
  await until(() => cdrs().length > 0)
  return cdrs()[0]?.body as Json
}

it('OCPI-A5: a charge is billed once it is complete, with the place of its start and the total of the session', async () => {
  await house.request('POST', '/2/tariffs', { currency: 'EUR', perKwh: 0.49 })
  const cdr = await charge('BILLED', () => putPlace({ address: 'Renamed Street 2' }))
  expect(cdr).toMatchObject({
    cdr_token: { uid: 'BILLED', contract_id: 'NL-EMP-CBILLED' },
    auth_method: 'COMMAND',
    cdr_location: { id: 'depot', address: 'Main Street 1', evse_uid: 'e1', evse_id: 'DE*PWR*E1', connector_id: '1' },
    currency: 'EUR',
  })
  expect(String(cdr.id).length).toBeLessThanOrEqual(36)
  const { body: session } = await house.request('GET', `/sessions/${cdr.session_id}`)
  expect(cdr.total_energy).toBe(session.energyKwh)
  expect((cdr.total_cost as Json).before_taxes).toBe(session.cost)
  await until(() => last('sessions')?.body?.status === 'COMPLETED')
  expect(last('sessions')?.path).toBe(`/2.3.0/sessions/DE/PWR/${cdr.session_id}`)
  expect(last('sessions')?.body?.total_cost).toMatchObject({ before_taxes: session.cost })
  expect([...other.pushed('sessions'), ...other.pushed('cdrs')]).toEqual([])
  const pulled = await provider.call('GET', provider.at('cdrs'))
  expect(pulled.body.data).toEqual([cdr])
  const sessions = (await provider.call('GET', provider.at('sessions'))).body.data as readonly Json[]
  expect(sessions).toMatchObject([{ id: cdr.session_id, status: 'COMPLETED' }])
  expect((await other.call('GET', other.at('cdrs'))).body.data).toEqual([])
  expect((await other.call('GET', other.at('sessions', `/${cdr.session_id}`))).status).toBe(404)
})

it('OCPI-A5: a correction is a credit with the negative total and a new CDR, and the first one stays', async () => {
  const first = await charge('CORRECTED')
  const { session_id: sessionId } = first
  const settlement = { cost: 3.21, reason: 'a wrong meter' }
  const headers = { 'idempotency-key': 'corrected' }
  const { status } = await house.request('POST', `/2/sessions/${sessionId}/settlements`, settlement, headers)
  expect(status).toBe(201)
  const own = () => provider.pushed('cdrs').filter(({ body }) => body?.session_id === sessionId)
  await until(() => own().length === 3)
  const [, credit, second] = own().map(({ body }) => body as Json)
  const { before_taxes: paid } = first.total_cost as { before_taxes: number }
  expect(credit).toEqual({
    ...first,
    id: `${first.id}C`,
    total_cost: { ...(first.total_cost as Json), before_taxes: -paid },
    credit: true,
    credit_reference_id: first.id,
    last_updated: expect.any(String),
  })
  expect(second).toMatchObject({ total_cost: { before_taxes: 3.21 } })
  expect([String(credit?.id).length <= 36, second?.id === first.id]).toEqual([true, false])
})

it('OCPI-A2: what a partner refuses is sent again as it is then; a dead partner delays no other', async () => {
  other.instead = () => 'hang up'
  let refusals = 0
  provider.instead = ({ method, path }) => {
    if (path.startsWith('/results')) return {}
    if (method !== 'PUT' || !path.includes('/locations/') || refusals > 1) return undefined
    refusals++
    return refusals === 1 ? { status: 500, code: 3000 } : { code: 2001 }
  }
  const before = provider.pushed('locations').length
  await putPlace({ city: 'Hanover' })
  await until(() => refusals > 0)
  await putPlace({ city: 'Hannover-Nord' })
  await until(() => last('locations')?.body?.city === 'Hannover-Nord')
  await until(() => provider.pushed('locations').length >= before + 4)
  const cities = provider
    .pushed('locations')
    .slice(before)
    .map(({ body }) => body?.city)
  expect(cities.indexOf('Hannover-Nord')).toBeGreaterThan(cities.lastIndexOf('Hanover'))
  provider.instead = ({ path }) => (path.startsWith('/results') ? {} : undefined)
})

it('OCPI-A2: a suspended partner is pushed nothing, and what it missed when it is taken up again', async () => {
  await house.request('PATCH', `/2/ocpi/partners/${id}`, { state: 'suspended' })
  const before = provider.asked.length
  await putPlace({ city: 'Missed' })
  // The other one is sent it, again and again.
  await until(() => last('locations', other)?.body?.city === 'Missed')
  expect(provider.asked.length).toBe(before)
  await house.request('PATCH', `/2/ocpi/partners/${id}`, { state: 'registered' })
  await until(() => last('locations')?.body?.city === 'Missed')
})

it('OCPI-A8: pushes are exchanges, and sent again from there as the object is now', async () => {
  const pushes = (await exchanges(id)).filter(({ method, url }) => method === 'PUT' && /depot$/.test(String(url)))
  const oldest = pushes.at(-1) as Json
  expect(oldest).toMatchObject({ direction: 'out', status: 200, statusCode: 1000, attempt: 1 })
  const before = provider.pushed('locations').length
  const { status } = await house.request('POST', `/2/ocpi/partners/${id}/exchanges/${oldest.id}/replay`)
  expect(status).toBeLessThan(300)
  expect(provider.pushed('locations').length).toBe(before + 1)
  expect(last('locations')?.body?.city).toBe('Missed')
})

it('OCPI-A2: a partner is no webhook of the account', async () => {
  expect(await house.list('/2/webhooks')).toEqual([])
  expect((await house.request('GET', `/2/webhooks/ocpi_${id}`)).status).toBe(404)
})
