/** A raw 2.1 charge point that keeps tariffs and calculates costs by itself. */
import { afterAll, expect, it } from 'vitest'
import { faultsOf } from '../src/ocpp/schema/validators.ts'
import { type Json, openHouse, until } from './house.ts'
import { BOOT_201, connectStation, type Station } from './station.ts'

const house = await openHouse({ PILOTWIRE_OCPP_VERSIONS: '1.6,2.0.1,2.1' })
const stations: Station[] = []
afterAll(async () => {
  for (const station of stations) await station.close()
  await house.closeClean()
})

const variable = (name: string, value: string, instance?: string): Json => ({
  component: { name: 'TariffCostCtrlr' },
  variable: { name, ...(instance !== undefined && { instance }) },
  variableAttribute: [{ value }],
})
const KEEPS = [variable('Available', 'true', 'Tariff'), variable('Enabled', 'true', 'Tariff')]

/** Keeps tariffs under their ids; `refuse` is what it says instead. */
async function booted(identity: string, refuse?: string) {
  const kept = new Set<string>()
  const answers: Readonly<Record<string, (request: Json) => Json>> = {
    SetDefaultTariff({ tariff }) {
      if (refuse === undefined) kept.add(String((tariff as Json).tariffId))
      return { status: refuse ?? 'Accepted' }
    },
    GetTariffs: () =>
      kept.size === 0
        ? { status: 'NoTariff' }
        : {
            status: 'Accepted',
            tariffAssignments: [...kept].map((tariffId) => ({ tariffId, tariffKind: 'DefaultTariff', evseIds: [0] })),
          },
    ClearTariffs: ({ tariffIds }) => ({
      clearTariffsResult: (tariffIds as readonly string[]).map((tariffId) => ({
        tariffId,
        status: kept.delete(tariffId) ? 'Accepted' : 'NoTariff',
      })),
    }),
  }
  const respond = (method: string, request: Json): Json => {
    expect(faultsOf('ocpp2.1', method, 'req', request)).toEqual([])
    const response = answers[method]?.(request) ?? { status: 'Accepted' }
    expect(faultsOf('ocpp2.1', method, 'conf', response)).toEqual([])
    return response
  }
  const station = await connectStation(house.ocppUrl, identity, ['ocpp2.1'], { respond })
  stations.push(station)
  await station.ask('BootNotification', BOOT_201)
  let requestId = 1000
  async function report(reportData: readonly Json[]): Promise<void> {
    const at = `/2/evse-controllers/${identity}/reports`
    const { body } = await house.request('POST', at, { base: 'FullInventory' })
    const isAsked = () => station.requests('GetBaseReport').length > requestId - 1000
    await until(isAsked)
    const asked = station.requests('GetBaseReport').at(-1)?.requestId
    requestId++
    const generatedAt = new Date().toISOString()
    await station.ask('NotifyReport', { requestId: asked, generatedAt, seqNo: 0, reportData })
    await until(async () => (await house.request('GET', `${at}/${body.id}`)).body.state === 'complete')
  }
  const path = `/2/evse-controllers/${identity}/intents?kind=tariff`
  const intents = async () => (await house.request('GET', path)).body.data as readonly Json[]
  /** Until all of them are in this state. */
  async function reached(...states: readonly string[]): Promise<readonly Json[]> {
    await until(async () => JSON.stringify((await intents()).map(({ state }) => state)) === JSON.stringify(states))
    return intents()
  }
  const price = (perKwh: number, more: Json = {}) =>
    house.request('POST', '/2/tariffs', { evseControllerId: identity, currency: 'EUR', perKwh, ...more })
  return { station, kept, report, intents, reached, price }
}

it('OCPP21-C4: a tariff is set, read back, replaced by its next version under another id, and cleared', async () => {
  const { station, kept, report, reached, price } = await booted('KEEPS')
  const { body: tariff } = await price(0.5, { perSession: 1, idlePerMinute: 0.1 })
  await report([...KEEPS, variable('Currency', 'EUR'), variable('ConditionsSupported', 'true', 'Tariff')])
  const [first] = await reached('verified')
  expect(first).toMatchObject({ kind: 'tariff', desired: { currency: 'EUR', perKwh: 0.5 }, appliedRevision: 1 })
  expect(station.requests('SetDefaultTariff')).toEqual([
    {
      evseId: 0,
      tariff: {
        tariffId: first?.key,
        currency: 'EUR',
        energy: { prices: [{ priceKwh: 0.5 }] },
        idleTime: { prices: [{ priceMinute: 0.1, conditions: { minChargingTime: 1 } }] },
        fixedFee: { prices: [{ priceFixed: 1 }] },
      },
    },
  ])
  expect([...kept]).toEqual([first?.key])

  const path = `/2/tariffs/${tariff.id}`
  expect((await house.request('PATCH', path, { perKwh: 0.6 })).status).toBe(200)
  await until(() => station.requests('ClearTariffs').length > 0)
  expect(station.requests('ClearTariffs')).toEqual([{ tariffIds: [first?.key] }])
  const [second] = await reached('verified')
  expect(second?.key).not.toBe(first?.key)
  expect([...kept]).toEqual([second?.key])
  const order = station.frames
    .map((frame) => frame[2])
    .filter((method) => /^(SetDefault|Clear)Tariff/.test(String(method)))
  expect(order).toEqual(['SetDefaultTariff', 'SetDefaultTariff', 'ClearTariffs'])

  // It asks after a restart, and the station has lost it.
  kept.clear()
  const asked = station.requests('GetTariffs').length
  await station.ask('BootNotification', BOOT_201)
  await until(() => station.requests('GetTariffs').length > asked)
  const [lost] = await reached('pending')
  expect(lost?.reason).toBe('the charge point has "none of ours"')

  expect((await house.request('DELETE', path)).status).toBeLessThan(300)
  await reached()
  expect(station.requests('ClearTariffs').at(-1)).toEqual({ tariffIds: [second?.key] })
})

it.each(['TooManyElements', 'ConditionNotSupported', 'DuplicateTariffId'])(
  'OCPP21-C4: a refused tariff shows %s as its reason, and is not sent again until another is desired',
  async (status) => {
    const { station, report, reached, price } = await booted(`SAYS-${status}`, status)
    const { body: tariff } = await price(0.5)
    await report(KEEPS)
    const [refused] = await reached('rejected')
    expect(refused?.reason).toBe(status)
    await station.ask('BootNotification', BOOT_201)
    expect((await house.request('PATCH', `/2/tariffs/${tariff.id}`, { perKwh: 0.7 })).status).toBe(200)
    await until(() => station.requests('SetDefaultTariff').length === 2)
    const [next] = await reached('rejected')
    expect(next?.key).not.toBe(refused?.key)
    expect(station.requests('ClearTariffs')).toEqual([])
  },
)

it('OCPP21-C4: a tariff in another currency is not sent, says so, and is sent once the currencies are equal', async () => {
  const { station, report, reached, price } = await booted('DOLLARS')
  await price(0.5)
  await report([...KEEPS, variable('Currency', 'USD')])
  const [refused] = await reached('rejected')
  expect(refused?.reason).toBe('the charge point calculates in USD, and the tariff is in EUR')
  expect(station.requests('SetDefaultTariff')).toEqual([])
  await report([...KEEPS, variable('Currency', 'eur')])
  await reached('verified')
})

it('OCPP21-C4: nothing is desired of a station that keeps no tariffs, or has it switched off', async () => {
  const { station, report, intents, reached, price } = await booted('PLAIN')
  await price(0.5)
  await report([KEEPS[0] as Json, variable('Enabled', 'false', 'Tariff')])
  expect(await intents()).toEqual([])
  await report(KEEPS)
  await reached('verified')
  await report([KEEPS[0] as Json, variable('Enabled', 'false', 'Tariff')])
  await reached()
  expect(station.requests('ClearTariffs')).toHaveLength(1)
})

it('OCPP21-C4: a station on 2.0.1 is not sent its tariff, and keeps that of its time on 2.1', async () => {
  const { station, report, reached, price } = await booted('BOTH')
  const { body: tariff } = await price(0.5)
  await report(KEEPS)
  const [first] = await reached('verified')
  await station.close()
  const older = await connectStation(house.ocppUrl, 'BOTH', ['ocpp2.0.1'], { answer: { status: 'Accepted' } })
  stations.push(older)
  await older.ask('BootNotification', BOOT_201)
  expect((await house.request('PATCH', `/2/tariffs/${tariff.id}`, { perKwh: 0.6 })).status).toBe(200)
  await older.ask('Heartbeat', {})
  expect((await reached('applied'))[0]?.key).toBe(first?.key)
  expect(older.calls('SetDefaultTariff')).toEqual([])
  await older.close()
  const { station: newer } = await booted('BOTH')
  await until(() => newer.requests('ClearTariffs').length > 0)
  expect(newer.requests('ClearTariffs')).toEqual([{ tariffIds: [first?.key] }])
  const [next] = await reached('verified')
  expect(next?.key).not.toBe(first?.key)
})

it('OCPP21-C9: a driver’s tariff comes with the answer to the card until the station cannot read it', async () => {
  const { station, report } = await booted('DRIVER')
  const firmware = (firmwareVersion: string) =>
    station.ask('BootNotification', {
      ...BOOT_201,
      chargingStation: { ...BOOT_201.chargingStation, firmwareVersion },
    })
  await firmware('1')
  await report([...KEEPS, variable('Currency', 'EUR')])
  const { body: tariff } = await house.request('POST', '/2/tariffs', { name: 'Staff', currency: 'EUR', perKwh: 0.2 })
  await house.request('POST', '/2/id-tokens', { id: 'STAFF' })
  const change = (tariffId: string | null) => house.request('PATCH', '/2/id-tokens/STAFF', { tariffId })
  expect((await change('tar_unknown')).status).toBe(422)
  expect((await change(String(tariff.id))).status).toBe(200)
  expect((await house.request('GET', '/2/id-tokens/STAFF')).body.tariffId).toBe(tariff.id)
  let asked = 0
  const shown = async (): Promise<Json | undefined> => {
    const request = { idToken: { idToken: 'staff', type: 'ISO14443' } }
    const answer = await station.ask('Authorize', request, `authorize-${++asked}`)
    expect(faultsOf('ocpp2.1', 'Authorize', 'conf', answer)).toEqual([])
    return answer.tariff as Json | undefined
  }
  const energy = { prices: [{ priceKwh: 0.2 }] }
  expect(await shown()).toEqual({ tariffId: `${tariff.id}-1`, currency: 'EUR', energy })
  station.send(JSON.stringify([5, `authorize-${asked}`, 'FormatViolation', 'no tariff', {}]))
  expect(await shown()).toBeUndefined()
  await firmware('2')
  expect(await shown()).toMatchObject({ tariffId: `${tariff.id}-1` })
  station.send(JSON.stringify([5, `authorize-${asked}`, 'InternalError', '', {}]))
  expect(await shown()).toBeUndefined()
  await house.request('PATCH', `/2/tariffs/${tariff.id}`, { perKwh: 0.3 })
  expect(await shown()).toMatchObject({ tariffId: `${tariff.id}-2`, energy: { prices: [{ priceKwh: 0.3 }] } })
  expect((await change(null)).body).not.toHaveProperty('tariffId')
  expect(await shown()).toBeUndefined()
})
