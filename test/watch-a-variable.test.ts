/** docs/watch-a-variable.md, its commands executed in their order, with a kill of the server between them. */

import { afterEach, beforeEach, expect, it } from 'vitest'
import { commandsOf, jsonFor } from './documents.ts'
import { type HouseProcess, type Json, spawnHouse, until } from './house.ts'
import { BOOT_16, BOOT_201, connectStation, type Station } from './station.ts'
import { anEvent } from './support/messages.ts'

const commands = commandsOf('docs/watch-a-variable.md')
let house: HouseProcess
const stations: Station[] = []
beforeEach(async () => {
  house = await spawnHouse()
})
afterEach(async () => {
  for (const { socket } of stations.splice(0)) socket.terminate()
  await house.close()
})

const run = <T>(command?: string) => jsonFor<T>(house, command)

/** Keeps the monitors that it is set, under numbers of its own, and reports them. */
async function boot(id: string, monitors: Map<number, Json>): Promise<Station> {
  const station = await connectStation(house.ocppUrl, id, 'ocpp2.0.1', {
    respond(method, request) {
      switch (method) {
        case 'SetVariableMonitoring':
          return {
            setMonitoringResult: (request.setMonitoringData as Json[]).map(({ value, transaction, ...named }) => {
              const number = 100 + monitors.size
              monitors.set(number, { value, transaction, ...named })
              return { ...named, id: number, status: 'Accepted' }
            }),
          }
        case 'GetMonitoringReport':
          setImmediate(() => report(station, request.requestId, monitors))
          return { status: monitors.size > 0 ? 'Accepted' : 'EmptyResultSet' }
        case 'ClearVariableMonitoring':
          return {
            clearMonitoringResult: (request.id as number[]).map((number) => ({
              id: number,
              status: monitors.delete(number) ? 'Accepted' : 'NotFound',
            })),
          }
        default:
          return undefined
      }
    },
  })
  stations.push(station)
  await station.ask('BootNotification', BOOT_201)
  return station
}

function report(station: Station, requestId: unknown, monitors: ReadonlyMap<number, Json>): void {
  const all = [...monitors]
  for (const [seqNo, [id, { component, variable, ...monitor }]] of all.entries()) {
    const page = { requestId, seqNo, tbc: seqNo < all.length - 1, generatedAt: new Date().toISOString() }
    const reported = { component, variable, variableMonitoring: [{ id, ...monitor }] }
    const frame = [2, `page-${String(requestId)}-${seqNo}`, 'NotifyMonitoringReport', { ...page, monitor: [reported] }]
    station.send(JSON.stringify(frame))
  }
}

const event = (eventId: number, more: object = {}) => {
  const name = { component: { name: 'ChargingStation' }, variable: { name: 'Temperature' } }
  return anEvent(eventId, { timestamp: new Date().toISOString(), actualValue: '71', ...name, ...more })
}

it('MONITOR-A2 to MONITOR-A5, MONITOR-A7: set, proved, told of and cleared, also across a kill', async () => {
  const [put, status, events, remove, ...more] = commands
  expect(more).toEqual([])
  const monitors = new Map<number, Json>()
  const first = await boot('EV-001', monitors)
  await (await connectStation(house.ocppUrl, 'EV-016', 'ocpp1.6')).ask('BootNotification', BOOT_16)
  expect(await run(put)).toMatchObject({ name: 'heat', revision: 1, monitors: [{ transaction: false }] })
  const counts = async () => (await run<{ counts: Json }>(status)).counts
  await until(async () => JSON.stringify(await counts()) === '{"unsupported":1,"verified":1}')
  expect([...monitors.values()]).toMatchObject([{ type: 'UpperThreshold', value: 70, severity: 3 }])

  await first.ask('NotifyEvent', {
    generatedAt: new Date().toISOString(),
    seqNo: 0,
    eventData: [event(7, { variableMonitoringId: 100 }), event(8, { cause: 999, cleared: true })],
  })
  await house.kill()
  await house.startAgain()
  const { data } = await run<{ data: readonly Json[] }>(events)
  expect(data.map(({ eventId, cause, cleared, monitorId }) => [eventId, cause, cleared, monitorId]).sort()).toEqual([
    [7, undefined, undefined, 100],
    [8, 999, true, undefined],
  ])

  // It is wanted no longer while the charge point is away.
  expect(await run(remove)).toEqual({})
  expect(monitors.size).toBe(1)
  await boot('EV-001', monitors)
  await until(() => monitors.size === 0)
  await until(
    async () => ((await house.request('GET', '/2/evse-controllers/EV-001/intents')).body.data as []).length === 0,
  )
})
