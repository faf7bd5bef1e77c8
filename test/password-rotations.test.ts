/** Passwords of a fleet against the whole server, with simulated charge points (OCPP-AU7 to OCPP-AU10). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createChargePoint } from '../simulator/charge-point.ts'
import { type House, type HouseProcess, type Json, openHouse, type Partner, spawnHouse, until } from './house.ts'
import { booted16, booted201, connectStation } from './station.ts'

const FORMER = 'the former password'
const PROTOCOLS = ['ocpp1.6', 'ocpp2.0.1'] as const
type Row = Readonly<Record<'evseControllerId' | 'state' | 'reason', string>>

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
const rows = async (house: Partner, path: string) => (await rotation(house, path)).data as readonly Row[]
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

describe('a rotation of passwords', () => {
  let house: House
  beforeAll(async () => {
    house = await openHouse()
  })
  afterAll(() => house.close())

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

  it.each([
    ['ocpp1.6', booted16, { status: 'NotSupported' }],
    [
      'ocpp2.0.1',
      booted201,
      {
        setVariableResult: [
          {
            component: { name: 'SecurityCtrlr' },
            variable: { name: 'BasicAuthPassword' },
            attributeStatus: 'Rejected',
          },
        ],
      },
    ],
  ] as const)(
    'OCPP-AU9: %s: a refusal fails with its reason, and the former password stays',
    async (protocol, boot, answer) => {
      const id = `${protocol}-refuses`
      await register(house, [id])
      const station = await boot(house.ocppUrl, id, { password: FORMER, answer })
      const path = await ordered(house, [id])
      await until(countIs(house, path, { failed: 1 }))
      const said = protocol === 'ocpp1.6' ? 'NotSupported' : 'Rejected'
      expect(await rows(house, path)).toMatchObject([{ state: 'failed', reason: `the charge point answered ${said}` }])
      await station.close()
      expect(await mayLogIn(house, id, FORMER)).toBe(true)
    },
  )

  it('OCPP-AU8: charge points that are away get it when they come back, also those that were never here', async () => {
    const ids = ['away-1', 'away-2']
    await register(house, ids)
    const before = await booted16(house.ocppUrl, 'away-1', { password: FORMER })
    await before.close()
    const path = await ordered(house, ids)
    expect((await rows(house, path)).map(({ state }) => state)).toEqual(['pending', 'pending'])
    for (const [at, id] of ids.entries()) {
      const protocol = PROTOCOLS[at] ?? 'ocpp1.6'
      const station = createChargePoint({ protocol, url: house.ocppUrl, id, password: FORMER })
      await station.connect()
      await station.boot()
      const isAccepted = async () => (await rows(house, path))[at]?.state === 'accepted'
      await until(isAccepted)
      await station.powerOff()
      await station.connect()
      await station.powerOff()
    }
    expect(await rotation(house, path)).toMatchObject({ state: 'done', counts: { done: 2 } })
  })

  it('OCPP-AU7: who has no password, or is in another rotation, is skipped with the reason; rows have pages and a filter', async () => {
    await register(house, ['open'], 0)
    await register(house, ['certified'], 3)
    await register(house, ['waits'])
    await ordered(house, ['waits'])
    const path = await ordered(house, ['open', 'certified', 'waits'])
    expect(await rows(house, path)).toMatchObject([
      { evseControllerId: 'certified', state: 'skipped', reason: expect.stringContaining('certificate') },
      { evseControllerId: 'open', state: 'skipped', reason: 'security profile 0 has no password' },
      { evseControllerId: 'waits', state: 'skipped', reason: 'another rotation of its password is not over' },
    ])
    expect((await rotation(house, path)).state).toBe('done')
    expect((await house.request('POST', `${path}/cancel`)).body.code).toBe('rotation_over')
    expect((await rotation(house, `${path}?state=pending`)).data).toEqual([])
    const first = await rotation(house, `${path}?state=skipped&limit=2`)
    const next = String((first.meta as Json).nextCursor)
    const second = await rotation(house, `${path}?state=skipped&limit=2&cursor=${next}`)
    const shown = [first, second].flatMap(({ data }) => data as readonly Row[])
    expect(shown.map(({ evseControllerId }) => evseControllerId)).toEqual(['certified', 'open', 'waits'])
  })

  it('OCPP-AU10: cancelled, nothing is sent to who comes back, and another rotation may follow', async () => {
    await register(house, ['late'])
    const path = await ordered(house, ['late'])
    expect((await house.request('POST', `${path}/cancel`)).body).toMatchObject({
      state: 'cancelled',
      counts: { cancelled: 1 },
    })
    const station = await booted16(house.ocppUrl, 'late', { password: FORMER, answer: { status: 'Accepted' } })
    const again = await ordered(house, ['late'])
    await until(countIs(house, again, { accepted: 1 }))
    const sent = station.frames.filter((frame) => frame[2] === 'ChangeConfiguration')
    expect(sent).toHaveLength(1)
    await station.close()
  })

  it('OCPP-AU7, ADMIN-C1: it is recorded in the audit log, and a request that is sent again orders nothing anew', async () => {
    await register(house, ['once'])
    const order = () =>
      fetch(`${house.url}/2/password-rotations`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${house.credential}`,
          'content-type': 'application/json',
          'idempotency-key': 'rotate-once',
        },
        body: JSON.stringify({ selector: { ids: ['once'] } }),
      }).then((answer) => answer.json() as Promise<{ id: string }>)
    const [one, two] = [await order(), await order()]
    expect(two.id).toBe(one.id)
    const { data } = (await house.request('GET', '/2/audit')).body
    expect(JSON.stringify(data)).toContain(one.id)
  })
})

describe('a rotation whose server is killed', () => {
  let house: HouseProcess
  beforeAll(async () => {
    house = await spawnHouse()
  })
  afterAll(() => house.close())
  // A process of its own, twice; on a busy machine each takes seconds.

  it('OCPP-AU8: goes on with who has not answered, who has accepted and who is away', async () => {
    const ids = ['accepted', 'away', 'silent']
    await register(house, ids)
    const accepts = { password: FORMER, answer: { status: 'Accepted' } }
    const accepting = await booted16(house.ocppUrl, 'accepted', accepts)
    const silent = await booted16(house.ocppUrl, 'silent', { password: FORMER, silent: true })
    const path = await ordered(house, ids)
    await until(countIs(house, path, { pending: 1, sent: 1, accepted: 1 }))
    const [reported] = accepting.frames.filter((frame) => frame[2] === 'ChangeConfiguration')
    const fresh = /[0-9a-f]{40}/.exec(JSON.stringify(reported))?.[0] ?? ''
    await house.kill()
    await Promise.all([accepting.closed, silent.closed])
    await house.startAgain()
    expect(await counts(house, path)).toEqual({ pending: 1, sent: 1, accepted: 1 })
    const proved = await booted16(house.ocppUrl, 'accepted', { password: fresh })
    await until(countIs(house, path, { pending: 1, sent: 1, done: 1 }))
    const others = [await booted16(house.ocppUrl, 'away', accepts), await booted16(house.ocppUrl, 'silent', accepts)]
    await until(countIs(house, path, { accepted: 2, done: 1 }))
    for (const station of [proved, ...others]) await station.close()
  })
})
