import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Input } from './decision.ts'
import type { StationTime } from './model.ts'
import { representSession } from './representation.ts'
import { CARD, Driver, event, MINUTE, register, remoteStart, remoteStartRequested, TARIFF, ZERO } from './testing.ts'

type Event = Extract<Input, { kind: 'transactionEvent' }>

const OPTIONS = { idTokens: [{}], tariff: TARIFF, forgetful: true }

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

function play(messages: readonly Input[]): Driver {
  const driver = new Driver(OPTIONS)
  messages.forEach((message, index) => {
    driver.sendAt(1_000 + index, message)
  })
  return driver
}

const energies = (driver: Driver): readonly number[] => driver.sessions.map(({ energyMilliWh }) => energyMilliWh / 1e6)

describe('a transaction number that is used again', () => {
  it('B1: after an end a start with new content and a later time is another transaction and another session', () => {
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
    ['it has not ended', [start, update, charge(60)[0]]],
    ['it ended by the orphan rule only', [start, update, { kind: 'tick' }, charge(60)[0]]],
    ['the start is not later than the end', [start, update, end, charge(9)[0], charge(10)[0]]],
    ['the start has no time of its own', [start, update, end, { ...charge(60)[0], at: untimed(1_060) }]],
    ['the start has an impossible time', [start, update, end, { ...charge(60)[0], at: repaired(1_060) }]],
    ['it is no start', [start, update, end, { ...charge(60)[0], event: 'updated' }]],
    ['its number is not 0', [start, update, end, { ...charge(60)[0], sequenceNumber: 1 }]],
    ['number 0 was never seen', [update, end, charge(60)[0]]],
  ])('B1, B2: one session as before: %s', (_, messages) => {
    const driver = new Driver({ ...OPTIONS, settings: { silenceTimeoutMs: 1 } })
    messages.forEach((message, index) => {
      driver.sendAt(1_000 + index, message)
    })
    expect(driver.sessions).toHaveLength(1)
  })

  it('B2, B4: retries and stragglers of the one that is over stay with it, also those of an hour of messages', () => {
    const long = Array.from({ length: 90 }, (_, index) => event(index + 1, 1 + index / 30, 'updated'))
    const lost = event(91, 9, 'updated', { samples: [register(9, 1_800)] })
    const over = event(92, 10, 'ended', { samples: [register(10, 2_000)] })
    const begin = event(0, 0, 'started', { evseId: 1, idToken: CARD, samples: [register(0, 1_000)] })
    const [restart, ...rest] = charge(60)
    const driver = play([begin, ...long, over, restart, begin, over, lost, lost, ...rest, over])
    expect(energies(driver)).toEqual([1, 2])
    expect(driver.sessions.map(({ flags }) => flags)).toEqual([['late'], []])
  })

  it('DR6: a retry gets the answer of its own transaction', () => {
    const driver = play([...charge(0), ...charge(60)])
    expect(driver.send(charge(0)[2]).outcome).toMatchObject({ sessionId: 'session-1' })
    expect(driver.send(charge(60)[2]).outcome).toMatchObject({ sessionId: 'session-2' })
  })

  it('O7: a remote start joins the new one, never the one that is over', () => {
    const driver = play(charge(0))
    driver.send(remoteStartRequested('asked', remoteStart(50)))
    driver.send({ kind: 'remoteStartAnswered', sessionId: 'asked', outcome: 'accepted', transactionId: 'T1' })
    driver.send(charge(0)[1])
    expect(driver.sessionsById.get('asked')?.state).toBe('pending')
    driver.send({ ...charge(60)[0], remoteStartId: 7 })
    expect(driver.sessionsById.get('asked')).toMatchObject({ state: 'charging', startedAt: ZERO + 60 * MINUTE })
    expect(driver.sessions).toHaveLength(2)
  })

  it('O7: an answer that names the number again means the transaction to come', () => {
    const driver = play(charge(0))
    driver.send(remoteStartRequested('asked', remoteStart(50)))
    driver.send({ kind: 'remoteStartAnswered', sessionId: 'asked', outcome: 'accepted', transactionId: 'T1' })
    expect(driver.send({ kind: 'remoteStopRequested', sessionId: 'asked' }).outcome).toMatchObject({
      transactionId: 'T1',
    })
    driver.send(charge(60)[0])
    expect(driver.sessionsById.get('asked')).toMatchObject({ state: 'charging', startedAt: ZERO + 60 * MINUTE })
    expect(driver.sessions).toHaveLength(2)
  })

  it('B1, B4, M7: charges of one number end like charges with numbers of their own, however often and late their messages come', () => {
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
    fc.assert(
      fc.property(messages, ([count, delays, repeats, charges]) => {
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
      }),
      { numRuns: 300 },
    )
  })
})

function untimed(minutes: number): StationTime {
  return { occurredAt: ZERO + minutes * MINUTE, receivedAt: ZERO + minutes * MINUTE }
}

function repaired(minutes: number): StationTime {
  return { ...untimed(minutes), original: '1970-01-01T00:00:00Z', repaired: true }
}
