/** Passwords of a fleet against the whole server, with simulated charge points (OCPP-AU7 to OCPP-AU10). */
import { describe, expect, it } from 'vitest'
import { createChargePoint } from '../simulator/charge-point.ts'
import { type House, houseOfFile, type Json, type Partner, until } from './house.ts'
import { acrossRestarts } from './restarts.ts'
import { booted16, connectStation } from './station.ts'

const FORMER = 'the former password'
const PROTOCOLS = ['ocpp1.6', 'ocpp2.0.1'] as const

async function register(house: Partner, ids: readonly string[], securityProfile = 1): Promise<void> {
  for (const id of ids) {
    const registered = { id, securityProfile, ...(securityProfile === 1 && { password: FORMER }) }
    expect((await house.request('POST', '/2/evse-controllers', registered)).status).toBe(201)
  }
}

async function ordered(house: Partner, ids: readonly string[]): Promise<string> {
  const made = await house.request('POST', '/2/password-rotations', { selector: { ids } })
  expect(made.status, made.text).toBe(202)
  return `/2/password-rotations/${String(made.body.id)}`
}

const rotation = async (house: Partner, path: string): Promise<Json> => (await house.request('GET', path)).body
const counts = async (house: Partner, path: string) => (await rotation(house, path)).counts
const countIs = (house: Partner, path: string, expected: Json) => () =>
  counts(house, path).then((found) => JSON.stringify(found) === JSON.stringify(expected))

const mayLogIn = (house: House, id: string, password: string): Promise<boolean> =>
  connectStation(house.ocppUrl, id, [...PROTOCOLS], { password }).then(
    async (station) => {
      await station.close()
      return true
    },
    () => false,
  )

describe('a rotation of passwords', async () => {
  const house = await houseOfFile()

  it.each(PROTOCOLS)(
    'OCPP-AU8: %s: each charge point gets its own, and proves it by its next login',
    async (protocol) => {
      const ids = ['A', 'B'].map((one) => `${protocol}-${one}`)
      await register(house, ids)
      const stations = ids.map((id) => createChargePoint({ protocol, url: house.ocppUrl, id, password: FORMER }))
      for (const station of stations) {
        await station.connect()
        await station.boot()
      }
      const path = await ordered(house, ids)
      await until(countIs(house, path, { accepted: 2 }))
      expect((await rotation(house, path)).state).toBe('running')
      for (const station of stations) {
        await station.powerOff()
        await station.connect()
      }
      expect(await rotation(house, path)).toMatchObject({ state: 'done', counts: { done: 2 } })
      for (const station of stations) await station.powerOff()
      for (const id of ids) expect(await mayLogIn(house, id, FORMER)).toBe(false)
      const log = await Promise.all(
        ids.map((id) => house.rows(id, { method: ['ChangeConfiguration', 'SetVariables'] })),
      )
      expect(log.map((found) => found.length)).toEqual([1, 1])
      expect(JSON.stringify([log, await rotation(house, path)])).not.toMatch(/[0-9a-f]{40}/)
    },
  )
})

acrossRestarts('SIGKILL')(
  'OCPP-AU8: a rotation whose server is killed goes on with who has not answered, who has accepted and who is away',
  async function* (house) {
    const ids = ['accepted', 'away', 'silent']
    await register(house, ids)
    const accepts = { password: FORMER, answer: { status: 'Accepted' } }
    const accepting = await booted16(house.ocppUrl, 'accepted', accepts)
    await booted16(house.ocppUrl, 'silent', { password: FORMER, silent: true })
    const path = await ordered(house, ids)
    await until(countIs(house, path, { pending: 1, sent: 1, accepted: 1 }))
    const [reported] = accepting.frames.filter((frame) => frame[2] === 'ChangeConfiguration')
    const fresh = /[0-9a-f]{40}/.exec(JSON.stringify(reported))?.[0] ?? ''
    yield
    expect(await counts(house, path)).toEqual({ pending: 1, sent: 1, accepted: 1 })
    await booted16(house.ocppUrl, 'accepted', { password: fresh })
    await until(countIs(house, path, { pending: 1, sent: 1, done: 1 }))
    await booted16(house.ocppUrl, 'away', accepts)
    await booted16(house.ocppUrl, 'silent', accepts)
    await until(countIs(house, path, { accepted: 2, done: 1 }))
  },
)
