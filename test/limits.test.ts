/** Limits over HTTP, carried to simulated charge points of both versions, which obey them or do not. */
import { afterAll, describe, expect, it } from 'vitest'
import { type ChargePoint, createChargePoint } from '../simulator/charge-point.ts'
import { type ApiAnswer, type Json, openHouse, until } from './house.ts'
import { profile, profile16 } from './profiles.ts'

const stations: ChargePoint[] = []

const house = await openHouse()
afterAll(async () => {
  for (const station of stations) await station.powerOff()
  await house.closeClean()
})

const protocols = ['ocpp1.6', 'ocpp2.0.1'] as const

async function simulated(protocol: (typeof protocols)[number], id: string): Promise<ChargePoint> {
  const station = createChargePoint({ protocol, url: house.ocppUrl, id })
  stations.push(station)
  await station.connect()
  await station.boot()
  return station
}

const of = (id: string, path: string): string => `/2/evse-controllers/${id}${path}`
const put = (id: string, name: string, body: Json): Promise<ApiAnswer> =>
  house.request('PUT', of(id, `/limits/${name}`), body)
const limit = async (id: string, name: string): Promise<Json> =>
  (await house.request('GET', of(id, `/limits/${name}`))).body
const list = async (path: string): Promise<readonly Json[]> => await house.list(path)
const verdict = (shown: Json): unknown => (shown.proof as Json).verdict

it('CHARGING-P4, GROUP-P2: an installation has one voltage for limits, groups and schedules', async () => {
  const american = await openHouse({ PILOTWIRE_VOLTAGE: '277' })
  try {
    await american.request('POST', '/2/evse-controllers', { id: 'US', securityProfile: 0 })
    const asked = { evseId: 1, watts: 277 * 3 * 20 }
    expect((await american.request('PUT', of('US', '/limits/a'), asked)).body.effectiveAmps).toBe(20)
    const group = { watts: 277 * 3 * 100, selector: {} }
    expect((await american.request('PUT', '/2/limit-groups/site', group)).body).toMatchObject({ safeAmps: 50 })
    const external = { watts: 277 * 3 * 40, until: '2099-01-01T00:00:00Z', source: 'grid' }
    expect((await american.request('PUT', '/2/limit-groups/site/external-limit', external)).status).toBe(200)
    const { body } = await american.request('GET', '/2/limit-groups/site/status')
    expect(body).toMatchObject({ limitAmps: [40, 40, 40], externalLimit: { amps: 40 } })
  } finally {
    await american.close()
  }
})

describe.each(protocols)('%s', (protocol) => {
  it('CHARGING-S3, CHARGING-S6: a limit is put, proved, replaced, listed and deleted', async () => {
    const id = `LIMIT-${protocol}`
    await simulated(protocol, id)
    const created = await put(id, 'night', { evseId: 1, amps: 10 })
    expect(created).toMatchObject({ status: 201, body: { name: 'night', evseId: 1, amps: 10, effectiveAmps: 10 } })
    expect(created.headers.get('location')).toBe(of(id, '/limits/night'))
    await until(async () => verdict(await limit(id, 'night')) === 'proved')
    expect(await limit(id, 'night')).toMatchObject({ state: 'accepted', revision: 1, appliedRevision: 1 })
    expect(await put(id, 'night', { evseId: 1, amps: 10 })).toMatchObject({ status: 200, body: { revision: 1 } })

    await put(id, 'other', { evseId: 1, watts: 13_800, phases: 3 })
    await until(async () => (await limit(id, 'other')).state === 'accepted')
    const composite = of(id, '/composite-schedule?evseId=1&duration=600')
    await until(async () => (await house.request('GET', composite)).body.verdict === 'proved')
    expect((await house.request('GET', composite)).body).toMatchObject({
      ours: { unit: 'A', periods: [{ startPeriod: 0, limit: 10 }] },
      station: { periods: [{ startPeriod: 0, limit: 10 }] },
    })
    expect((await list(of(id, '/limits'))).map(({ name }) => name)).toEqual(['night', 'other'])
    expect(await list(of(id, '/charging-profiles?source=desired'))).toMatchObject([
      { owner: 'pilotwire', evseId: 1, purpose: 'TxDefaultProfile', state: 'accepted', effective: true },
    ])

    expect((await house.request('DELETE', of(id, '/limits/night'))).status).toBe(204)
    await until(async () => JSON.stringify((await house.request('GET', composite)).body.station).includes('20'))
    await house.request('DELETE', of(id, '/limits/other'))
    await until(async () => (await list(of(id, '/charging-profiles'))).length === 0)
    expect((await house.request('GET', of(id, '/limits/other'))).status).toBe(404)
  })

  it('CHARGING-S10: an EVSE that is not there is refused, of limits and profiles alike', async () => {
    const id = `EVSE-${protocol}`
    await simulated(protocol, id)
    const unknown = (clause: string, pointer = '/evseId') => ({
      status: 422,
      body: { errors: [{ pointer, code: clause, message: expect.stringContaining('has no EVSE 9') }] },
    })
    expect(await put(id, 'nowhere', { evseId: 9, amps: 10 })).toMatchObject(unknown('unknown_evse'))
    expect(await house.request('GET', of(id, '/composite-schedule?evseId=9'))).toMatchObject(unknown('unknown_evse'))
    const member = protocol === 'ocpp1.6' ? 'connectorId' : 'evseId'
    const expiresAt = new Date(Date.now() + 600_000).toISOString()
    const reservation = { evseControllerId: id, [member]: 9, idToken: 'A', expiresAt }
    expect(await house.request('POST', '/2/reservations', reservation)).toMatchObject(
      unknown('unknown_evse', `/${member}`),
    )
    expect(await list(of(id, '/limits'))).toEqual([])
    // API-B8
    expect(await put(id, 'a%00b', { amps: 10 })).toMatchObject({ status: 400 })
    const chargingProfile = profile()
    const profiles = of(id, '/charging-profiles')
    expect(await house.request('POST', profiles, { evseId: 9, chargingProfile })).toMatchObject(unknown('K01.FR.28'))
    expect(await house.rows(id, { method: ['SetChargingProfile'] })).toEqual([])
    expect(await put(id, 'all', { evseId: 0, amps: 10 })).toMatchObject({ status: 201 })
  })

  it('CHARGING-S3, CHARGING-P2: a profile as it is, and what OCPP forbids is refused with clause and pointer', async () => {
    const id = `RAW-${protocol}`
    await simulated(protocol, id)
    const post = (chargingProfile: Json, evseId = 1) =>
      house.request('POST', of(id, '/charging-profiles'), { evseId, chargingProfile })
    const later = { code: 'charging_profile_refused', errors: [{ code: 'K01.FR.31' }] }
    expect(await post(profile({}, { startPeriod: 5 }))).toMatchObject({ status: 422, body: later })
    const external = profile({ chargingProfilePurpose: 'ChargingStationExternalConstraints' })
    expect(await post(external)).toMatchObject({ status: 422, body: { errors: [{ code: 'K01.FR.22' }] } })
    expect(await post({})).toMatchObject({ status: 400 })
    // What a station would not be sent is told, not left out: `1e308` amperes were answered as null.
    const periods = '/chargingProfile/chargingSchedule/0/chargingSchedulePeriod/0'
    const period = (more: Json) => profile({}, more)
    for (const [more, pointer] of [
      [{ id: undefined }, '/chargingProfile/id'],
      [{ salesTariff: {} }, '/chargingProfile/salesTariff'],
      [{ validFrom: 'soon' }, '/chargingProfile/validFrom'],
      [period({ limit: 1e308 }), `${periods}/limit`],
      [period({ limit: -1 }), `${periods}/limit`],
      [period({ limit: '\0' }), `${periods}/limit`],
      [period({ limits: 5 }), `${periods}/limits`],
    ] satisfies readonly [Json, string][]) {
      expect(await post({ ...profile(), ...more }), pointer).toMatchObject({
        status: 400,
        body: { errors: [{ pointer }] },
      })
    }
    expect(await house.rows(id, { method: ['SetChargingProfile'] })).toEqual([])
    expect(await post(profile())).toMatchObject({ status: 202, body: { id: 11, owner: 'raw', evseId: 1 } })
    await until(async () => (await list(of(id, '/charging-profiles')))[0]?.state === 'accepted')

    const is16 = protocol === 'ocpp1.6'
    const request = is16
      ? { connectorId: 1, csChargingProfiles: profile16({ id: 8 }) }
      : { evseId: 1, chargingProfile: profile({ id: 8 }) }
    const command = { method: 'SetChargingProfile', request }
    const pointer = `/request/${is16 ? 'csChargingProfiles' : 'chargingProfile'}/stackLevel`
    const refused = { status: 422, body: { errors: [{ pointer, code: 'K01.FR.06' }] } }
    expect(await house.request('POST', of(id, '/commands'), command)).toMatchObject(refused)
    expect(await house.request('POST', of(id, '/charging-profiles/clear'), {})).toMatchObject({ status: 422 })
    expect((await house.request('POST', of(id, '/charging-profiles/clear'), { ids: [11] })).status).toBe(202)
    await until(async () => (await list(of(id, '/charging-profiles'))).length === 0)
  })
})

describe('limits', () => {
  it('CHARGING-S3: what cannot be kept is refused, a wait for a charge point that is away is not', async () => {
    expect((await put('NOBODY', 'a', { amps: 1 })).status).toBe(404)
    await house.request('POST', '/2/evse-controllers', { id: 'AWAY' })
    const soon = new Date(Date.now() + 60_000).toISOString()
    const later = new Date(Date.now() + 120_000).toISOString()
    for (const [body, pointer] of [
      [{}, ''],
      [{ amps: 6, watts: 6 }, '/watts'],
      [{ amps: 6, until: '2020-01-01T00:00:00Z' }, '/until'],
      [{ amps: 6, fallback: { amps: 6 } }, '/fallback'],
      [{ amps: 6, until: soon, fallback: { watts: 6 } }, '/fallback'],
      [{ amps: 6, schedule: [{ startAt: soon, watts: 6 }] }, '/schedule/0'],
      [{ schedule: [{ startAt: soon }] }, '/schedule/0'],
      [{ schedule: [later, soon].map((startAt) => ({ startAt, amps: 6 })) }, '/schedule/1/startAt'],
    ] as const) {
      expect(await put('AWAY', 'a', body)).toMatchObject({ status: 422, body: { errors: [{ pointer }] } })
    }
    expect((await put('AWAY', 'a', { amps: -1 })).status).toBe(400)
    expect(await put('AWAY', 'a', { evseId: 1, amps: 4, until: later, fallback: { amps: 16 } })).toMatchObject({
      status: 201,
      body: { amps: 4, effectiveAmps: 0, state: 'pending', proof: { verdict: 'pending' } },
    })
    expect((await house.request('GET', of('AWAY', '/composite-schedule?evseId=1'))).body).toMatchObject({
      ours: { periods: [{ startPeriod: 0 }] },
      reason: 'It has never connected.',
    })
  })

  it('CHARGING-S5: wiring of connectors and what is known of a model are put, shown and deleted', async () => {
    await simulated('ocpp1.6', 'WIRED')
    const connectors = [{ connectorId: 1, phaseRotation: 'STR', phases: 1, maxAmps: 32 }]
    const changed = await house.request('PATCH', of('WIRED', ''), { connectors, priority: 5 })
    expect(changed).toMatchObject({ status: 200, body: { priority: 5 } })
    await until(async () => JSON.stringify((await house.request('GET', of('WIRED', ''))).body).includes('STR'))
    const wrong = { connectors: [{ connectorId: 1, phaseRotation: 'ABC' }] }
    expect((await house.request('PATCH', of('WIRED', ''), wrong)).status).toBe(400)
    for (const again of [{ connectorId: 1 }, { evseId: 1, connectorId: 1, maxAmps: 16 }]) {
      const twice = await house.request('PATCH', of('WIRED', ''), { connectors: [...connectors, again] })
      const errors = [{ pointer: '/connectors/1/connectorId', code: 'duplicate_key', message: 'is wired twice' }]
      expect(twice).toMatchObject({ status: 400, body: { errors } })
    }
    const path = '/2/station-models/Acme%20Ltd/One'
    expect((await house.request('GET', path)).status).toBe(404)
    const known = { limitKey: 'MaxCurrent', abilities: { smartCharging: false } }
    expect(await house.request('PUT', path, known)).toMatchObject({
      status: 201,
      body: { vendor: 'Acme Ltd', ...known },
    })
    expect(await house.request('PUT', path, {})).toMatchObject({ status: 200, body: { abilities: {} } })
    expect((await house.request('DELETE', path)).status).toBe(204)
  })
})
