import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { doorOpened } from '../../../test/support/domain/events/testing.ts'
import { forAll } from '../../../test/support/property.ts'
import { aSession } from '../../../test/support/storage-contract/records.ts'
import type { Session } from '../ports/sessions.ts'
import type { NewEvent } from '../ports/storage-webhooks.ts'
import { type PublicSession, representSession } from '../sessions/figures/representation.ts'
import { createEmission, type Envelope, envelopeAround, freshEventId } from './emission.ts'

const T = Date.UTC(2026, 7, 1, 12)
const base: Session = aSession({ id: 's1', accountId: 'a', createdAt: T })

/** A session through a series of changes; each as [seconds, change]. */
const dataOf = (event: NewEvent | undefined): PublicSession => JSON.parse(event?.data ?? '')

function play(intervalMs: number, steps: readonly (readonly [seconds: number, change: Partial<Session>])[]) {
  const emission = createEmission({ figuresIntervalMs: intervalMs }, freshEventId(randomBytes))
  let before: Session | undefined
  const events = []
  for (const [seconds, change] of steps) {
    const { session, event } = emission.ofSession(before, { ...(before ?? base), ...change }, T + seconds * 1000, 42)
    before = session
    if (event) events.push(event)
  }
  return { session: before, events, kinds: events.map(({ kind }) => kind) }
}

const wh = (energy: number) => ({ energyMilliWh: energy * 1000 })

it('HOOK-M8: a new session and each change of state are one transition event', () => {
  const { kinds } = play(30_000, [
    [0, { state: 'pending' }],
    [1, { state: 'charging' }],
    [2, { state: 'completed' }],
  ])
  expect(kinds).toEqual(['transition', 'transition', 'transition'])
})

it('HOOK-M8: the first settlement and each correction are one settlement event; identical figures none', () => {
  const { kinds } = play(30_000, [
    [0, { state: 'completed' }],
    [1, { settlementCount: 1 }],
    [2, {}],
    [3, { settlementCount: 2, ...wh(5) }],
  ])
  expect(kinds).toEqual(['transition', 'settlement', 'settlement'])
})

it('HOOK-M1: the first change leaves at once, later ones wait and leave as one snapshot', () => {
  const { events, kinds, session } = play(30_000, [
    [0, {}],
    [1, wh(1)],
    [5, wh(2)],
    [20, wh(3)],
    [30.9, {}],
    [31, {}],
    [32, {}],
  ])
  expect(kinds).toEqual(['transition', 'figures', 'figures'])
  expect(dataOf(events[2]).energyKwh).toBe(0.003)
  expect(session?.figuresDueAt).toBeUndefined()
})

it('HOOK-M1: an interval of 0 sends every change', () => {
  expect(
    play(0, [
      [0, {}],
      [0, wh(1)],
      [0, wh(2)],
      [0, wh(2)],
    ]).kinds,
  ).toEqual(['transition', 'figures', 'figures'])
})

it('HOOK-M2: change, change, suspend within 30 s are 2 events, the second suspended with the last figures', () => {
  const { events } = play(30_000, [
    [0, {}],
    [1, wh(1)],
    [2, wh(2)],
    [3, { state: 'suspended', ...wh(3) }],
    [40, {}],
  ])
  expect(events.map(({ kind }) => kind)).toEqual(['transition', 'figures', 'transition'])
  expect(dataOf(events[2])).toMatchObject({ state: 'suspended', energyKwh: 0.003 })
})

it('HOOK-M1: at most one figure event per session and interval, whatever the transitions between them', () => {
  const steps = Array.from({ length: 300 }, (_, index): readonly [number, Partial<Session>] => [
    index,
    { ...wh(index), state: index % 50 === 49 ? 'suspended' : 'charging' },
  ])
  const figures = play(30_000, steps).events.filter(({ kind }) => kind === 'figures')
  figures.slice(1).forEach((event, index) => {
    expect(event.time - (figures[index]?.time ?? 0)).toBeGreaterThanOrEqual(30_000)
  })
})

it('HOOK-W6: time rises strictly, in one millisecond and when the clock goes back an hour', () => {
  const { events } = play(0, [
    [0, {}],
    [0, { state: 'suspended' }],
    [-3600, { state: 'charging' }],
    [-3599, wh(1)],
    [1, { state: 'completed' }],
  ])
  const times = events.map(({ time }) => time)
  expect(times).toEqual([T, T + 1, T + 2, T + 3, T + 1000])
})

it('HOOK-M1: a clock that stepped back does not hold figures for an hour', () => {
  expect(
    play(30_000, [
      [0, {}],
      [1, wh(1)],
      [-3600, wh(2)],
    ]).kinds,
  ).toEqual(['transition', 'figures', 'figures'])
})

it('HOOK-W1, HOOK-W7, HOOK-B2: exactly seven members, a UUIDv7, the data of GET, and the command that caused it', () => {
  const { events, session } = play(30_000, [
    [0, { externalReference: 'Zürich ⚡', cost: { micros: 0, currency: 'EUR' } }],
  ])
  const [event] = events
  const envelope = JSON.parse(event ? envelopeAround(event) : '') as Envelope<PublicSession>
  expect(envelope).toEqual({
    specversion: '1.0',
    id: event?.id,
    type: 'session.updated',
    source: 'service/api',
    time: '2026-08-01T12:00:00.000Z',
    datacontenttype: 'application/json',
    data: session && representSession(session),
  })
  expect(event?.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/)
  expect(event?.causes).toEqual([42])
  expect(envelope.data.cost).toBe(0)
})

it('HOOK-E1: an event that a decision says is recorded with its keys, its place and what caused it', () => {
  const emission = createEmission({ figuresIntervalMs: 30_000 }, freshEventId(randomBytes))
  const said = doorOpened.of({ chargePointId: 'CP1', door: 2 })
  const recorded = emission.ofDecision(said, { accountId: 'a', chargePointId: 'CP1' }, T, 42)
  const { id, data, ...rest } = recorded
  expect(rest).toEqual({
    accountId: 'a',
    type: 'door.opened',
    subject: 'CP1',
    orderKey: 'door 2 of CP1',
    coalesceKey: '2',
    chargePointId: 'CP1',
    kind: 'figures',
    time: T,
    causes: [42],
  })
  expect(JSON.parse(data)).toEqual({ door: 2 })
  const { coalesceKey: _, ...single } = said
  expect(emission.ofDecision(single, { accountId: 'a', chargePointId: 'CP1' }, T, undefined)).toMatchObject({
    kind: 'transition',
    causes: [],
  })
})

it('HOOK-M7: any series of changes: one event per transition, rising times, the newest figures in the end', () => {
  const step = fc.record({
    seconds: fc.integer({ min: -100, max: 100 }),
    state: fc.constantFrom('charging' as const, 'suspended' as const),
    wattHours: fc.nat(5),
  })
  forAll(fc.array(step, { minLength: 1, maxLength: 60 }), (steps) => {
    let at = 0
    const changes = steps.map(({ seconds, state, wattHours }): readonly [number, Partial<Session>] => {
      at += seconds
      return [at, { state, ...wh(wattHours) }]
    })
    const flips = steps.filter(({ state }, index) => state !== steps[index - 1]?.state).length
    // Long afterwards the clock ticks: whatever waited has left by then.
    const { events, session } = play(30_000, [...changes, [at + 10_000, {}]])
    expect(events.filter(({ kind }) => kind === 'transition')).toHaveLength(flips)
    events.slice(1).forEach((event, index) => {
      expect(event.time).toBeGreaterThan(events[index]?.time ?? 0)
    })
    const last = dataOf(events.at(-1))
    expect(session && last).toEqual(session && representSession(session))
  })
})
