/** A raw 2.1 charge point that keeps the limits of its charge, and reckons what it costs. */
import { afterAll, expect, it } from 'vitest'
import { faultsOf } from '../src/ocpp/schema/validators.ts'
import { type Json, openHouse, until } from './house.ts'
import { BOOT_201, connectStation, eventOf, type Station } from './station.ts'

const house = await openHouse({ PILOTWIRE_OCPP_VERSIONS: '1.6,2.0.1,2.1' })
const stations: Station[] = []
afterAll(async () => {
  for (const station of stations) await station.close()
  await house.closeClean()
})
await house.request('POST', '/2/tariffs', { currency: 'EUR', perKwh: 0.5 })

async function booted(identity: string) {
  const respond = (): Json => ({ status: 'Accepted' })
  const station = await connectStation(house.ocppUrl, identity, ['ocpp2.1'], { respond })
  stations.push(station)
  await station.ask('BootNotification', BOOT_201)
  let seqNo = 0
  /** @returns the answer, which satisfies its schema */
  async function event(eventType: string, triggerReason: string, wattHours: number, info: Json = {}, more: Json = {}) {
    const timestamp = new Date().toISOString()
    const meterValue = [{ timestamp, sampledValue: [{ value: wattHours }] }]
    const transactionInfo = { transactionId: identity, ...info }
    const request = eventOf(eventType, seqNo, { timestamp, triggerReason, meterValue, transactionInfo, ...more })
    expect(faultsOf('ocpp2.1', 'TransactionEvent', 'req', request)).toEqual([])
    seqNo++
    const answer = await station.ask('TransactionEvent', request)
    expect(faultsOf('ocpp2.1', 'TransactionEvent', 'conf', answer)).toEqual([])
    return answer
  }
  /** Starts by the API with these limits. */
  async function start(limits: Json) {
    const { body } = await house.request('POST', '/2/sessions', { evseControllerId: identity, evseId: 1, limits })
    const { remoteStartId, idToken } = await station.asked('RequestStartTransaction')
    const answer = await event('Started', 'RemoteStart', 0, { remoteStartId, chargingState: 'Charging' }, { idToken })
    const path = `/2/sessions/${body.id}`
    const shown = async () => {
      const { body: session } = await house.request('GET', `${path}?include=details`)
      return session as Json & { readonly details: Json }
    }
    return { path, answer, shown }
  }
  return { station, event, start }
}

const costDetails = (exclTax: number): Json => ({
  totalCost: { currency: 'EUR', typeOfCost: 'NormalCost', total: { exclTax } },
  totalUsage: { energy: 15.2, chargingTime: 60, idleTime: 0 },
})

it('OCPP21-C3, OCPP21-C5, TC_E_110: a charge is suspended at its limit, goes on when it is raised, and ends', async () => {
  const { station, event, start } = await booted('KEEPS')
  const { path, answer, shown } = await start({ energyKwh: 10, cost: 20 })
  expect(answer).toEqual({ idTokenInfo: expect.anything(), transactionLimit: { maxEnergy: 10_000, maxCost: 20 } })
  expect(await event('Updated', 'MeterValuePeriodic', 100)).toEqual({})
  const transactionLimit = { maxEnergy: 10_000, maxCost: 20 }
  expect(await event('Updated', 'LimitSet', 100, { transactionLimit, tariffId: 'T-7' })).toEqual({})
  expect((await shown()).details).toMatchObject({
    transactionLimit: { energyKwh: 10, cost: 20 },
    stationTariffId: 'T-7',
  })

  expect(await event('Updated', 'EnergyLimitReached', 10_004, { chargingState: 'SuspendedEVSE' })).toEqual({})
  const held = await shown()
  expect(held).toMatchObject({ state: 'suspended', details: { limitReached: { kind: 'energy', limit: 10 } } })
  expect(Date.parse(String((held.details.limitReached as Json).at))).toBeGreaterThan(0)
  const page = await house.request('GET', path)
  expect(page.body).toMatchObject({ state: 'suspended' })

  for (const refused of [{}, { limits: {} }, { limits: { energyKwh: null } }, { limits: { energyKwh: 0 } }]) {
    expect([refused, (await house.request('PATCH', path, refused)).status]).toEqual([refused, 400])
  }
  expect((await house.request('PATCH', path, { limits: { energyKwh: 15 } })).status).toBe(200)
  expect(await station.asked('TriggerMessage')).toEqual({ requestedMessage: 'TransactionEvent', evse: { id: 1 } })
  expect(await event('Updated', 'Trigger', 10_004)).toEqual({ transactionLimit: { maxEnergy: 15_000 } })
  const raised = { maxEnergy: 15_000, maxCost: 20 }
  expect(await event('Updated', 'LimitSet', 10_004, { transactionLimit: raised })).toEqual({})
  expect(await event('Updated', 'ChargingStateChanged', 10_100, { chargingState: 'Charging' })).toEqual({})
  const resumed = await shown()
  expect(resumed).toMatchObject({ state: 'charging', details: { limits: { energyKwh: 15, cost: 20 } } })
  expect(resumed.details).not.toHaveProperty('limitReached')
  expect(station.requests('RequestStopTransaction')).toEqual([])

  // It does not keep it this time.
  await event('Updated', 'MeterValuePeriodic', 15_200)
  expect(await station.asked('RequestStopTransaction')).toEqual({ transactionId: 'KEEPS' })
  const ended = await event(
    'Ended',
    'RemoteStop',
    15_200,
    { stoppedReason: 'Remote' },
    { costDetails: costDetails(7.6) },
  )
  expect(ended).toEqual({})
  expect(await shown()).toMatchObject({
    state: 'completed',
    cost: 7.6,
    details: {
      limitReached: { kind: 'energy', limit: 15, reached: 15.2 },
      stationCost: { currency: 'EUR', net: 7.6, isFinal: true },
      costDiffers: false,
    },
  })
  const late = await house.request('PATCH', path, { limits: { energyKwh: 20 } })
  expect(late).toMatchObject({ status: 409, body: { code: 'session_ended' } })
})

it('OCPP21-C3, E16.FR.12: only listed limits are sent, and one that stays suspended is ended by its station', async () => {
  const { station, event, start } = await booted('STAYS')
  const component = { name: 'TxCtrlr' }
  const variableAttribute = [{ value: 'maxEnergy,MaxTime' }]
  const reportData = [{ component, variable: { name: 'SupportedLimits' }, variableAttribute }]
  await station.ask('NotifyReport', { requestId: 1, generatedAt: new Date().toISOString(), seqNo: 0, reportData })
  const variables = () => house.request('GET', '/2/evse-controllers/STAYS/variables')
  await until(async () => (await variables()).text.includes('SupportedLimits'))
  const { shown, answer } = await start({ durationSeconds: 600, cost: 20 })
  expect(answer.transactionLimit).toEqual({ maxTime: 600 })
  await event('Updated', 'LimitSet', 10, { transactionLimit: { maxTime: 600 } })
  await event('Updated', 'TimeLimitReached', 500, { chargingState: 'SuspendedEVSE' })
  expect(await event('Ended', 'EVDeparted', 500, { stoppedReason: 'EVDisconnected' })).toEqual({ totalCost: 0.25 })
  expect(await shown()).toMatchObject({
    state: 'completed',
    details: { limitReached: { kind: 'duration', limit: 600 } },
  })
  expect(station.requests('RequestStopTransaction')).toEqual([])
})

it('OCPP21-C3: no event is asked for where nothing would be sent: above the driver’s own limit, or without a change', async () => {
  const { station, event, start } = await booted('LOWER')
  const { path } = await start({ energyKwh: 10 })
  await event('Updated', 'LimitSet', 0, { transactionLimit: { maxEnergy: 4_000 } })
  for (const energyKwh of [12, 12, 10])
    expect((await house.request('PATCH', path, { limits: { energyKwh } })).status).toBe(200)
  expect((await house.request('PATCH', path, { limits: { energyKwh: 3 } })).status).toBe(200)
  await station.asked('TriggerMessage')
  expect(await event('Updated', 'Trigger', 100)).toEqual({ transactionLimit: { maxEnergy: 3_000 } })
  expect(station.requests('TriggerMessage')).toHaveLength(1)
})

it('OCPP21-B8: a charge that its station resumes after a boot is the same session, with its limits sent again', async () => {
  const { station, event, start } = await booted('RESUMES')
  const { shown } = await start({ energyKwh: 10 })
  await event('Updated', 'MeterValuePeriodic', 2_000)
  await station.ask('BootNotification', { ...BOOT_201, reason: 'PowerUp' })
  const again = await event('Updated', 'TxResumed', 2_000, { chargingState: 'SuspendedEVSE' })
  expect(again).toEqual({ transactionLimit: { maxEnergy: 10_000 } })
  expect(await shown()).toMatchObject({ state: 'suspended' })
  await event('Ended', 'AbnormalCondition', 2_000, { stoppedReason: 'PowerLoss' })
  expect(await house.sessions('RESUMES')).toMatchObject([{ state: 'completed', energyKwh: 2 }])
})
