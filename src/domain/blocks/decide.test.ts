import fc from 'fast-check'
import { expect, it } from 'vitest'
import { forRuns } from '../../../test/support/property.ts'
import { Driver, MINUTE, TARIFF, ZERO } from '../../../test/support/sessions/driver.ts'
import { CARD, event, register, sampled, started, status, stopped } from '../../../test/support/sessions/inputs.ts'
import { remoteStart } from '../../../test/support/sessions/orders.ts'
import type { Activity, StationTime } from '../ports/sessions.ts'
import { NO_RECORDS } from '../records/records.ts'
import type { Input } from '../sessions/decision.ts'
import { representSession } from '../sessions/figures/representation.ts'
import { decide, lookups } from './decide.ts'

const KNOWN = { idTokens: [{}], tariff: TARIFF, forgetful: true }

/** Every message at least once, some several times, in any order. */
function arrivals<T>(messages: readonly T[]): fc.Arbitrary<readonly T[]> {
  return fc.array(fc.constantFrom(...messages), { maxLength: 6 }).chain((repeats) => {
    const all = [...messages, ...repeats]
    return fc.shuffledSubarray(all, { minLength: all.length })
  })
}

const stationActivity = fc.constantFrom<Activity>('charging', 'suspendedEv', 'suspendedEvse', 'connected', 'idle')

/** The messages of one 2.0.1 transaction in the order of the station. */
const story = fc
  .array(fc.record({ activity: fc.option(stationActivity, { nil: undefined }), wattHours: fc.nat(500) }), {
    maxLength: 8,
  })
  .map((updates) => {
    let total = 1_000
    const messages: Input[] = [
      event(0, 0, 'started', {
        evseId: 1,
        connectorId: 1,
        idToken: CARD,
        samples: [register(0, 1_000, 'Transaction.Begin')],
      }),
    ]
    updates.forEach(({ activity, wattHours }, index) => {
      total += wattHours
      const minutes = index + 1
      messages.push(event(minutes, minutes, 'updated', { activity, samples: [register(minutes, total)] }))
    })
    const last = updates.length + 1
    messages.push(event(last, last, 'ended', { samples: [register(last, total + 1, 'Transaction.End')] }))
    return messages
  })

function play(messages: readonly Input[]): Driver {
  return new Driver(KNOWN).sendEach(messages, 100)
}

it('HOOK-M7, SESSION-B4: any order and repetition of a 2.0.1 session’s messages ends in the same figures, with one start', () => {
  forRuns(300)(
    story.chain((messages) => fc.tuple(fc.constant(messages), arrivals(messages))),
    ([messages, arrival]) => {
      const ordered = play(messages)
      const mixed = play(arrival)
      expect(mixed.sessions).toHaveLength(1)
      expect(representSession(mixed.session())).toEqual(representSession(ordered.session()))
      expect(mixed.transitions.filter(({ from }) => from === undefined)).toHaveLength(1)
      expect(mixed.transitions.filter(({ to }) => to === 'completed')).toHaveLength(1)
    },
  )
})

it('HOOK-M7, OCPP-DR7, SESSION-A8, SESSION-A12: repeated starts, MeterValues in any order and repeated stops end in the same figures', () => {
  const samples = fc.array(fc.nat(900), { minLength: 1, maxLength: 10 }).map((deltas) => {
    let total = 1_000
    return deltas.map((delta, index) => {
      total += delta
      return sampled('100', [register(index + 1, total)])
    })
  })
  const stop = stopped(20, { transactionId: '100', registerMilliWh: 12_000_000, idToken: CARD })
  const start = started(0, { registerMilliWh: 1_000_000 })
  forRuns(300)(
    samples.chain((values) => fc.tuple(fc.constant(values), arrivals<Input>([...values, stop, start]))),
    ([values, arrival]) => {
      const ordered = play([start, ...values, stop])
      const mixed = play([start, ...arrival])
      expect(mixed.sessions).toHaveLength(1)
      expect(representSession(mixed.session())).toEqual(representSession(ordered.session()))
      expect(mixed.transitions.map(({ to }) => to)).toEqual(['charging', 'completed'])
    },
  )
})

it('SESSION-S3, HOOK-M7: whatever happens in whatever order, no transition is illegal and every message is decided', () => {
  forRuns(3000)(fc.array(anything, { maxLength: 40 }), (inputs) => {
    const driver = new Driver({ ...KNOWN, forgetful: false, unknownIdTokens: 'accept' }).sendEach(inputs, 0, 7)
    for (const session of driver.sessions) {
      const { state, startedAt, stoppedAt } = session
      if (startedAt !== undefined && stoppedAt !== undefined) expect(stoppedAt).toBeGreaterThanOrEqual(startedAt)
      if (state === 'completed')
        expect(session).toMatchObject({ startedAt: expect.any(Number), endReason: expect.any(String) })
      if (state !== 'completed' && state !== 'failed') expect(session.stoppedAt).toBeUndefined()
    }
  })
})

it('SESSION-S3: time alone ends everything that stays silent', () => {
  forRuns(200)(fc.array(anything, { maxLength: 20 }), (inputs) => {
    const driver = new Driver(KNOWN).sendEach(inputs, 0)
    let steps = 0
    for (let wake = driver.nextWakeMinutes; wake !== undefined; wake = driver.nextWakeMinutes) {
      driver.sendAt(Math.max(wake, (driver.now - ZERO) / MINUTE), { kind: 'tick' })
      expect(steps++).toBeLessThan(100)
    }
    for (const { open } of driver.transactions.values()) expect(open).toBe(false)
    // A session without a transaction waits for nothing but its remote start.
    for (const { state } of driver.sessions) expect(['completed', 'failed']).toContain(state)
  })
})

it('is pure: the state is left as it was', () => {
  const driver = new Driver(KNOWN, started(0))
  const transactions = new Map([...driver.transactions].map(([id, transaction]) => [id, Object.freeze(transaction)]))
  const sessions = new Map([...driver.sessionsById].map(([id, session]) => [id, Object.freeze(session)]))
  const state = {
    chargePointId: 'CP1',
    accountId: 'account',
    registrationStatus: 'Accepted' as const,
    status: Object.freeze({}),
    connectors: new Map(),
    transactions,
    sessions,
    records: NO_RECORDS,
  }
  const context = {
    now: ZERO + MINUTE,
    nextTransactionId: () => '1',
    newSessionId: () => 'new',
    idTokens: new Map(),
    unknownIdTokens: 'reject' as const,
    settings: driver.settings,
  }
  const input = stopped(1, { transactionId: '100', registerMilliWh: 5_000 })
  expect(decide(state, input, context)).toEqual(decide(state, input, context))
  expect(sessions.get('session-1')?.state).toBe('charging')
})

it('what is only noted changes nothing', () => {
  expect(new Driver().send({ kind: 'noted' })).toEqual({ outcome: {}, changes: {} })
})

it.each<[string, Input, object]>([
  ['authorise', { kind: 'authorise', idToken: CARD }, { idTokens: ['CARD'] }],
  ['a start', started(0, { startKey: 'key' }), { startKeys: ['key'], idTokens: ['CARD'] }],
  ['samples', sampled('5', []), { transactionIds: ['5'] }],
  ['samples of nobody', sampled(undefined, []), { transactionIds: [] }],
  ['a stop', stopped(0, { transactionId: '5', idToken: CARD }), { transactionIds: ['5'], idTokens: ['CARD'] }],
  ['an event', event(0, 0, 'ended'), { transactionIds: ['T1'], idTokens: [] }],
  ['a settlement', { kind: 'settled', sessionId: 's' }, { sessionIds: ['s'] }],
  ['time', { kind: 'tick' }, { transactionIds: [], startKeys: [], sessionIds: [], idTokens: [] }],
])('lookups: %s names what it needs', (_, input, expected) => {
  expect(lookups(input)).toMatchObject(expected)
})

it('SESSION-A13: lookups: a stop that could be recovered asks for its own recovery', () => {
  const samples = [register(0, 1, 'Transaction.Begin')]
  expect(lookups(stopped(0, { stopKey: 'abc', samples })).otherwise).toEqual(['recovered-abc'])
})

const minutes = fc.integer({ min: -60, max: 300 })
const transactionId = fc.constantFrom('100', '101', 'T1', 'T2', '-1', '9223372036854775807')
const idToken = fc.constantFrom(CARD, { id: 'FADE0123456789', type: 'ISO14443' }, { id: '', type: 'NoAuthorization' })
const connectorId = fc.nat(2)
const wattHours = fc.oneof(fc.nat(100_000), fc.integer({ min: -10, max: 2 ** 40 }))
const samplesOf = fc.array(
  fc
    .tuple(minutes, wattHours, fc.constantFrom('Sample.Periodic', 'Transaction.Begin', 'Transaction.End', 'Nonsense'))
    .map(([when, value, context]) => register(when, value, context)),
  { maxLength: 3 },
)
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
const impossible: fc.Arbitrary<StationTime> = fc.constant({ occurredAt: ZERO, receivedAt: ZERO, repaired: true })

/** Any input a hostile or broken charge point, or a hurried API, may give. */
const anything: fc.Arbitrary<Input> = fc.oneof(
  fc.constant<Input>({ kind: 'booted' }),
  fc.constant<Input>({ kind: 'tick' }),
  fc.tuple(minutes, connectorId, idToken, wattHours).map(([when, connector, token, value]): Input => {
    return started(when, { connectorId: connector, idToken: token, registerMilliWh: value * 1000 })
  }),
  fc
    .tuple(impossible, connectorId)
    .map(([when, connector]): Input => ({ ...started(0, { connectorId: connector, startKey: 'x' }), at: when })),
  fc
    .tuple(optional(transactionId), samplesOf, connectorId)
    .map(([id, samples, connector]) => sampled(id, samples, connector)),
  fc
    .tuple(
      minutes,
      optional(transactionId),
      wattHours,
      samplesOf,
      optional(idToken),
      fc.constantFrom('Local', 'DeAuthorized', 'Timeout', ''),
    )
    .map(
      ([when, id, value, samples, token, reason]): Input =>
        stopped(when, { registerMilliWh: value * 1000, samples, reason, transactionId: id, idToken: token }),
    ),
  fc
    .tuple(
      minutes,
      fc.constantFrom('Available', 'Preparing', 'Charging', 'SuspendedEV', 'Finishing', 'Faulted'),
      connectorId,
      optional(fc.nat(2)),
    )
    .map(([when, name, connector, evse]) => status(when, name, connector, evse)),
  fc
    .record({
      number: fc.oneof(fc.nat(6), fc.constantFrom(-1, Number.NaN, Number.MAX_SAFE_INTEGER)),
      when: minutes,
      kind: fc.constantFrom('started', 'updated', 'ended'),
      id: transactionId,
      activity: optional(stationActivity),
      trigger: fc.constantFrom(
        'Authorized',
        'StopAuthorized',
        'RemoteStop',
        'Deauthorized',
        'EVConnectTimeout',
        'Other',
      ),
      token: optional(idToken),
      remoteStartId: optional(fc.constantFrom(7, 8)),
      evseId: optional(fc.nat(2)),
      samples: samplesOf,
    })
    .map(({ number, when, kind, id, activity, trigger, token, remoteStartId, evseId, samples }): Input => {
      return event(number, when, kind, {
        transactionId: id,
        trigger,
        samples,
        activity,
        idToken: token,
        remoteStartId,
        evseId,
      })
    }),
  fc.tuple(fc.constantFrom('r1', 'r2'), fc.constantFrom(7, 8)).map(([sessionId, remoteStartId]): Input => {
    return { kind: 'remoteStartRequested', sessionId, remoteStart: remoteStart(0, { remoteStartId }) }
  }),
  fc
    .tuple(fc.constantFrom('r1', 'r2'), fc.constantFrom('accepted', 'rejected', 'timeout'), optional(transactionId))
    .map(([sessionId, outcome, id]): Input => {
      return { kind: 'remoteStartAnswered', sessionId, outcome, transactionId: id }
    }),
  fc.constantFrom('session-1', 'r1').map((sessionId): Input => ({ kind: 'remoteStopRequested', sessionId })),
  fc
    .constantFrom('session-1', 'r1')
    .map((sessionId): Input => ({ kind: 'remoteStopAnswered', sessionId, outcome: 'accepted' })),
  fc.tuple(transactionId, fc.boolean(), fc.boolean()).map(([id, ongoing, messagesInQueue]): Input => {
    return { kind: 'transactionStatusAnswered', transactionId: id, ongoing, messagesInQueue }
  }),
  fc
    .tuple(fc.constantFrom('session-1', 'session-2', 'r1'), fc.nat(10_000_000))
    .map(([sessionId, costMicros]): Input => {
      return { kind: 'settled', sessionId, costMicros }
    }),
)
