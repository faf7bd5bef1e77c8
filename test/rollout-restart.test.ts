/** A campaign and a log request whose server is killed in the middle (FIRMWARE-C6, FIRMWARE-D1). */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type HouseProcess, type Json, spawnHouse, until } from './house.ts'
import { booted201, type Station } from './station.ts'

// A process of its own, twice; on a busy machine each takes seconds.

let house: HouseProcess
beforeEach(async () => {
  house = await spawnHouse()
})
afterEach(() => house.close())

const IDS = ['R1', 'R2', 'R3']
function requestIdOf(station: Station): unknown {
  const [frame] = station.calls('UpdateFirmware')
  if (!frame) throw new Error('No update was ordered.')
  return (frame[3] as Json).requestId
}
const connect = (): Promise<Station[]> =>
  Promise.all(IDS.map((id) => booted201(house.ocppUrl, id, { answer: { status: 'Accepted' } })))

it('FIRMWARE-C6, FIRMWARE-D1: all of it goes on where it was, and nobody is updated twice', async () => {
  const first = await connect()
  const target = { location: 'https://firmware.example/2.bin', version: '2.0' }
  const order = { selector: { ids: IDS }, ...target, waves: ['1', '2', '100%'], soakMinutes: 0 }
  const made = await house.request('POST', '/2/firmware-campaigns', order)
  const path = `/2/firmware-campaigns/${String(made.body.id)}`
  await house.request('POST', `${path}/start`)
  const campaign = async (): Promise<Json> => (await house.request('GET', path)).body
  const counts = async (): Promise<unknown> => (await campaign()).counts
  await until(async () => JSON.stringify(await counts()).includes('running'))
  await first[0]?.close()
  const log = await house.request('POST', '/2/evse-controllers/R1/logs', { type: 'diagnostics' })
  expect(log.status).toBe(202)
  const before = first.map((station) => station.calls('UpdateFirmware').length)
  expect(before).toEqual([1, 0, 0])
  const requestId = requestIdOf(first[0] as Station)

  await house.kill()
  await house.startAgain()
  expect((await campaign()).state).toBe('running')
  const second = await connect()
  const report = async (at: number, id: unknown): Promise<unknown> =>
    second[at]?.ask('FirmwareStatusNotification', { status: 'Installed', requestId: id })
  await report(0, requestId)
  for (const at of [1, 2]) {
    const station = second[at] as Station
    await until(() => station.calls('UpdateFirmware').length === 1)
    await report(at, requestIdOf(station))
  }
  await until(async () => (await campaign()).state === 'done')
  expect(await counts()).toEqual({ succeeded: 3 })
  await until(() => (second[0] as Station).calls('GetLog').length === 1)
  expect(second.map((station) => station.calls('UpdateFirmware').length)).toEqual([0, 1, 1])
  for (const station of second) await station.close()
})
