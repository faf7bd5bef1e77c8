/** SIGTERM and SIGKILL, on a server in a process of its own: nothing that was acknowledged is missing afterwards. */
import { randomUUID } from 'node:crypto'
import { renameSync, rmSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import { createChargePoint } from '../simulator/charge-point.ts'
import { type HouseProcess, type Json, spawnHouse, until } from './house.ts'
import { booted16, booted201, connectStation, eventOf, type Station, startOf } from './station.ts'

// Whole processes are started and ended here; on a busy machine each takes seconds.

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
    await Promise.all([new16.close(), new201.close()])
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

describe('a restored backup', () => {
  it('SESSION-A3: knows what it knew, and gives no number that was given after it was made', async () => {
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
    await late.close()
  })
})

const CHARGES = 25

/** Settled when the server is up again; whoever hammers on its door meanwhile only takes its time. */
let serving = Promise.resolve()

/** A station that charges again and again and, like a real one, repeats what was not acknowledged. */
class Charger {
  readonly #id: string
  readonly acknowledged: string[] = []
  readonly transactionIds = new Set<number>()
  readonly charges: number
  #register = 0
  #station: Station | undefined

  constructor(id: string, charges: number) {
    this.#id = id
    this.charges = charges
  }

  async run(): Promise<void> {
    for (let charge = 0; charge < this.charges; charge++) {
      const { transactionId } = await this.#deliver('StartTransaction', start(this.#register))
      this.transactionIds.add(Number(transactionId))
      for (let sample = 0; sample < 5; sample++) {
        this.#register += 100
        await this.#deliver('MeterValues', values(transactionId, this.#register))
      }
      this.#register += 100
      await this.#deliver('StopTransaction', stop(transactionId, this.#register))
    }
    await this.#station?.close()
  }

  async #deliver(action: string, payload: Json): Promise<Json> {
    const messageId = randomUUID()
    for (;;) {
      try {
        this.#station ??= await this.#connect()
        const answer = await this.#station.ask(action, payload, messageId)
        this.acknowledged.push(messageId)
        return answer
      } catch {
        this.#station?.socket.terminate()
        this.#station = undefined
        await serving
      }
    }
  }

  async #connect(): Promise<Station> {
    return this.acknowledged.length === 0
      ? booted16(house.ocppUrl, this.#id)
      : connectStation(house.ocppUrl, this.#id, 'ocpp1.6')
  }
}

describe('SIGKILL', () => {
  it('OCPP-DR5, OCPP-DR6, OCPP-DR7: killed four times under load, nothing acknowledged is missing and every session is right', async () => {
    house = await spawnHouse()
    const chargers = Array.from({ length: 8 }, (_, number) => new Charger(`LOAD-${number}`, CHARGES))
    const count = (): number => chargers.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0)
    const work = Promise.all(chargers.map((charger) => charger.run()))
    for (let kill = 1; kill <= 4; kill++) {
      const before = count()
      await until(() => count() > before + 200)
      serving = house.kill().then(() => house.startAgain())
      await serving
    }
    await work
    expect(count()).toBe(8 * CHARGES * 7)
    for (const [number, charger] of chargers.entries()) {
      const stored = new Set((await house.rows(`LOAD-${number}`)).map(({ messageId }) => messageId))
      expect(charger.acknowledged.filter((id) => !stored.has(id))).toEqual([])
      const { body } = await house.request('GET', `/2/sessions?evseControllerId=LOAD-${number}&limit=500`)
      const sessions = body.data as readonly Json[]
      expect(sessions.map(({ state, energyKwh }) => ({ state, energyKwh }))).toEqual(
        Array.from({ length: CHARGES }, () => ({ state: 'completed', energyKwh: 0.6 })),
      )
      expect(charger.transactionIds.size).toBe(CHARGES)
    }
  })
})
