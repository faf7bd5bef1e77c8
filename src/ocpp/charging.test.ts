import fc from 'fast-check'
import { expect, test } from 'vitest'
import { forAll } from '../../test/support/property.ts'
import { type ChargingProfile, KINDS, PURPOSES } from '../domain/charging/profile.ts'
import { readProfile } from './translate/charging-profile.ts'
import { ocpp16 } from './v16/version.ts'
import { ocpp21 } from './v21/version.ts'
import { ocpp201 } from './v201/version.ts'

const seconds = fc.integer({ min: 0, max: 86_400 })
const instant = fc.integer({ min: 0, max: 2e9 }).map((at) => at * 1000)
const perhaps = <Of>(of: fc.Arbitrary<Of>) => fc.option(of, { nil: undefined })
const rate = fc.integer({ min: 0, max: 5000 }).map((tenth) => tenth / 10)
const profile = fc.record({
  id: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
  purpose: fc.constantFrom(...PURPOSES.slice(1, 4)),
  kind: fc.constantFrom(...KINDS.slice(0, 3)),
  recurrency: perhaps(fc.constantFrom('Daily' as const, 'Weekly' as const)),
  stackLevel: fc.integer({ min: 0, max: 9 }),
  transactionId: perhaps(fc.integer({ min: 1, max: 9999 }).map(String)),
  validFrom: perhaps(instant),
  validTo: perhaps(instant),
  schedules: fc
    .record({
      unit: fc.constantFrom('A' as const, 'W' as const),
      startAt: perhaps(instant),
      durationSeconds: perhaps(seconds),
      minRate: perhaps(rate),
      periods: fc.array(
        fc.record({ startSeconds: seconds, limit: rate, phases: perhaps(fc.integer({ min: 1, max: 3 })) }),
        { minLength: 1, maxLength: 5 },
      ),
    })
    .map((one) => [one]),
})
/** Members that are undefined count as absent. */
const bare = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

// CHARGING-P3: a charging profile on the wire
test.each([ocpp16, ocpp201])('$protocol: what is written fits the schema and reads as it was', (version) => {
  forAll(profile, fc.integer({ min: 0, max: 9 }), (of: ChargingProfile, evseId) => {
    const call = version.charging.set(evseId, of)
    expect(version.validateRequest(call.method, call.request)).toEqual([])
    const read = version.charging.readOrder(call)
    const schedules = version === ocpp201 ? of.schedules.map((one) => ({ id: 1, ...one })) : of.schedules
    expect(bare(read)).toEqual(bare({ kind: 'set', evseId, profile: { ...of, schedules } }))
  })
})

test.each([
  ['ocpp1.6', ocpp16, { connectorId: 1, duration: 60, chargingRateUnit: 'A' }],
  ['ocpp2.0.1', ocpp201, { evseId: 1, duration: 60, chargingRateUnit: 'A' }],
] as const)('%s: the other calls fit their schemas', (_, version, composite) => {
  const { charging } = version
  expect(charging.composite(1, 60, 'A').request).toEqual(composite)
  for (const call of [charging.composite(0, 60), charging.clear(7), charging.list?.(9), charging.list?.(9, 1)]) {
    if (call) expect(version.validateRequest(call.method, call.request)).toEqual([])
  }
})

test.each(['SetChargingProfile', 'RemoteStartTransaction'])('CHARGING-P2: %s without periods passed', (method) => {
  const empty = { chargingRateUnit: 'A', chargingSchedulePeriod: [] }
  const facts = { chargingProfileId: 1, stackLevel: 0, chargingProfilePurpose: 'TxProfile' }
  const sent = { ...facts, chargingProfileKind: 'Relative', chargingSchedule: empty }
  const call =
    method === 'SetChargingProfile'
      ? { method, request: { connectorId: 1, csChargingProfiles: sent } }
      : { method, request: { idTag: 'A', chargingProfile: sent } }
  expect(ocpp16.validateRequest(call.method, call.request)).toEqual([])
  expect(ocpp16.charging.readOrder(call)).toMatchObject({ profile: { schedules: [{ periods: [] }] } })
  // Of what a station reports there is nothing to keep.
  expect(readProfile(sent)).toBeUndefined()
})

test('a limit is rounded down to the decimal that OCPP has', () => {
  const periods = [
    { startSeconds: 0, limit: 15.99 },
    { startSeconds: 1, limit: 16.3 },
  ]
  const call = ocpp16.charging.set(1, {
    id: 1,
    purpose: 'TxDefaultProfile',
    kind: 'Relative',
    stackLevel: 0,
    schedules: [{ unit: 'A', periods }],
  })
  expect(call.request).toMatchObject({
    csChargingProfiles: { chargingSchedule: { chargingSchedulePeriod: [{ limit: 15.9 }, { limit: 16.3 }] } },
  })
})

test('a place in a request has the name that the version gives it', () => {
  const pointer = '/chargingProfile/chargingSchedule/0/chargingSchedulePeriod/2/startPeriod'
  const below = 'chargingSchedule/chargingSchedulePeriod/2/startPeriod'
  const [set, start] = ['SetChargingProfile', 'RemoteStartTransaction'].map((method) => ({ method, request: {} }))
  if (!set || !start) throw new Error('There are two calls.')
  expect(ocpp16.charging.pointer(pointer, set)).toBe(`/csChargingProfiles/${below}`)
  expect(ocpp16.charging.pointer(pointer, start)).toBe(`/chargingProfile/${below}`)
  expect(ocpp16.charging.pointer('/evseId', set)).toBe('/connectorId')
  expect(ocpp201.charging.pointer(pointer, set)).toBe(pointer)
})

test('whatever a station tells is read without a fault', () => {
  forAll(fc.anything(), (any) => {
    readProfile(any)
    for (const { charging } of [ocpp16, ocpp201]) {
      charging.readComposite({ status: 'Accepted', schedule: any, chargingSchedule: any, scheduleStart: any })
    }
  })
})

const anyOf21 = fc.record({
  id: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
  purpose: fc.constantFrom(...PURPOSES),
  kind: fc.constantFrom(...KINDS),
  stackLevel: fc.integer({ min: 0, max: 9 }),
  transactionId: perhaps(fc.constant('T')),
  schedules: fc
    .record({
      unit: fc.constantFrom('A' as const, 'W' as const),
      startAt: perhaps(instant),
      durationSeconds: perhaps(seconds),
      periods: fc.array(
        fc.record({
          startSeconds: seconds,
          limit: perhaps(rate),
          phases: perhaps(fc.integer({ min: 1, max: 3 })),
        }),
        { minLength: 1, maxLength: 5 },
      ),
    })
    .map((one) => [one]),
})

test('OCPP21-B11, OCPP21-C1: of 2.1 every profile fits the schema and names its phases, Dynamic ones no start', () => {
  forAll(anyOf21, fc.integer({ min: 0, max: 9 }), (of: ChargingProfile, evseId) => {
    const call = ocpp21.charging.set(evseId, of)
    expect(ocpp21.validateRequest(call.method, call.request)).toEqual([])
    const { chargingProfile } = call.request as { readonly chargingProfile: unknown }
    const read = readProfile(bare(chargingProfile))
    const isDynamic = of.kind === 'Dynamic'
    const schedules = of.schedules.map((one) => ({
      id: 1,
      ...one,
      startAt: isDynamic ? undefined : one.startAt,
      periods: one.periods.map((period) => ({ ...period, phases: period.phases ?? 3 })),
    }))
    expect(bare(read)).toEqual(bare({ ...of, schedules }))
    expect(JSON.stringify(chargingProfile)).not.toMatch(/limit_L|dynUpdate/)
  })
})

test('OCPP21-C1: the other calls of 2.1 fit their schemas', () => {
  const { charging } = ocpp21
  const update = charging.update?.(7, 15.99)
  if (!update) throw new Error('OCPP 2.1 has updates.')
  expect(update.request).toEqual({ chargingProfileId: 7, scheduleUpdate: { limit: 15.9 } })
  expect(charging.readOrder(update)).toEqual({ kind: 'update', id: 7, limit: 15.9 })
  for (const call of [update, charging.abilities, charging.composite(1, 60), charging.clear(7)]) {
    expect(ocpp21.validateRequest(call.method, call.request)).toEqual([])
  }
  expect([ocpp16.charging.update, ocpp201.charging.update]).toEqual([undefined, undefined])
})

test('OCPP21-B6: a period without a limit is kept without one; one whose limit is no number is none', () => {
  const schedule = (limit?: unknown) => ({ chargingRateUnit: 'A', chargingSchedulePeriod: [{ startPeriod: 0, limit }] })
  const read = (limit?: unknown) => ocpp21.charging.readComposite({ status: 'Accepted', schedule: schedule(limit) })
  expect(read()?.periods).toEqual([{ startSeconds: 0 }])
  expect(read('much')).toBeUndefined()
})
