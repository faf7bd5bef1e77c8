/** Desired configuration on a fleet of which half says nothing, and whose server is killed in the middle. */
import { afterEach, expect, it } from 'vitest'
import { type House, type HouseProcess, type Json, spawnHouse, until } from './house.ts'
import { obedient } from './obedient.ts'
import { BOOT_16, BOOT_201, connectStation, type Station, type StationOptions } from './station.ts'

// Hundreds of connections, or two processes one after the other.

const open: (House | HouseProcess)[] = []
const stations: Station[] = []
afterEach(async () => {
  for (const { socket } of stations.splice(0)) socket.terminate()
  for (const house of open.splice(0)) await house.close()
})

type Counted = Map<string, number>

/** Does what it is sent, and is counted. */
const counting = (counts: Counted, id: string) =>
  obedient(new Map(), (method) => void counts.set(`${id} ${method}`, (counts.get(`${id} ${method}`) ?? 0) + 1))

async function boot(ocppUrl: string, id: string, at: number, options: StationOptions): Promise<Station> {
  const is201 = at % 2 === 1
  const station = await connectStation(ocppUrl, id, is201 ? 'ocpp2.0.1' : 'ocpp1.6', options)
  stations.push(station)
  await station.ask('BootNotification', is201 ? BOOT_201 : BOOT_16)
  return station
}

const BODY = {
  selector: {},
  keys16: [{ key: 'HeartbeatInterval', value: '77' }],
  variables: [{ component: { name: 'OCPPCommCtrlr' }, variable: { name: 'HeartbeatInterval' }, value: '77' }],
}

it('INTENT-A1, CONFIG-A1: killed in the middle of a roll-out it goes on where it was, and nobody is set twice', async () => {
  const house = await spawnHouse()
  open.push(house)
  const counts: Counted = new Map()
  const ids = Array.from({ length: 24 }, (_, at) => `CP-${at}`)
  const status = async () => (await house.request('GET', '/2/configurations/all/status')).body.counts as Json
  // A third does it before the kill, a third has been told and says nothing, a third is away.
  for (const [at, id] of ids.entries()) {
    const options = at < 8 ? { respond: counting(counts, id) } : { silent: true }
    const station = await boot(house.ocppUrl, id, at, options)
    if (at >= 16) await station.close()
  }
  expect((await house.request('PUT', '/2/configurations/all', BODY)).status).toBe(201)
  await until(async () => (await status()).verified === 8)
  await until(async () => (await status()).sent === 8)
  await house.kill()
  await house.startAgain()
  expect((await status()).verified).toBe(8)
  await Promise.all(ids.map((id, at) => boot(house.ocppUrl, id, at, { respond: counting(counts, id) })))
  await until(async () => (await status()).verified === 24)
  const set = ids.map((id, at) => counts.get(`${id} ${at % 2 === 1 ? 'SetVariables' : 'ChangeConfiguration'}`))
  expect(set).toEqual(ids.map(() => 1))
})
