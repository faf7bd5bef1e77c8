/** Every quirk of the simulator against the whole server: whatever firmware does, the charge ends with its energy. */
import { afterAll, describe, expect, it } from 'vitest'
import { ChargePoint, QUIRKS, SimulatedClock } from '../simulator/index.ts'
import { type Json, openHouse, until } from './house.ts'

const house = await openHouse()
afterAll(() => house.closeClean())

const cases = QUIRKS.flatMap((quirk) => quirk.versions.map((ocpp) => ({ ...quirk, ocpp })))

async function charged(quirks: readonly string[], ocpp: '1.6' | '2.0.1', id: string): Promise<ChargePoint> {
  const clock = new SimulatedClock()
  const cp = await ChargePoint.connect({ url: house.ocppUrl, id, ocpp, clock, quirks, seed: 1 })
  await cp.boot()
  await cp.plug(1, { soc: 30 })
  expect(await cp.swipe(1, 'CARD-1')).toBe('started')
  await cp.wait(900)
  return cp
}

const ended = (session: Json | undefined): boolean => session?.state === 'completed' || session?.state === 'failed'

describe('SIM-D1: a quirk costs nobody a session or its energy', () => {
  it.each(cases)('$name over OCPP $ocpp: $expected', async ({ name, ocpp, lessWh = 0 }) => {
    const id = `QUIRK-${name}-${ocpp}`
    const cp = await charged([name], ocpp, id)
    await cp.offline()
    await cp.wait(120)
    await cp.online()
    await cp.wait(180)
    await cp.swipe(1, 'CARD-1')
    await cp.unplug(1)
    const { energyKwh } = cp.charge(1)
    await cp.close()
    await until(async () => (await house.sessions(id)).some(ended))
    const sessions = await house.sessions(id)
    expect(sessions).toHaveLength(1)
    expect(sessions[0]?.state).toBe('completed')
    expect(energyKwh).toBeGreaterThan(2)
    expect(Math.round(Number(sessions[0]?.energyKwh) * 1000)).toBe(Math.round(energyKwh * 1000) - lessWh)
  })

  it('several at once', async () => {
    const quirks = ['duplicate-start', 'no-time-zone', 'numeric-values', 'stop-with-foreign-members', 'repeats-boot']
    const cp = await charged(quirks, '1.6', 'QUIRK-several')
    await cp.swipe(1, 'CARD-1')
    const { energyKwh } = cp.charge(1)
    await cp.close()
    await until(async () => (await house.sessions('QUIRK-several')).some(ended))
    expect(await house.sessions('QUIRK-several')).toMatchObject([{ state: 'completed', energyKwh }])
  })
})

describe('what the server shows of a quirk', () => {
  it('configuration-without-keys: the answer is kept as it came', async () => {
    const cp = await charged(['configuration-without-keys'], '1.6', 'QUIRK-keys')
    const order = { method: 'GetConfiguration', request: {}, wait: 10 }
    const answer = await house.request('POST', '/2/evse-controllers/QUIRK-keys/commands', order)
    expect(answer.body).toMatchObject({ status: 'success', response: {} })
    await cp.close()
  })

  it('drops-on-configuration: the command is dropped, and the session goes on', async () => {
    const cp = await charged(['drops-on-configuration'], '1.6', 'QUIRK-drops')
    const order = { method: 'GetConfiguration', request: {}, wait: 10 }
    const answer = await house.request('POST', '/2/evse-controllers/QUIRK-drops/commands', order)
    expect(answer.body).toMatchObject({ status: 'dropped' })
    await until(() => cp.state.online)
    expect(await house.sessions('QUIRK-drops')).toMatchObject([{ state: 'charging' }])
    await cp.close()
  })

  it('mismatched-answer-id and ignores-calls: the command stays open and the station’s own messages are taken', async () => {
    for (const name of ['mismatched-answer-id', 'ignores-calls']) {
      const id = `QUIRK-open-${name}`
      const cp = await charged([name], '1.6', id)
      const order = { method: 'ClearCache', request: {}, wait: 1 }
      const answer = await house.request('POST', `/2/evse-controllers/${id}/commands`, order)
      expect(answer.body).toMatchObject({ status: 'pending' })
      await cp.wait(60)
      expect(cp.state).toMatchObject({ online: true, queuedMessages: 0 })
      await cp.close()
    }
  })

  it('constant-message-id: each message has its own row', async () => {
    const cp = await charged(['constant-message-id'], '2.0.1', 'QUIRK-rows')
    await cp.close()
    const rows = await house.rows('QUIRK-rows', { method: ['TransactionEvent'] })
    expect(rows.length).toBeGreaterThan(14)
    expect(new Set(rows.map(({ messageId }) => messageId))).toEqual(new Set(['1000001']))
  })

  it('longer-id-tag and unknown-error-code: what came is kept', async () => {
    const cp = await charged(['longer-id-tag', 'unknown-error-code'], '1.6', 'QUIRK-kept')
    await cp.close()
    const rows = await house.rows('QUIRK-kept')
    expect(rows.find(({ method }) => method === 'StartTransaction')?.request).toMatchObject({ idTag: 'CARD-100' })
    expect(rows.find(({ method }) => method === 'StatusNotification')?.request).toMatchObject({ errorCode: 'Error' })
  })
})

describe('SIM-D2: the catalogue', () => {
  it('has at least 30 quirks, each with a name of its own, a public page and what a server should do', () => {
    expect(QUIRKS.length).toBeGreaterThanOrEqual(30)
    expect(new Set(QUIRKS.map(({ name }) => name)).size).toBe(QUIRKS.length)
    for (const { name, title, reference, expected, versions } of QUIRKS) {
      expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
      expect(reference).toMatch(/^https:\/\/github\.com\/[\w.-]+\/[\w.-]+\/(issues|pull)\/\d+$/)
      expect(title.length, name).toBeGreaterThan(15)
      expect(expected.length, name).toBeGreaterThan(15)
      expect(versions.length).toBeGreaterThan(0)
    }
  })

  it('a name that there is not, and a quirk of the other version, say so', async () => {
    const connect = (quirks: string[], ocpp: '1.6' | '2.0.1') =>
      ChargePoint.connect({ url: house.ocppUrl, id: 'QUIRK-no', ocpp, quirks })
    await expect(connect(['duplicate-strat'], '1.6')).rejects.toThrow('did you mean duplicate-start')
    await expect(connect(['stop-without-id'], '2.0.1')).rejects.toThrow('OCPP 1.6 alone')
  })
})
