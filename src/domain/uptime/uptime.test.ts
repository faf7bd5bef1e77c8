import fc from 'fast-check'
import { expect, it } from 'vitest'
import { forAll } from '../../../test/support/property.ts'
import { added, type ConnectorRef, type Happened, intervalsOf, NO_TIME, tallied, uptimeOf, visitOf } from './uptime.ts'

const ONE: ConnectorRef = { connectorId: 1 }
const on = (at: number): Happened => ({ at, kind: 'connected' })
const off = (at: number): Happened => ({ at, kind: 'disconnected' })
const status = (at: number, word: string, of: ConnectorRef = ONE): Happened => ({
  at,
  kind: 'status',
  of,
  status: word,
})
const ordered = (at: number, available: boolean, place: Partial<ConnectorRef> = {}): Happened => ({
  at,
  kind: 'ordered',
  available,
  ...place,
})
const tally = (happened: readonly Happened[], connector = ONE) =>
  tallied(intervalsOf(connector, happened, 0, 100), 0, 100)

it.each<[string, readonly Happened[], Partial<typeof NO_TIME>]>([
  ['UPTIME-U2: never connected: all of it is unknown', [], { unknown: 100 }],
  ['UPTIME-U2: before its first connection it is unknown', [on(40)], { unknown: 40, up: 60 }],
  ['UPTIME-U1: connected before the window', [on(-5)], { up: 100 }],
  ['UPTIME-U1: a lost connection counts from the loss', [on(-5), off(20), on(50)], { up: 70, down: 30 }],
  ['UPTIME-U1: lost before the window', [on(-9), off(-5), on(10)], { up: 90, down: 10 }],
  [
    'UPTIME-U1: Faulted from its report',
    [on(-5), status(30, 'Faulted'), status(40, 'Available')],
    { up: 90, down: 10 },
  ],
  ['UPTIME-U1: the fault of another is not its own', [on(-5), status(30, 'Faulted', { connectorId: 2 })], { up: 100 }],
  ['UPTIME-U1: the whole charge point’s is', [on(-5), status(30, 'Faulted', { connectorId: 0 })], { up: 30, down: 70 }],
  ['UPTIME-U1: unavailable by itself is an outage', [on(-5), status(90, 'Unavailable')], { up: 90, down: 10 }],
  [
    'UPTIME-U3: ordered unavailable it is planned, whatever happens meanwhile',
    [
      on(-5),
      ordered(10, false),
      status(11, 'Unavailable'),
      off(20),
      on(30),
      status(50, 'Available'),
      ordered(50, true),
    ],
    { up: 60, planned: 40 },
  ],
  ['UPTIME-U3: an order for another one is none', [on(-5), ordered(10, false, { connectorId: 2 })], { up: 100 }],
  ['UPTIME-U3: one for connector 0 is', [on(-5), ordered(10, false, { connectorId: 0 })], { up: 10, planned: 90 }],
  ['UPTIME-U3: an earlier outage stays one', [on(-5), off(0), ordered(60, false)], { down: 60, planned: 40 }],
])('a connector in a window of 100: %s', (_, happened, expected) => {
  expect(tally(happened)).toEqual({ ...NO_TIME, ...expected })
})

it('UPTIME-U3: a connector in a window of 100: an order for an EVSE means its connectors alone', () => {
  const happened = [on(-5), ordered(10, false, { evseId: 2 })]
  expect(tally(happened, { evseId: 2, connectorId: 1 })).toMatchObject({ planned: 90 })
  expect(tally(happened, { evseId: 1, connectorId: 1 })).toMatchObject({ planned: 0 })
})

it('UPTIME-U4: a connector in a window of 100: planned downtime is no outage, and what is unknown is no time', () => {
  expect(uptimeOf({ up: 60, down: 20, planned: 20, unknown: 900 })).toBe(0.8)
  expect(uptimeOf({ ...NO_TIME, unknown: 5 })).toBeUndefined()
})

const happening = fc.oneof(
  fc.constantFrom(on, off).chain((make) => fc.integer({ min: -50, max: 150 }).map(make)),
  fc
    .tuple(fc.integer({ min: -50, max: 150 }), fc.constantFrom('Available', 'Faulted', 'Unavailable', 'Charging'))
    .map(([at, word]) => status(at, word)),
  fc.tuple(fc.integer({ min: -50, max: 150 }), fc.boolean()).map(([at, available]) => ordered(at, available)),
)

it('UPTIME-U4: a connector in a window of 100: the sum over any parts of a window is the whole, and each moment counts once', () => {
  forAll(fc.array(happening, { maxLength: 40 }), fc.array(fc.integer({ min: 1, max: 99 })), (all, cuts) => {
    const happened = [...all].sort((a, b) => a.at - b.at)
    const bounds = [0, ...[...new Set(cuts)].sort((a, b) => a - b), 100]
    const parts = bounds
      .slice(1)
      .map((to, index) => tallied(intervalsOf(ONE, happened, 0, 100), bounds[index] ?? 0, to))
    const alone = bounds.slice(1).map((to, index) => {
      const from = bounds[index] ?? 0
      return tallied(intervalsOf(ONE, happened, from, to), from, to)
    })
    const whole = tally(happened)
    expect(parts.reduce(added, NO_TIME)).toEqual(whole)
    expect(alone).toEqual(parts)
    expect(whole.up + whole.down + whole.planned + whole.unknown).toBe(100)
  })
})

it.each([
  ['a charge', { state: 'completed', energyMilliWh: 1 }, undefined, 'good'],
  ['one that goes on', { state: 'charging' }, undefined, 'good'],
  ['a refused remote start', { state: 'failed', endReason: 'rejected', remoteStart: {} }, undefined, 'failed'],
  ['a refused card', { state: 'failed', endReason: 'rejected' }, undefined, undefined],
  ['nobody came', { state: 'failed', endReason: 'expired', remoteStart: {} }, undefined, undefined],
  ['one that is only ordered', { state: 'pending' }, undefined, undefined],
  ['no energy, and the power was lost', { state: 'completed', endReason: 'normal' }, 'PowerLoss', 'failed'],
  ['no energy, and the driver left', { state: 'completed', endReason: 'normal' }, 'EVDisconnected', 'good'],
  ['no energy, and no end was ever heard', { state: 'completed', endReason: 'interrupted' }, undefined, 'failed'],
] as const)('UPTIME-U5: a visit: %s', (_, session, stopReason, expected) => {
  const visit = { energyMilliWh: 0, ...session } as Parameters<typeof visitOf>[0]
  expect(visitOf(visit, stopReason)).toBe(expected)
})
