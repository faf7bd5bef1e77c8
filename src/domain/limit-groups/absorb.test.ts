import { expect, it } from 'vitest'
import { absorb, evseOf, NEW_SHARE, type Placed } from './absorb.ts'
import { type Given, mayDraw } from './ledger.ts'
import type { ShareState } from './records.ts'
import { isFixed } from './shares.ts'
import type { EvseView, StationView } from './view.ts'

const NOW = 100_000_000
const placed: Placed = {
  chargePointId: 'S',
  evseId: 1,
  group: 'site',
  phases: [0, 1, 2],
  phaseCount: 3,
  maxAmps: 32,
  minAmps: 6,
  priority: 0,
}
const station: StationView = {
  chargePointId: 'S',
  isConnected: true,
  bootedAt: 5,
  clockAheadMs: 0,
  clockAtLeastMs: 0,
  holdsLeases: true,
  evses: [],
}
const given = (revision: number, amps: number, until?: number): Given => ({ revision, amps, afterAmps: 0, until })
const sent: ShareState = {
  ...NEW_SHARE,
  bootedAt: 5,
  ledger: { fallback: { sent: [given(1, 0)] }, lease: { sent: [given(1, 10, NOW + 600_000)] } },
}
const seen = (more: Partial<EvseView> = {}): EvseView => ({
  evseId: 1,
  isIgnoring: false,
  desiredRevision: 1,
  leastAmps: 0,
  refusesFallback: false,
  ...more,
})
const took = { revision: 1 }
const charge = { id: 'C', startedAt: NOW - 60_000 }
const charging = (more: Partial<EvseView> = {}) => seen({ charge, fallback: took, lease: took, ...more })
const look = (state: ShareState, view: EvseView, now = NOW) => absorb(state, placed, station, view, now)
const held = look(sent, charging())
const counted = (state: ShareState, now = NOW) => mayDraw({ ...state, maxAmps: 32 }, now)

it('GROUP-A1: what the station accepted replaces what was sent before', () => {
  expect([counted(sent), counted(held)]).toEqual([32, 10])
  expect(counted(look(sent, charging({ lease: undefined })))).toBe(10)
  expect(held.charge).toMatchObject({ id: 'C', servedSince: NOW, demand: { wantAmps: 32 } })
  expect(look(held, seen({ fallback: took })).charge).toBeUndefined()
})

it('GROUP-A10: what a foreign profile allows beside ours counts until ours lies above it', () => {
  const foreign = look(held, charging({ mostAmps: 25 }))
  expect([counted(foreign), counted(look(held, charging({ mostAmps: 63 })))]).toEqual([25, 32])
  const drawn = look(foreign, charging({ mostAmps: 25, draw: { at: NOW - 1000, amps: 4 } }))
  expect([counted(drawn), drawn.overdraw?.isIgnoring]).toEqual([25, false])
  const evse = evseOf(foreign, placed, station, charging({ mostAmps: 25 }))
  expect(isFixed(evse)).toBe(true)
  expect(counted(look(foreign, charging({ mostAmps: 10 })))).toBe(10)
})

it('GROUP-S5: watts that followed a reading were no change, and a raise came half a second after them', () => {
  expect(look(held, charging({ shownAt: NOW - 500 })).changedAt).toBe(NOW - 500)
  expect(look({ ...held, changedAt: NOW - 100 }, charging({ shownAt: NOW - 500 })).changedAt).toBe(NOW - 100)
  expect(look(held, charging()).changedAt).toBeUndefined()
})

it('GROUP-A3: a station that takes no fallback is known for it, and rests', () => {
  const refused = look(sent, seen({ refusesFallback: true }))
  expect([refused.holdsNoFallback, refused.restsUntil, counted(refused)]).toEqual([true, NOW + 60_000, 32])
  expect(look(refused, charging()).holdsNoFallback).toBeUndefined()
})

it('GROUP-A7: a station that is sent 6 A for 0 counts with them, also where its lease has ended or it has none', () => {
  const stubborn = { leastAmps: 6 }
  const pausing = { ...sent, ledger: { ...sent.ledger, fallback: { sent: [], accepted: given(1, 0) } } }
  const leased = look(pausing, charging(stubborn))
  expect([counted(leased), counted(leased, NOW + 600_000)]).toEqual([10, 6])
  const waiting = { ...pausing, ledger: { ...pausing.ledger, lease: { sent: [] } } }
  const unanswered = look(waiting, charging({ ...stubborn, lease: undefined }))
  expect([counted(waiting), counted(unanswered), counted(look(unanswered, charging()))]).toEqual([0, 6, 0])
})

it('GROUP-A6: after a boot it is in doubt until its fallback is accepted anew, however long that takes', () => {
  const booted = { ...station, bootedAt: NOW }
  const asked = charging({ fallback: undefined, lease: undefined })
  const forgot = absorb(held, placed, booted, asked, NOW)
  const later = NOW + 10 * 60_000
  const still = absorb(forgot, placed, booted, asked, later)
  expect(still.doubtUntil).toBeGreaterThan(later)
  expect(absorb(still, placed, booted, charging(), later).doubtUntil).toBeUndefined()
  expect(absorb(held, placed, booted, charging(), NOW).doubtUntil).toBeUndefined()
})

it('GROUP-A6: after a charge resumed it is in doubt for a minute', () => {
  expect(held.doubtUntil).toBeUndefined()
  expect(look(held, charging({ resumedAt: NOW - 10_000 })).doubtUntil).toBe(NOW + 50_000)
  expect(look(held, charging({ resumedAt: NOW - 60_000 })).doubtUntil).toBeUndefined()
})

it('GROUP-A5: a reading above counts at once, two are a station that ignores, and two at its limit one that obeys', () => {
  const draw = (amps: number, at: number) => ({ draw: { at, amps, offeredAmps: 32 } })
  let state = look(held, charging(draw(20, NOW + 5000)), NOW + 5000)
  expect([counted(state), state.readings]).toEqual([10, undefined])
  state = look(held, charging(draw(20, NOW + 10_000)), NOW + 10_000)
  expect(state.overdraw).toMatchObject({ isIgnoring: false, drawnAmps: 20 })
  expect(counted(state)).toBe(20)
  state = look(state, charging(draw(20, NOW + 10_000)), NOW + 11_000)
  expect(state.overdraw).toMatchObject({ isIgnoring: false })
  state = look(state, charging(draw(25, NOW + 20_000)), NOW + 20_000)
  expect([state.overdraw?.isIgnoring, counted(state)]).toEqual([true, 32])
  state = look(state, charging(draw(3, NOW + 30_000)), NOW + 30_000)
  expect(state.overdraw?.isIgnoring).toBe(true)
  state = look(state, charging(draw(10, NOW + 40_000)), NOW + 40_000)
  state = look(state, charging(draw(10.4, NOW + 50_000)), NOW + 50_000)
  expect([state.overdraw, counted(state)]).toEqual([undefined, 10])
})

it('GROUP-A5: our clock was put back by an hour, and for that hour no reading of a station that ignores counted', () => {
  const back = NOW - 3_600_000
  const draw = (at: number) => ({ draw: { at, amps: 20 } })
  const first = look(held, charging(draw(back + 20_000)), back + 20_000)
  expect(first.overdraw).toBeUndefined()
  const second = look(first, charging(draw(back + 40_000)), back + 40_000)
  expect([second.overdraw, counted(second, back)]).toEqual([{ isIgnoring: false, drawnAmps: 20 }, 20])
})

it('GROUP-E1: our clock was put back by an hour, and for that hour an old reading said what an EVSE draws', () => {
  const draw = { draw: { at: NOW, amps: 20 } }
  expect(look(held, charging(draw), NOW - 3_600_000).overdraw).toBeUndefined()
})

it('GROUP-S3, GROUP-S5, GROUP-S6, GROUP-A6: our clock was put back by an hour, and that long all stood still', () => {
  const waiting = {
    ...held,
    changedAt: NOW,
    fallbackChangedAt: NOW,
    restsUntil: NOW + 60_000,
    doubtUntil: NOW + 60_000,
    charge: { id: 'C', servedSince: NOW, demand: { wantAmps: 32, leavesSince: NOW, grewAt: NOW } },
  }
  const back = NOW - 3_600_000
  expect(look(waiting, charging({ resumedAt: NOW }), back)).toMatchObject({
    changedAt: back,
    fallbackChangedAt: back,
    restsUntil: back + 60_000,
    doubtUntil: back + 60_000,
    charge: { servedSince: back, demand: { leavesSince: back, grewAt: back } },
  })
})

it('GROUP-S2: the priority of a charge goes before that of its charge point', () => {
  const priorityOf = (more?: number) => {
    const view = seen({ charge: { ...charge, priority: more } })
    return evseOf(look(NEW_SHARE, view), { ...placed, priority: 3 }, station, view).charge?.priority
  }
  expect([priorityOf(), priorityOf(0), priorityOf(-4), priorityOf(9)]).toEqual([3, 0, -4, 9])
})

it('OCPP21-C2: a pull lengthens a lease, and is no change after which readings wait', () => {
  const pulled = look(held, charging({ lease: { ...took, endsAt: NOW + 900_000 } }), NOW + 60_000)
  expect(pulled.ledger.lease.accepted).toMatchObject({ amps: 10, endsAt: NOW + 900_000, until: NOW + 915_000 })
  expect(pulled.settledAt).toBe(NOW)
  expect([counted(pulled, NOW + 914_000), counted(pulled, NOW + 915_000)]).toEqual([10, 0])
})
