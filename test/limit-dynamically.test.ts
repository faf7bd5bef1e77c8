/** docs/limit-dynamically.md, its commands executed in their order beside a charge point of OCPP 2.1 on a socket. */

import { afterAll, expect, it } from 'vitest'
import { faultsOf } from '../src/ocpp/schema/validators.ts'
import { commandsOf, jsonFor } from './documents.ts'
import { type Json, openHouse, until } from './house.ts'
import { BOOT_201, connectStation, eventOf } from './station.ts'

const [make, see, change, status, ...others] = commandsOf('docs/limit-dynamically.md')
const house = await openHouse({ PILOTWIRE_OCPP_VERSIONS: '1.6,2.0.1,2.1' })
afterAll(() => house.closeClean())

const run = (command?: string) => jsonFor(house, command)

interface Held {
  readonly id: number
  readonly chargingProfileKind: string
  readonly chargingSchedule: readonly { readonly duration?: number; readonly chargingSchedulePeriod: readonly Json[] }[]
}
const faults: unknown[] = []
/** Its profiles by id. */
const held = new Map<number, Held>()

const VARIABLES: Readonly<Record<string, string>> = {
  SupportsDynamicProfiles: 'true',
  RateUnit: 'A',
  PeriodsPerSchedule: '6',
  ProfileStackLevel: '5',
}

function respond(method: string, request: Json): Json | undefined {
  const found = faultsOf('ocpp2.1', method, 'req', request)
  if (found.length > 0) faults.push([method, request, found])
  switch (method) {
    case 'GetVariables': {
      const asked = request.getVariableData as readonly { component: Json; variable: { name: string } }[]
      return {
        getVariableResult: asked.map((one) => {
          const attributeValue = VARIABLES[one.variable.name]
          return { ...one, attributeStatus: attributeValue ? 'Accepted' : 'UnknownVariable', attributeValue }
        }),
      }
    }
    case 'GetChargingProfiles':
      return { status: 'NoProfiles' }
    case 'SetChargingProfile': {
      const profile = request.chargingProfile as Held
      held.set(profile.id, profile)
      return { status: 'Accepted' }
    }
    case 'UpdateDynamicSchedule': {
      const known = held.get(request.chargingProfileId as number)
      const isDynamic = known?.chargingProfileKind === 'Dynamic'
      return isDynamic ? { status: 'Accepted' } : { status: 'Rejected', statusInfo: { reasonCode: 'InvalidProfile' } }
    }
    case 'GetCompositeSchedule':
      return { status: 'Rejected' }
    default:
      return { status: 'Accepted' }
  }
}
const dynamic = () => [...held.values()].find((one) => one.chargingProfileKind === 'Dynamic')

it('OCPP21-C1, OCPP21-C2: docs/limit-dynamically.md does what it says', async () => {
  expect(others).toEqual([])
  const station = await connectStation(house.ocppUrl, 'EV-021', 'ocpp2.1', { respond })
  await station.ask('BootNotification', BOOT_201)
  const available = { connectorStatus: 'Available', evseId: 1, connectorId: 1 }
  await station.ask('StatusNotification', { timestamp: new Date().toISOString(), ...available })
  await run(make)
  await until(() => held.size > 0)
  const [fallback] = held.values()
  expect(fallback).toMatchObject({ chargingProfileKind: 'Absolute', chargingProfilePurpose: 'TxDefaultProfile' })
  await station.ask('TransactionEvent', eventOf('Started', 0))

  await until(() => dynamic() !== undefined)
  const { id = 0, chargingSchedule } = dynamic() ?? {}
  expect(chargingSchedule).toEqual([
    {
      id: 1,
      duration: 60,
      chargingRateUnit: 'A',
      chargingSchedulePeriod: [{ startPeriod: 0, limit: 20, numberPhases: 3 }],
    },
  ])
  const own = (data: unknown) => (data as readonly Json[]).find((one) => one.id === id)
  await until(async () => own((await run(see)).data)?.state === 'accepted')
  expect(own((await run(see)).data)).toMatchObject({
    kind: 'Dynamic',
    owner: 'pilotwire',
    chargingProfile: { dynUpdateTime: expect.any(String) },
  })

  const pull = async (chargingProfileId?: number) => {
    const answer = await station.ask('PullDynamicScheduleUpdate', { chargingProfileId })
    expect(faultsOf('ocpp2.1', 'PullDynamicScheduleUpdate', 'conf', answer)).toEqual([])
    return answer
  }
  expect(await pull(id)).toEqual({ status: 'Accepted', scheduleUpdate: { limit: 20 } })
  expect(await pull(fallback?.id)).toMatchObject({ status: 'Rejected' })

  // Refused before it is sent: it is not the caller's.
  const raise = { method: 'UpdateDynamicSchedule', request: { chargingProfileId: id, scheduleUpdate: { limit: 32 } } }
  const refused = await house.request('POST', '/2/evse-controllers/EV-021/commands', raise)
  expect(refused.status).toBe(422)

  await run(change)
  const limits = () => station.requests('UpdateDynamicSchedule').map(({ scheduleUpdate }) => scheduleUpdate)
  await until(() => limits().length > 0)
  expect(limits()).toEqual([{ limit: 10 }])
  expect(await run(status)).toMatchObject({ limitAmps: [10, 10, 10] })

  // It lost the profile: the update is refused, and all of it comes again.
  await until(async () => own((await run(see)).data)?.state === 'accepted')
  held.clear()
  await run(change?.replace('"amps":10', '"amps":8'))
  await until(() => dynamic() !== undefined)
  expect(dynamic()?.chargingSchedule[0]?.chargingSchedulePeriod).toMatchObject([{ limit: 8 }])
  expect(limits()).toEqual([{ limit: 10 }, { limit: 8 }])

  // At half of its duration, with the same limit.
  await until(() => limits().length > 2)
  expect(limits()[2]).toEqual({ limit: 8 })
  expect(faults).toEqual([])
  await station.close()
})
