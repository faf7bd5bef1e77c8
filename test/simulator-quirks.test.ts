/** Every quirk of the simulator against the whole server: whatever firmware does, the charge ends with its energy. */
import { describe, expect, it } from 'vitest'
import { ChargePoint, QUIRKS, SimulatedClock } from '../simulator/index.ts'
import { houseOfFile, type Json, until } from './house.ts'

const house = await houseOfFile({ PILOTWIRE_OCPP_VERSIONS: '1.6,2.0.1,2.1' })

const cases = QUIRKS.flatMap((quirk) => quirk.versions.map((ocpp) => ({ ...quirk, ocpp })))

async function charged(quirks: readonly string[], ocpp: '1.6' | '2.0.1' | '2.1', id: string): Promise<ChargePoint> {
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
