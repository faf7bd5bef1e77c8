import fc from 'fast-check'
import { expect, it } from 'vitest'
import { forRuns } from '../../../test/support/property.ts'
import { Driver, type DriverOptions, MINUTE, ZERO } from '../../../test/support/sessions/driver.ts'
import type { EventData } from '../ports/storage-webhooks.ts'
import type { Input } from '../sessions/decision.ts'
import type { HistoryEntry } from './records.ts'

/** A driver that numbers its messages, with what they left in the history. */
class Station {
  readonly driver: Driver
  readonly history = new Map<string, HistoryEntry>()
  readonly events: EventData[] = []
  #next = 1

  constructor(options?: DriverOptions) {
    this.driver = new Driver(options)
  }

  send(input: Input): void {
    this.driver.commandId = this.#next++
    const { changes } = this.driver.send(input)
    for (const change of changes.records ?? []) {
      if (change.kind === 'connection_history' && 'put' in change) {
        this.history.set(`${change.put.id}.${change.put.part}`, change.put)
      }
    }
    this.events.push(...(changes.events ?? []))
  }

  /** With the number that the core gives it. */
  tell(input: typeof CONNECTED | typeof LOST | typeof REPLACED): void {
    this.send({ ...input, id: this.#next })
  }

  entries(kind?: string): readonly HistoryEntry[] {
    return [...this.history.values()].filter((entry) => kind === undefined || entry.kind === kind)
  }

  reported(type: string): readonly object[] {
    return this.events.filter((event) => event.type === type).map(({ data }) => data as object)
  }
}

const CONNECTED = { kind: 'connected', protocol: 'ocpp1.6' } as const
const LOST = { kind: 'disconnected', code: 1006 } as const
const REPLACED = { kind: 'disconnected', code: 1000, reason: 'replaced' } as const

it('TIMELINE-A1: connections: each is an entry and an event', () => {
  const station = new Station()
  station.tell(CONNECTED)
  station.tell(REPLACED)
  expect(station.entries()).toMatchObject([
    { kind: 'connected', at: ZERO, details: { protocol: 'ocpp1.6' }, count: 1, lastAt: undefined },
    { kind: 'disconnected', details: { code: 1000, reason: 'replaced' } },
  ])
  const at = new Date(ZERO).toISOString()
  expect(station.reported('charge-point.connected')).toEqual([{ evseControllerId: 'CP1', at, protocol: 'ocpp1.6' }])
  expect(station.reported('charge-point.disconnected')).toMatchObject([{ code: 1000, reason: 'replaced' }])
})

it('TIMELINE-A1, TIMELINE-A2: connections: while it is open that is known, so that a start can end what a kill left open', () => {
  const station = new Station()
  const openSince = () =>
    station.driver.records.find('timeline_folds', { chargePointId: 'CP1', about: 'connected' })?.openSince
  station.tell(CONNECTED)
  expect(openSince()).toBe(ZERO)
  station.tell(LOST)
  expect(openSince()).toBeUndefined()
})

it.each([
  ['accepted', 'Accepted', 60, 60],
  ['that nobody accepted', 'Pending', 24 * 60, 1],
] as const)('TIMELINE-A3: of one %s the newest entry counts repetitions', (_, registrationStatus, minutes, most) => {
  const station = new Station({ registrationStatus })
  for (let round = 0; round < most + 5; round++) {
    station.driver.now = ZERO + round * 1000
    station.tell(CONNECTED)
  }
  expect(station.entries()).toHaveLength(most)
  expect(station.entries().at(-1)).toMatchObject({
    at: ZERO + (most - 1) * 1000,
    count: 6,
    lastAt: station.driver.now,
  })
  expect(station.reported('charge-point.connected')).toHaveLength(most)
  station.driver.now = ZERO + minutes * MINUTE
  station.tell(CONNECTED)
  expect(station.entries()).toHaveLength(most + 1)
  expect(station.entries().at(-1)).toMatchObject({ count: 1 })
})

it('TIMELINE-A3: repetitions: a clock that is put back does not silence it', () => {
  const station = new Station()
  for (let round = 0; round < 60; round++) station.tell(CONNECTED)
  station.driver.now = ZERO - 1
  station.tell(CONNECTED)
  expect(station.entries()).toHaveLength(61)
})

it('TIMELINE-A3: repetitions: whatever comes when: nothing is lost from the counts, and no hour has more than 60 entries of a kind', () => {
  const steps = fc.array(
    fc.record({ later: fc.integer({ min: 0, max: 4 * MINUTE }), what: fc.constantFrom(CONNECTED, LOST) }),
    { maxLength: 400 },
  )
  forRuns(50)(steps, (all) => {
    const station = new Station()
    for (const { later, what } of all) {
      station.driver.now += later
      station.tell(what)
    }
    for (const { kind } of [CONNECTED, LOST]) {
      const entries = station.entries(kind)
      const total = entries.reduce((sum, { count }) => sum + count, 0)
      expect(total).toBe(all.filter(({ what }) => what.kind === kind).length)
      expect(station.reported(`charge-point.${kind}`)).toHaveLength(entries.length)
      // An hour may lie across two windows, each with its sixty.
      for (const { at } of entries) {
        const within = entries.filter((other) => other.at >= at && other.at < at + 60 * MINUTE)
        expect(within.length).toBeLessThanOrEqual(120)
      }
      for (const { at, lastAt } of entries) expect(lastAt ?? at).toBeGreaterThanOrEqual(at)
    }
  })
})

it('TIMELINE-A4, TIMELINE-A8: refused connections: are an entry with the count that is told, in both lists, and one event', () => {
  const station = new Station()
  const refusal = {
    kind: 'connectionRefused',
    id: 7,
    reason: 'wrongPassword',
    detail: 'Text.',
    firstAt: ZERO,
  } as const
  station.send({ ...refusal, count: 1 })
  station.driver.now = ZERO + MINUTE
  station.send({ ...refusal, count: 12 })
  const shown = { at: ZERO, count: 12, lastAt: ZERO + MINUTE }
  const [entry, ...others] = station.entries()
  expect([entry, others]).toMatchObject([{ ...shown, details: { reason: 'wrongPassword', detail: 'Text.' } }, []])
  expect(station.driver.records.all('refused_connections')).toEqual([])
  expect(station.reported('charge-point.refused')).toMatchObject([{ reason: 'wrongPassword', detail: 'Text.' }])
})

const report = (status: string, errorCode?: string) =>
  ({ connectorId: 1, status, errorCode, activity: 'idle', at: { occurredAt: ZERO, receivedAt: ZERO } }) as const

it.each([
  ['the same again', ['Available', 'Available'], 1],
  ['another one', ['Available', 'Charging'], 2],
  ['there and back', ['Available', 'Charging', 'Available'], 3],
  ['without an error, and with NoError', ['Available', 'Available/NoError'], 1],
  ['another error of the same status', ['Faulted/GroundFailure', 'Faulted/OverVoltage'], 2],
] as const)('TIMELINE-A5: statuses: %s', (_, statuses, entries) => {
  const station = new Station()
  for (const one of statuses) {
    const [status = '', errorCode] = one.split('/')
    station.send({ kind: 'connectorStatus', ...report(status, errorCode) } as Input)
  }
  expect(station.entries('status')).toHaveLength(entries)
  expect(station.reported('charge-point.status')).toHaveLength(entries)
})

it('TIMELINE-A5: statuses: of one message a hundred are told, each with its own number', () => {
  const station = new Station()
  const reports = Array.from({ length: 150 }, (_, index) => ({ ...report('Available'), connectorId: index + 1 }))
  station.send({ kind: 'connectorStatuses', reports } as Input)
  expect(station.entries('status').map(({ part }) => part)).toEqual(Array.from({ length: 100 }, (_, part) => part))
  expect(station.driver.connectors.size).toBe(150)
})

it('TIMELINE-A5: security events: are told, cut where they are longer than anybody means', () => {
  const station = new Station()
  station.send({ kind: 'securityEventSeen', type: 'x'.repeat(5000), detail: 'y'.repeat(5000) })
  expect(station.entries('security')).toMatchObject([{ details: { type: 'x'.repeat(200), detail: 'y'.repeat(1000) } }])
  expect(station.reported('security.event')).toMatchObject([{ type: 'x'.repeat(200), techInfo: 'y'.repeat(1000) }])
})

it('TIMELINE-A5: security events: a meter that shows another public key than before is one, the first key is none', () => {
  const station = new Station()
  const seen = (bytes: string) =>
    station.send({ kind: 'meterKeysSeen', keys: [{ place: 2, publicKey: { text: bytes, bytes } }] })
  seen('01')
  expect(station.entries('security')).toEqual([])
  seen('02')
  seen('02')
  expect(station.entries('security')).toMatchObject([{ details: { type: 'MeterPublicKeyChanged' } }])
})

it('TIMELINE-A6: boots: tell what the station said and what it was answered', () => {
  const station = new Station()
  station.send({ kind: 'booted', vendor: 'Acme', model: 'One', firmwareVersion: '1.2' } as Input)
  expect(station.entries('booted')).toMatchObject([
    { details: { vendor: 'Acme', model: 'One', firmwareVersion: '1.2', registrationStatus: 'Accepted' } },
  ])
  expect(station.reported('charge-point.booted')).toMatchObject([{ vendor: 'Acme', registrationStatus: 'Accepted' }])
})
