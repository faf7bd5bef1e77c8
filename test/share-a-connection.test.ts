/**
 * docs/share-a-connection.md and docs/obey-the-grid-operator.md: twelve simulated stations of both versions behind
 * 100 A, on the whole server.
 */

import { afterAll, expect, it } from 'vitest'
import { ChargePoint } from '../simulator/index.ts'
import { commandsOf, runFor } from './documents.ts'
import { openHouse, until } from './house.ts'

const STATIONS = 12

interface Status {
  readonly state: string
  readonly limitAmps: readonly number[]
  readonly allowedAmps: readonly number[]
  readonly data: readonly { readonly evseControllerId: string; readonly state: string; readonly mayDrawAmps: number }[]
}

const stations: ChargePoint[] = []
/** The largest current of a phase that was ever measured in front of all of them. */
let most = 0

const measured = (): number =>
  Math.max(...[0, 1, 2].map((phase) => stations.reduce((sum, one) => sum + (one.current()[phase] ?? 0), 0)))
const status = async (): Promise<Status> =>
  (await house.request('GET', '/2/limit-groups/garage/status')).body as unknown as Status
const run = (command?: string) => runFor(house, command)
const [make = '', see = '', load = ''] = commandsOf('docs/share-a-connection.md')
const [order = '', history = '', end = ''] = commandsOf('docs/obey-the-grid-operator.md')
const house = await openHouse()
for (let at = 0; at < STATIONS; at++) {
  const ocpp = at % 2 === 0 ? '1.6' : '2.0.1'
  // Cars ramp up twenty times as fast as real ones.
  const options = { ocpp, sampleSeconds: 20, speed: 20, seed: at } as const
  const station = await ChargePoint.connect({ url: house.ocppUrl, id: `G-${at}`, ...options })
  await station.boot()
  stations.push(station)
}
const timer = setInterval(() => {
  most = Math.max(most, measured())
}, 20)
afterAll(async () => {
  clearInterval(timer)
  for (const station of stations) await station.close()
  await house.closeClean()
})

it('GROUP-A2, GROUP-A3: all hold a fallback before anybody charges, and then share what there is', async () => {
  for (let at = 0; at < STATIONS; at++) {
    await house.request('PATCH', `/2/evse-controllers/G-${at}`, { labels: { site: 'garage' } })
  }
  expect(JSON.parse(await run(make))).toMatchObject({ name: 'garage', amps: 100 })
  await until(async () => {
    const { data, state } = await status()
    return state === 'ok' && data.length === STATIONS && data.every(({ mayDrawAmps }) => mayDrawAmps === 0)
  })
  await Promise.all(
    stations.map(async (station, at) => {
      await station.plug(1, { soc: 20 })
      await station.swipe(1, `CARD-${at}`)
    }),
  )
  await until(async () => Math.max(...(await status()).allowedAmps) > 95)
  await until(() => measured() > 95)
  const { allowedAmps, data } = await status()
  expect(Math.max(...allowedAmps)).toBeLessThanOrEqual(100)
  expect(data.map(({ state }) => state)).toEqual(Array.from({ length: STATIONS }, () => 'charging'))
  expect(most).toBeLessThanOrEqual(100)
})

it('GROUP-E3, GROUP-S3: an order from outside is obeyed: some are paused, and nobody gets less than 6 A', async () => {
  await run(order)
  await until(() => measured() <= 40)
  await until(async () => (await status()).state === 'ok')
  const { limitAmps, data } = await status()
  expect(limitAmps).toEqual([40, 40, 40])
  const given = data.map(({ mayDrawAmps }) => mayDrawAmps).sort((one, other) => one - other)
  expect(given.filter((amps) => amps === 0)).toHaveLength(6)
  expect(given.filter((amps) => amps >= 6)).toHaveLength(6)
})

it('GROUP-A1, GROUP-H2: a silent station counts with its lease, and the others get no more', async () => {
  const before = await status()
  const charging = before.data.find(({ state }) => state === 'charging')
  const at = Number(charging?.evseControllerId.slice(2))
  await stations[at]?.offline()
  await until(async () => (await status()).data.some(({ state }) => state === 'silent'))
  const { data, allowedAmps } = await status()
  const silent = data.find(({ state }) => state === 'silent')
  expect(silent).toMatchObject({ evseControllerId: `G-${at}`, mayDrawAmps: charging?.mayDrawAmps })
  expect(Math.max(...allowedAmps)).toBeLessThanOrEqual(40)
  await stations[at]?.online()
})

it('GROUP-E1, GROUP-H1: the building counts, and the course is kept for each minute, also as a file', async () => {
  await run(end)
  await run(load)
  expect(JSON.parse(await run(see))).toMatchObject({ loadAmps: [30, 12, 18], limitAmps: [100, 100, 100] })
  const { body } = await house.request('GET', '/2/limit-groups/garage/history')
  expect(body.data).toContainEqual(
    expect.objectContaining({
      limitAmps: [40, 40, 40],
      allowedAmps: expect.any(Array),
      externalLimit: expect.objectContaining({ source: 'grid operator' }),
    }),
  )
  expect(await run(history)).toMatch(/^at,limitAmpsL1,.*\r\n20/)
})
