/** SIGTERM and SIGKILL, on a server in a process of its own: nothing that was acknowledged is missing afterwards. */
import { renameSync, rmSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import { createChargePoint } from '../simulator/charge-point.ts'
import { type HouseProcess, type Json, spawnHouse, until } from './house.ts'
import { Charger } from './postgres/charger.ts'
import { booted16, booted201, connectStation, eventOf, startOf } from './station.ts'

let house: HouseProcess

afterEach(() => house.close())

const start = (meterStart: number): Json => startOf({ meterStart })

const values = (transactionId: unknown, register: number): Json => ({
  connectorId: 1,
  transactionId,
  meterValue: [{ timestamp: new Date().toISOString(), sampledValue: [{ value: String(register) }] }],
})

const stop = (transactionId: unknown, meterStop: number): Json => ({
  transactionId,
  meterStop,
  timestamp: new Date().toISOString(),
})

describe('SIGTERM', () => {
  it('OCPP-CN6: what was received is answered, then every socket is closed with 1012 and the process ends with 0', async () => {
    house = await spawnHouse()
    const stations = await Promise.all(['A', 'B', 'C'].map((id) => booted16(house.ocppUrl, id)))
    const asked = stations.map((station) => station.call('StartTransaction', start(0)).catch(() => undefined))
    const ended = house.terminate()
    const closes = await Promise.all(stations.map(({ closed }) => closed))
    expect(closes).toEqual(stations.map(() => ({ code: 1012, reason: 'the server restarts' })))
    expect(await ended).toBe(0)
    const answers = await Promise.all(asked)
    await house.startAgain()
    // Answered means stored; what was not answered is sent again by its station.
    for (const [index, answer] of answers.entries()) {
      const sessions = await house.sessions(['A', 'B', 'C'][index] ?? '')
      if (answer) expect(sessions).toMatchObject([{ state: 'charging' }])
    }
  })

  it('OCPP-DR10: after a restart stations go on without a new BootNotification, and so do their sessions, in both versions', async () => {
    house = await spawnHouse()
    const old16 = await booted16(house.ocppUrl, 'ON-16')
    const { transactionId } = await old16.ask('StartTransaction', start(1000))
    await old16.ask('MeterValues', values(transactionId, 2000))
    const old201 = await booted201(house.ocppUrl, 'ON-201')
    const event = (eventType: string, seqNo: number, register: number): Json => {
      const meterValue = [{ timestamp: new Date().toISOString(), sampledValue: [{ value: register }] }]
      return eventOf(eventType, seqNo, { meterValue })
    }
    await old201.ask('TransactionEvent', event('Started', 0, 500))
    expect(await house.terminate()).toBe(0)
    await house.startAgain()

    const new16 = await connectStation(house.ocppUrl, 'ON-16', 'ocpp1.6')
    await new16.ask('MeterValues', values(transactionId, 3000))
    expect(await house.onlySession('ON-16')).toMatchObject({ state: 'charging', energyKwh: 2 })
    await new16.ask('StopTransaction', stop(transactionId, 4500))
    expect(await house.onlySession('ON-16')).toMatchObject({ state: 'completed', energyKwh: 3.5 })
    const new201 = await connectStation(house.ocppUrl, 'ON-201', 'ocpp2.0.1')
    await new201.ask('TransactionEvent', event('Updated', 1, 900))
    await new201.ask('TransactionEvent', event('Ended', 2, 1500))
    expect(await house.onlySession('ON-201')).toMatchObject({ state: 'completed', energyKwh: 1 })
  })

  it('OCPP-DR10, SESSION-A3: the simulator charges through a restart; numbers of transactions are never given twice', async () => {
    house = await spawnHouse()
    const station = createChargePoint({ protocol: 'ocpp1.6', url: house.ocppUrl, id: 'SIM', timeScale: 1000 })
    await station.connect()
    await station.boot()
    await station.plug(1)
    const transaction = await station.start(1, { idToken: { id: 'CARD', type: 'ISO14443' } })
    const first = Number(transaction.transactionId)
    expect(await house.terminate()).toBe(0)
    await until(() => !station.snapshot().online)
    const stopping = station.stop(1)
    await house.startAgain()
    await stopping
    await until(() => station.snapshot().online)
    await station.flush()
    await until(async () => (await house.sessions('SIM'))[0]?.state === 'completed')
    const next = await station.start(1, { idToken: { id: 'CARD', type: 'ISO14443' } })
    expect(Number(next.transactionId)).toBeGreaterThan(first)
    await station.powerOff()
  })
})

it('SESSION-A3: a restored backup knows what it knew, and gives no number that was given after it was made', async () => {
  house = await spawnHouse()
  const file = `${house.database}.backup`
  const early = await booted16(house.ocppUrl, 'RESTORED')
  const { transactionId: known } = await early.ask('StartTransaction', start(0))
  await house.cli(['backup', file])
  await early.ask('StopTransaction', stop(known, 1000))
  const { transactionId: forgotten } = await early.ask('StartTransaction', start(1000))
  expect(await house.terminate()).toBe(0)
  for (const rest of ['', '-wal', '-shm']) rmSync(`${house.database}${rest}`, { force: true })
  renameSync(file, house.database)
  await house.startAgain()

  const late = await connectStation(house.ocppUrl, 'RESTORED', 'ocpp1.6')
  await late.ask('StopTransaction', stop(known, 1000))
  expect(await house.onlySession('RESTORED')).toMatchObject({ state: 'completed', energyKwh: 1 })
  const { transactionId: next } = await late.ask('StartTransaction', start(2000))
  expect(Number(next)).toBeGreaterThan(Number(forgotten))
})

it('OCPP-DR5, OCPP-DR6, OCPP-DR7, OCPP21-A1: killed four times under load, nothing is lost or doubled, in any version', async () => {
  house = await spawnHouse({ PILOTWIRE_OCPP_VERSIONS: '1.6,2.0.1,2.1' })
  const versions = ['ocpp1.6', 'ocpp2.1', 'ocpp1.6', 'ocpp2.0.1'] as const
  const chargers = [...versions, ...versions].map(
    (version, number) => new Charger(house.ocppUrl, `LOAD-${number}`, 10, version),
  )
  const count = (): number => chargers.reduce((sum, { acknowledged }) => sum + acknowledged.size, 0)
  let isOver = false
  const work = Promise.all(chargers.map((charger) => charger.chargeUntil(() => isOver)))
  for (let kill = 1; kill <= 4; kill++) {
    const before = count()
    await until(() => count() > before + 200)
    await house.kill()
    await house.startAgain()
  }
  isOver = true
  await work
  for (const { name, acknowledged, streamed, charges } of chargers) {
    const rows = (await house.rows(name)).filter(({ direction }) => direction === 'in')
    const stored = rows.map(({ messageId }) => String(messageId))
    expect([...acknowledged, ...streamed].filter((id) => !stored.includes(id))).toEqual([])
    const streams = rows.filter(({ method }) => method === 'NotifyPeriodicEventStream')
    expect(new Set(streams.map(({ messageId }) => messageId)).size).toBe(streams.length)
    const { body } = await house.request('GET', `/2/sessions?evseControllerId=${name}&limit=500`)
    const sessions = (body.data as readonly Json[]).map(({ state, energyKwh }) => ({ state, energyKwh }))
    expect(sessions.reverse()).toEqual(charges.map(({ energyKwh }) => ({ state: 'completed', energyKwh })))
    expect(new Set(charges.map(({ transactionId }) => transactionId)).size).toBe(charges.length)
  }
  expect(chargers.filter(({ streamed }) => streamed.size > 20)).toHaveLength(2)
  for (const charger of chargers) charger.end()
})
