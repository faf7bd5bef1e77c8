import { expect, it } from 'vitest'
import { tariffsAt } from '../tariffs/places.ts'
import { missingForAfir } from './afir-elements.ts'
import { alpha2Of } from './countries.ts'
import { evseIdKey, isEvseId } from './evse-id.ts'
import {
  duplicateFaults,
  plannedLocation,
  type RequestedEvse,
  type RequestedLocation,
  removedLocation,
} from './plan.ts'
import type { Location } from './records.ts'
import { shownLocation } from './shown.ts'
import { type EvseFacts, evseStatus } from './status.ts'

it.each([
  ['DE*ABC*E4711*1', true],
  ['DEABCE47111', true],
  ['fr*s68*e1*2*3', true],
  ['DE*ABC*E', false],
  ['DE*ABC*E*1', false],
  ['DE*ABC*P4711', false],
  ['D*ABC*E4711', false],
  ['DE-ABC-E4711', false],
  ['+49*810*000*438', false],
  [`DE*ABC*E${'1'.repeat(31)}`, true],
  [`DE*ABC*E${'1'.repeat(32)}`, false],
  ['DE*ABC*E4711 ', false],
])('LOCATION-A1: the EVSE id %s is one: %s', (text, isOne) => expect(isEvseId(text)).toBe(isOne))

it('LOCATION-A1: EVSE ids that differ in separators and case alone are one', () => {
  expect(evseIdKey('de*abc*E47*11')).toBe(evseIdKey('DEABCE4711'))
  expect(evseIdKey('DE*ABC*E471')).not.toBe(evseIdKey('DE*ABC*E4711'))
})

it('LOCATION-A4: country codes are converted by one table', () => {
  expect(['DEU', 'GBR', 'XXX'].map(alpha2Of)).toEqual(['DE', 'GB', undefined])
  expect(['DE', 'deu', '', ' AD'].map(alpha2Of)).toEqual([undefined, undefined, undefined, undefined])
})

const CONNECTED: EvseFacts = {
  wasConnected: true,
  isAccepted: true,
  isSilent: false,
  connectors: ['Available'],
  hasTransaction: false,
  isReserved: false,
}

it.each([
  [{}, 'AVAILABLE'],
  [{ wasConnected: false }, 'PLANNED'],
  [{ isAccepted: false }, 'INOPERATIVE'],
  [{ isSilent: true, connectors: ['Faulted'] }, 'UNKNOWN'],
  [{ connectors: [] }, 'UNKNOWN'],
  [{ connectors: ['Dreaming'] }, 'UNKNOWN'],
  [{ connectors: ['Preparing'] }, 'BLOCKED'],
  [{ connectors: ['Finishing'] }, 'BLOCKED'],
  [{ connectors: ['Occupied'] }, 'BLOCKED'],
  [{ connectors: ['Occupied'], hasTransaction: true }, 'CHARGING'],
  [{ connectors: ['Preparing'], hasTransaction: true }, 'CHARGING'],
  [{ connectors: ['Finishing'], hasTransaction: true }, 'CHARGING'],
  [{ connectors: ['Charging'] }, 'CHARGING'],
  [{ connectors: ['SuspendedEV'] }, 'CHARGING'],
  [{ connectors: ['SuspendedEVSE'], hasTransaction: true }, 'CHARGING'],
  [{ connectors: ['Available'], hasTransaction: true }, 'AVAILABLE'],
  [{ connectors: ['Faulted'], hasTransaction: true }, 'OUTOFORDER'],
  [{ connectors: ['Unavailable'] }, 'INOPERATIVE'],
  [{ connectors: ['Reserved'] }, 'RESERVED'],
  [{ isReserved: true }, 'RESERVED'],
  [{ connectors: ['Occupied'], isReserved: true }, 'BLOCKED'],
  [{ connectors: ['Faulted', 'Available'] }, 'AVAILABLE'],
  [{ connectors: ['Available', 'Charging'] }, 'CHARGING'],
  [{ connectors: ['Unavailable', 'Faulted'] }, 'OUTOFORDER'],
  [{ station: 'Faulted' }, 'OUTOFORDER'],
  [{ station: 'Unavailable' }, 'INOPERATIVE'],
  [{ station: 'Unavailable', connectors: ['Charging'] }, 'CHARGING'],
  [{ station: 'Unavailable', connectors: ['Faulted'] }, 'OUTOFORDER'],
  [{ station: 'Available', connectors: ['Unavailable'] }, 'INOPERATIVE'],
] as const satisfies readonly (readonly [Partial<EvseFacts>, string])[])(
  'LOCATION-A2: the status of an EVSE follows: %j is %s',
  (facts, status) => expect(evseStatus({ ...CONNECTED, ...facts })).toBe(status),
)

const connector = { connectorId: '1', standard: 'IEC_62196_T2', format: 'SOCKET', powerType: 'AC_3_PHASE' } as const
const socket = { ...connector, maxVoltage: 230, maxAmperage: 32 }
const evse = (own: Partial<RequestedEvse>): RequestedEvse => ({ connectors: [socket], ...own })
const asked = (evses: readonly RequestedEvse[], own: Partial<RequestedLocation> = {}): RequestedLocation => ({
  address: 'Street 1',
  city: 'Town',
  country: 'DEU',
  coordinates: { latitude: 52.1, longitude: 9.7 },
  timeZone: 'Europe/Berlin',
  publish: true,
  evses,
  ...own,
})
let uids = 0
const planned = (before: Location | undefined, requested: RequestedLocation, at: number) =>
  plannedLocation(before, requested, { accountId: 'A', locationId: 'L', at, newUid: () => `made-${uids++}` })

it('LOCATION-A3: who comes again keeps its uid, what is left out stays as REMOVED, and comes back as the same', () => {
  const three = [evse({ uid: 'mine' }), evse({ evseId: 'DE*ABC*E1' }), evse({ chargePointId: 'CP', ocppEvseId: 2 })]
  const first = planned(undefined, asked(three), 100)
  const [, byId, byStation] = first.evses.map(({ uid }) => uid)
  const second = planned(first, asked([evse({ chargePointId: 'CP', ocppEvseId: 2 }), evse({ evseId: 'deabce1' })]), 200)
  expect(second.evses.map(({ uid, isRemoved = false }) => [uid, isRemoved])).toEqual([
    [byStation, false],
    [byId, false],
    ['mine', true],
  ])
  const third = planned(second, asked([evse({ uid: 'mine' }), evse({ uid: 'made-0' })]), 300)
  expect(third.evses.map(({ uid, isRemoved = false }) => [uid, isRemoved])).toEqual([
    ['mine', false],
    ['made-0', false],
    [byStation, true],
  ])
  expect(third.evses[2]).not.toHaveProperty('chargePointId')
})

it('LOCATION-A3: what changes moves strictly upwards, what does not stays, also where the clock stands', () => {
  const first = planned(undefined, asked([evse({ uid: 'a' }), evse({ uid: 'b' })]), 100)
  expect(planned(first, asked([evse({ uid: 'a' }), evse({ uid: 'b' })]), 500)).toBe(first)
  const wider = evse({
    uid: 'a',
    connectors: [
      { ...socket, maxAmperage: 63 },
      { ...socket, connectorId: '2' },
    ],
  })
  const second = planned(first, asked([wider, evse({ uid: 'b' })]), 100)
  const times = second.evses.map(({ lastUpdated, connectors }) => [
    lastUpdated,
    connectors.map((one) => one.lastUpdated),
  ])
  expect(times).toEqual([
    [101, [101, 100]],
    [100, [100]],
  ])
  const gone = removedLocation(second, 50)
  expect(gone.evses.map(({ isRemoved, lastUpdated }) => [isRemoved, lastUpdated])).toEqual([
    [true, 102],
    [true, 101],
  ])
  expect(planned(gone, asked([evse({ uid: 'b' })]), 900).evses[0]).toMatchObject({ uid: 'b', lastUpdated: 900 })
})

it('LOCATION-A1: two EVSEs of one name, id or place are named', () => {
  const evses = [
    evse({ uid: 'a', evseId: 'DE*ABC*E1', chargePointId: 'CP', ocppEvseId: 1 }),
    evse({ uid: 'A', evseId: 'DEABCE1', chargePointId: 'CP', ocppEvseId: 1 }),
    evse({ chargePointId: 'CP' }),
    evse({ chargePointId: 'CP', ocppEvseId: 2 }),
  ]
  expect(
    duplicateFaults(evses.map((one, at) => ({ pointer: `/evses/${at}`, evse: one }))).map(({ pointer }) => pointer),
  ).toEqual([
    '/evses/1/uid',
    '/evses/1/evseId',
    '/evses/1/evseControllerId',
    '/evses/2/evseControllerId',
    '/evses/3/evseControllerId',
  ])
})

it('LOCATION-A3: a location was older than an EVSE of it; it has the newest time of all', () => {
  const location = planned(undefined, asked([evse({ uid: 'a', chargePointId: 'CP' })]), 100)
  const shown = shownLocation(location, [{ uid: 'a', shown: 'PLANNED', shownSince: 110 }], { changedAt: 100 })
  expect([shown.lastUpdated, shown.evses[0]?.lastUpdated]).toEqual([110, 110])
})

it('LOCATION-A2: what is shown has the later time of both, and is planned, removed or unknown without a charge point', () => {
  const three = [evse({ uid: 'a', chargePointId: 'CP' }), evse({ uid: 'b' }), evse({ uid: 'c', chargePointId: 'D' })]
  const location = planned(undefined, asked(three), 100)
  const shown = shownLocation(location, [{ uid: 'a', shown: 'CHARGING', shownSince: 300 }], { changedAt: 300 })
  expect(shown.lastUpdated).toBe(300)
  expect(shown.evses.map(({ status, lastUpdated }) => [status, lastUpdated])).toEqual([
    ['CHARGING', 300],
    ['PLANNED', 100],
    ['UNKNOWN', 100],
  ])
  const gone = shownLocation(removedLocation(location, 400), [], undefined)
  expect(gone.evses.map(({ status }) => status)).toEqual(['REMOVED', 'REMOVED', 'REMOVED'])
})

it('LOCATION-A4: what AFIR misses is said by our member and by its own element', () => {
  const location = planned(undefined, asked([evse({ uid: 'a', chargePointId: 'CP' })]), 1)
  const found = missingForAfir(location, tariffsAt([]))
  expect(found.find(({ member }) => member === 'evses[].evseId')).toEqual({
    member: 'evses[].evseId',
    element: '(b)(i) identification code',
    evseUid: 'a',
  })
  expect(found).toHaveLength(12)
  const whole = planned(
    undefined,
    asked(
      [
        evse({
          evseId: 'DE*ABC*E1',
          chargePointId: 'CP',
          parking: [{ parkingId: 'P' }],
          connectors: [{ ...socket, maxElectricPower: 22_000, tariffIds: ['T'] }],
        }),
      ],
      {
        postalCode: '1',
        operator: { name: 'O' },
        owner: { name: 'O' },
        helpPhone: '+49 1',
        openingTimes: { twentyfourseven: true },
        energyMix: { isGreenEnergy: true },
        facilities: ['WIFI'],
        parkingPlaces: [{ id: 'P', vehicleTypes: ['BUS'], restrictedToType: false, reservationRequired: false }],
      },
    ),
    1,
  )
  const tariff = { tariffId: 'T', createdAt: 0 }
  expect(missingForAfir(whole, tariffsAt([tariff]))).toEqual([])
  // Of the account, although the connector names none that there is.
  expect(missingForAfir(whole, tariffsAt([{ ...tariff, tariffId: 'U' }]))).toEqual([])
  const elsewhere = tariffsAt([{ ...tariff, tariffId: 'U', chargePointId: 'OTHER' }])
  expect(missingForAfir(whole, elsewhere)).toMatchObject([{ member: 'evses[].connectors[].tariffIds' }])
})
