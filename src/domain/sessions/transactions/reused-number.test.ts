import fc from 'fast-check'
import { expect, it } from 'vitest'
import { forRuns } from '../../../../test/support/property.ts'
import { at, Driver, type DriverOptions, MINUTE, TARIFF, ZERO } from '../../../../test/support/sessions/driver.ts'
import { CARD, event, register, started, stopped } from '../../../../test/support/sessions/inputs.ts'
import { remoteStart, remoteStartRequested } from '../../../../test/support/sessions/orders.ts'
import type { StationTime } from '../../ports/sessions.ts'
import type { Input } from '../decision.ts'
import { representSession } from '../figures/representation.ts'

type Event = Extract<Input, { kind: 'transactionEvent' }>

const OPTIONS = { idTokens: [{}], tariff: TARIFF, forgetful: true }

const OTHER_CARD = { id: 'OTHER', type: 'ISO14443' }

/** A charge from `from` to `from + 10` minutes of 1 kWh per five minutes. */
function charge(from: number, transactionId = 'T1'): readonly [Event, Event, Event] {
  const total = 1_000 + from * 100
  const facts = { transactionId, evseId: 1, connectorId: 1 }
  return [
    event(0, from, 'started', {
      ...facts,
      idToken: CARD,
      activity: 'charging',
      samples: [register(from, total, 'Transaction.Begin')],
    }),
    event(1, from + 5, 'updated', { ...facts, samples: [register(from + 5, total + 1_000)] }),
    event(2, from + 10, 'ended', { ...facts, samples: [register(from + 10, total + 2_000, 'Transaction.End')] }),
  ]
}

function play(messages: readonly Input[], change: DriverOptions = {}): Driver {
  return new Driver({ ...OPTIONS, ...change }).sendEach(messages, 1_000)
}

const energies = (driver: Driver): readonly number[] => driver.sessions.map(({ energyMilliWh }) => energyMilliWh / 1e6)

it('SESSION-B1: after an end a start with new content and a later time is another transaction and another session', () => {
  const driver = play([...charge(0), ...charge(60)])
  expect(driver.sessions).toMatchObject([
    { transactionId: 'T1', state: 'completed', startedAt: ZERO, stoppedAt: ZERO + 10 * MINUTE, flags: [] },
    { transactionId: 'T1', state: 'completed', startedAt: ZERO + 60 * MINUTE, flags: [] },
  ])
  expect(energies(driver)).toEqual([2, 2])
  expect(driver.transactions.get('T1@session-1')).toMatchObject({ sessionId: 'session-1', endedBy: 'station' })
  expect(driver.transactions.get('T1')).toMatchObject({
    sessionId: 'session-2',
    earlier: { transactionId: 'T1@session-1', until: ZERO + 10 * MINUTE },
  })
})

const [start, update, end] = charge(0)
it.each<[string, readonly Input[]]>([
  ['the same start again', [start, update, end, start]],
  ['the start is not later than the end', [start, update, end, charge(9)[0], charge(10)[0]]],
  ['the start has no time of its own', [start, update, end, { ...charge(60)[0], at: untimed(1_060) }]],
  ['the start has an impossible time', [start, update, end, { ...charge(60)[0], at: repaired(1_060) }]],
  ['it is no start', [start, update, end, { ...charge(60)[0], event: 'updated' }]],
  ['the start came after what it began', [update, end, start]],
  ['the start came after the end that gave it up', [end, { kind: 'tick' }, start, update]],
  ['the station says that it resumes', [start, update, { ...charge(60)[0], trigger: 'TxResumed' }]],
])('SESSION-B1, SESSION-B2: one session as before: %s', (_, messages) => {
  expect(play(messages, { settings: { silenceTimeoutMs: 1 } }).sessions).toHaveLength(1)
})

const [next, ...rest] = charge(60)
const other = { ...next, idToken: OTHER_CARD }
it.each<[string, readonly Input[], readonly number[]]>([
  ['it has not ended', [start, update, next, ...rest], [1, 2]],
  ['it has not ended, and its tail comes afterwards', [start, next, update, ...rest, end], [2, 2]],
  ['it ended by the orphan rule only', [start, update, { kind: 'tick' }, next, ...rest], [1, 2]],
  ['an end comes for what the orphan rule closed', [start, update, { kind: 'tick' }, next, end, ...rest], [2, 2]],
  ['the numbers of its events go on', renumbered([start, update, end, next, ...rest]), [2, 2]],
  ['its own number 0 was never seen', [update, end, next, ...rest], [1, 2]],
  ['another card begins when it ended', [start, update, end, { ...other, at: end.at }, ...rest], [2, 2]],
  ['another card begins by a clock of its own', [start, update, end, { ...other, at: repaired(1_060) }], [2, 0]],
])('SESSION-B1: two sessions, each with its own: %s', (_, messages, expected) => {
  const driver = play(messages, { idTokens: [{}, { id: 'OTHER' }], settings: { silenceTimeoutMs: 1 } })
  expect(energies(driver)).toEqual(expected)
  expect(driver.sessions.map(({ transactionId }) => transactionId)).toEqual(['T1', 'T1'])
})

it('SESSION-B1: a settled session is not rewritten by a start that has its number and an earlier time', () => {
  const driver = play(charge(60))
  driver.send({ kind: 'settled', sessionId: 'session-1' })
  const settled = representSession(driver.session())
  for (const message of charge(0)) driver.send({ ...message, idToken: message.idToken && OTHER_CARD })
  expect(representSession(driver.session())).toEqual(settled)
  expect(driver.session(1)).toMatchObject({ state: 'completed', transactionId: 'T1', energyMilliWh: 2_000_000 })
})

it('SESSION-B1: after a power cut and a boot the number in the hands of another driver is a charge of its own', () => {
  const driver = new Driver({ ...OPTIONS, idTokens: [{}, { id: 'OTHER' }] })
  driver.sendAt(0, start)
  driver.sendAt(5, update)
  driver.sendAt(50, { kind: 'booted' })
  driver.sendAt(60, other)
  for (const [minutes, message] of [
    [65, rest[0]],
    [66, end],
    [70, rest[1]],
  ] as const) {
    driver.sendAt(minutes, message)
  }
  expect(energies(driver)).toEqual([2, 2])
  expect(driver.sessions.map(({ endReason }) => endReason)).toEqual(['normal', 'normal'])
  expect(driver.sessions.map(({ stoppedAt = 0 }) => (stoppedAt - ZERO) / MINUTE)).toEqual([10, 70])
})

it('SESSION-B5: nothing is asked about what gave up its number: the station would speak of the one that has it now', () => {
  const driver = play([start, next])
  expect(driver.send(event(9, 50, 'ended')).requests).toBeUndefined()
  expect(driver.session()).toMatchObject({ endReason: 'normal', flags: ['incomplete'] })
})

it('SESSION-B1: a clock that the boot set back does not make it one charge, and each gets its own end', () => {
  const driver = new Driver(OPTIONS)
  const [ahead, , over] = charge(60)
  driver.sendAt(0, ahead)
  driver.sendAt(10, over)
  driver.sendAt(20, { kind: 'booted' })
  const [begin, middle, finish] = charge(55)
  // By our clock at 30: half an hour after the first, whose clock was an hour ahead.
  const set = <Message extends Event>(message: Message, minutes: number) => ({
    ...message,
    digest: `new ${message.digest}`,
    at: at(minutes),
  })
  driver.sendAt(30, set(begin, 30))
  driver.sendAt(31, over)
  driver.sendAt(35, set(middle, 65))
  driver.sendAt(36, over)
  driver.sendAt(40, set(finish, 66))
  expect(driver.sessions.map(({ state, flags }) => [state, flags])).toEqual([
    ['completed', ['incomplete']],
    ['completed', []],
  ])
})

it('SESSION-B1, SESSION-B10: the number of a 1.6 charge of ours does not name what the station numbers after its upgrade', () => {
  const driver = new Driver(OPTIONS)
  driver.sendAt(0, started(0))
  driver.sendAt(10, stopped(10, { transactionId: '100', registerMilliWh: 2_000_000 }))
  driver.send({ kind: 'settled', sessionId: 'session-1' })
  const settled = representSession(driver.session())
  const messages = charge(60, '100')
  for (const message of messages.slice(1)) driver.sendAt(80, message)
  driver.sendAt(80, messages[0])
  expect(representSession(driver.session())).toEqual(settled)
  expect(driver.session(1)).toMatchObject({ transactionId: '100', state: 'completed', energyMilliWh: 2_000_000 })
  expect(driver.sessions).toHaveLength(2)
  // SESSION-A12: said again to whoever has the number now, the 1.6 stop is still the 1.6 charge's.
  const again = driver.send(stopped(10, { transactionId: '100', registerMilliWh: 2_000_000 }))
  expect(again.outcome).toMatchObject({ sessionId: 'session-1' })
  expect(driver.sessions.flatMap(({ flags }) => flags)).not.toContain('conflict')
})

it('SESSION-B10: an open 1.6 charge is over when the station gives its number to another', () => {
  const driver = new Driver(OPTIONS)
  driver.sendAt(0, started(0, { connectorId: 2 }))
  for (const message of charge(60, '100')) driver.sendAt(80, message)
  driver.sendAt(90, stopped(59, { transactionId: '100', registerMilliWh: 7_000_000 }))
  expect(energies(driver)).toEqual([7, 2])
  expect(driver.sessions.map(({ state }) => state)).toEqual(['completed', 'completed'])
})

it('SESSION-A3, SESSION-B3: decided again under the number that was told, ours and that of the station itself are two', () => {
  const driver = new Driver({ ...OPTIONS, nextNumber: () => '100', forgetful: false })
  for (const message of charge(0, '100')) driver.sendAt(10, message)
  expect(driver.sendAt(60, started(60)).outcome.transactionId).toBe('100')
  expect(driver.send(charge(0, '100')[2]).outcome).toMatchObject({ sessionId: 'session-1' })
  driver.sendAt(70, stopped(70, { transactionId: '100', registerMilliWh: 5_000_000 }))
  expect(energies(driver)).toEqual([2, 5])
})

it('SESSION-B2: an end that a clock set back in mid-charge dates before the end of the charge before is not swallowed', () => {
  const driver = play([...charge(0), next, event(1, 5, 'ended', { digest: 'another end' })])
  expect(driver.sessions.map(({ state }) => state)).toEqual(['completed', 'completed'])
  expect(driver.session().flags).toEqual([])
})

it('SESSION-O7: a remote start joins the new one, never the one that is over', () => {
  const driver = play(charge(0))
  driver.send(remoteStartRequested('asked', remoteStart(50)))
  driver.send({ kind: 'remoteStartAnswered', sessionId: 'asked', outcome: 'accepted', transactionId: 'T1' })
  driver.send(charge(0)[1])
  expect(driver.sessionsById.get('asked')?.state).toBe('pending')
  driver.send({ ...charge(60)[0], remoteStartId: 7 })
  expect(driver.sessionsById.get('asked')).toMatchObject({ state: 'charging', startedAt: ZERO + 60 * MINUTE })
  expect(driver.sessions).toHaveLength(2)
})

it('SESSION-O7: an answer that names the number again means the transaction to come', () => {
  const driver = play(charge(0))
  driver.send(remoteStartRequested('asked', remoteStart(50)))
  driver.send({ kind: 'remoteStartAnswered', sessionId: 'asked', outcome: 'accepted', transactionId: 'T1' })
  driver.send(charge(60)[0])
  expect(driver.sessionsById.get('asked')).toMatchObject({ state: 'charging', startedAt: ZERO + 60 * MINUTE })
  expect(driver.sessions).toHaveLength(2)
})

it('SESSION-B1, SESSION-B4, HOOK-M7: charges of one number end like charges with numbers of their own, however often and late their messages come', () => {
  const messages = fc.integer({ min: 2, max: 5 }).chain((count) => {
    const charges = Array.from({ length: count }, (_, index) => index)
    // Updates may come at any time after their start's arrival; everything may come again.
    return fc.tuple(
      fc.constant(count),
      fc.array(fc.nat(count), { minLength: count, maxLength: count }),
      fc.array(fc.record({ charge: fc.nat(count - 1), message: fc.nat(2), after: fc.nat(4 * count) }), {
        maxLength: 12,
      }),
      fc.constant(charges),
    )
  })
  forRuns(300)(messages, ([count, delays, repeats, charges]) => {
    const arrival = (numberOf: (index: number) => string): readonly Input[] => {
      const entries = charges.flatMap((index) => {
        const [start, update, end] = charge(index * 60, numberOf(index))
        const delay = index + (delays[index] ?? 0)
        return [
          { place: index, message: start },
          { place: Math.min(delay, count) + 0.2, message: update },
          { place: index + 0.1, message: end },
        ]
      })
      for (const { charge: index, message, after } of repeats) {
        const repeated = charge(index * 60, numberOf(index))[message]
        if (repeated) entries.push({ place: index + 0.3 + after / 4, message: repeated })
      }
      return entries.sort((a, b) => a.place - b.place).map(({ message }) => message)
    }
    const own = play(arrival((index) => `T${index}`))
    const shared = play(arrival(() => 'T1'))
    expect(shared.sessions.map(representSession)).toEqual(own.sessions.map(representSession))
    expect(shared.transitions).toEqual(own.transitions)
  })
})

/** The events of one EVSE, numbered one after the other. */
function renumbered(messages: readonly Event[]): readonly Event[] {
  return messages.map((message, sequenceNumber) => ({ ...message, sequenceNumber }))
}

function untimed(minutes: number): StationTime {
  return { occurredAt: ZERO + minutes * MINUTE, receivedAt: ZERO + minutes * MINUTE }
}

function repaired(minutes: number): StationTime {
  return { ...untimed(minutes), original: '1970-01-01T00:00:00Z', repaired: true }
}
