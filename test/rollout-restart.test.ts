/** A campaign and a log request whose server is killed in the middle (FIRMWARE-C6, FIRMWARE-D1). */
import { expect } from 'vitest'
import { type HouseProcess, type Json, until } from './house.ts'
import { acrossRestarts } from './restarts.ts'
import { booted201, type Station } from './station.ts'

const it = acrossRestarts('SIGKILL')

const IDS = ['R1', 'R2', 'R3']
const requestIdOf = async (station: Station): Promise<unknown> => (await station.asked('UpdateFirmware')).requestId
const connect = (house: HouseProcess): Promise<Station[]> =>
  Promise.all(IDS.map((id) => booted201(house.ocppUrl, id, { answer: { status: 'Accepted' } })))

it('FIRMWARE-C6, FIRMWARE-D1: all of it goes on where it was, and nobody is updated twice', async function* (house) {
  const first = await connect(house)
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
  const requestId = await requestIdOf(first[0] as Station)

  yield
  expect((await campaign()).state).toBe('running')
  const second = await connect(house)
  const report = async (at: number, id: unknown): Promise<unknown> =>
    second[at]?.ask('FirmwareStatusNotification', { status: 'Installed', requestId: id })
  await report(0, requestId)
  for (const at of [1, 2]) {
    const station = second[at] as Station
    await report(at, await requestIdOf(station))
  }
  await until(async () => (await campaign()).state === 'done')
  expect(await counts()).toEqual({ succeeded: 3 })
  await until(() => (second[0] as Station).calls('GetLog').length === 1)
  expect(second.map((station) => station.calls('UpdateFirmware').length)).toEqual([0, 1, 1])
  for (const station of second) await station.close()
})
