/** docs/limit-a-station.md, its commands executed in their order against a simulated charge point. */

import { expect, it } from 'vitest'
import { createChargePoint } from '../simulator/charge-point.ts'
import { commandsOf, jsonFor } from './documents.ts'
import { houseOfFile, type Json, until } from './house.ts'

const commands = commandsOf('docs/limit-a-station.md')
const house = await houseOfFile()

const run = (command?: string) => jsonFor(house, command)

it('CHARGING-S3, CHARGING-S6: docs/limit-a-station.md does what it says', async () => {
  const station = createChargePoint({ protocol: 'ocpp2.0.1', url: house.ocppUrl, id: 'EV-001' })
  await station.connect()
  await station.boot()
  const [put, get, composite, profiles, clear, model, remove, ...others] = commands
  expect(others).toEqual([])
  expect(await run(put)).toMatchObject({ name: 'cable', amps: 10, effectiveAmps: 10 })
  await until(async () => ((await run(get)).proof as Json).verdict === 'proved')
  expect(await run(composite)).toMatchObject({
    ours: { periods: [{ limit: 10 }] },
    station: { periods: [{ limit: 10 }] },
    verdict: 'proved',
  })
  expect(await run(profiles)).toMatchObject({
    data: expect.arrayContaining([expect.objectContaining({ effective: true })]),
  })
  expect(await run(clear)).toEqual({ state: 'accepted' })
  expect(await run(model)).toMatchObject({ vendor: 'Acme', model: 'One', limitKey: 'MaxCurrent' })
  expect(await run(remove)).toEqual({})
  await until(async () => ((await run(profiles)).data as Json[]).every(({ source }) => source === 'reported'))
  expect(house.errors).toEqual([])
  await station.powerOff()
})
