/** SESSION-T2, SESSION-T3: charges that come from a queue, after an order, a reservation or a budget was made. */
import { describe, expect, it } from 'vitest'
import { at, Driver, type DriverOptions, MINUTE, ZERO } from '../../../test/support/sessions/driver.ts'
import { CARD, event, started, stopped } from '../../../test/support/sessions/inputs.ts'
import { remoteStart, remoteStartRequested } from '../../../test/support/sessions/orders.ts'
import type { IdToken } from '../ports/id-tokens.ts'
import type { Session } from '../ports/sessions.ts'
import type { Input } from './decision.ts'

const VERSIONS = ['ocpp1.6', 'ocpp2.0.1'] as const
type Version = (typeof VERSIONS)[number]
type Charge = Partial<Extract<Input, { kind: 'transactionEvent' }>> & { readonly connectorId?: number }

/** A charge of the card that began at a minute, and is heard of now. */
function begin(driver: Driver, version: Version, minutes: number, facts: Charge = {}, queued?: true): void {
  const when = { ...at(minutes), receivedAt: driver.now, isQueued: queued }
  const { idToken = CARD, reservationId, remoteStartId, transactionId = `T${minutes}` } = facts
  if (version === 'ocpp1.6') driver.send({ ...started(minutes, { idToken, reservationId }), at: when })
  else {
    const of = { idToken, reservationId, remoteStartId, transactionId, evseId: 1, activity: 'charging' as const }
    driver.send({ ...event(0, minutes, 'started', of), at: when })
  }
}

const references = (driver: Driver) => driver.sessions.map(({ externalReference, state }) => [externalReference, state])

describe.each(VERSIONS)('%s: an old charge that comes from the queue', (version) => {
  const is16 = version === 'ocpp1.6'
  const ordered = (minutes: number) => {
    const driver = new Driver({ idTokens: [{}] })
    driver.now = ZERO + minutes * MINUTE
    const start = remoteStart(minutes, is16 ? {} : { virtualIdToken: CARD.id })
    const order = { externalReference: 'order 7', idToken: CARD.id, evseId: is16 ? undefined : 1 }
    driver.send(remoteStartRequested('remote', start, order))
    return driver
  }

  it('SESSION-T2: it took an order of the same card, and the order’s own charge had no reference', () => {
    const driver = ordered(0)
    begin(driver, version, -60)
    expect(references(driver)).toEqual([
      ['order 7', 'pending'],
      [undefined, 'charging'],
    ])
    driver.now += MINUTE
    const own = is16 ? { idToken: { id: 'FADE0123456789', type: 'ISO14443' } } : { remoteStartId: 7 }
    begin(driver, version, 1, own)
    expect(references(driver)[0]).toEqual(['order 7', 'charging'])
    expect(driver.sessions).toHaveLength(2)
  })

  it('SESSION-T2: it took one also where it had begun minutes before, while the charge point was away', () => {
    const driver = new Driver({ idTokens: [{}] })
    driver.sendAt(-4, { kind: 'disconnected', id: 1, code: 1006 })
    driver.sendAt(-1, { kind: 'connected', id: 2, protocol: version })
    driver.now = ZERO
    const start = remoteStart(0, is16 ? {} : { virtualIdToken: CARD.id })
    driver.send(remoteStartRequested('remote', start, { externalReference: 'order 7', idToken: CARD.id }))
    begin(driver, version, -2)
    expect(driver.session().state).toBe('pending')
  })

  it('SESSION-T2: it took one also where it had begun minutes before, and the charge point said that it was offline', () => {
    const driver = ordered(0)
    begin(driver, version, -4, {}, true)
    expect(references(driver)[0]).toEqual(['order 7', 'pending'])
  })

  it.each([
    ['a clock a minute behind', -1, undefined],
    ['a clock that is known to be an hour behind', -60, -60 * MINUTE],
  ])('SESSION-T1, SESSION-T2: a charge of now takes its order by its card, by %s', (_, minutes, clockAheadMs) => {
    const driver = ordered(0)
    driver.status = { clockAheadMs }
    begin(driver, version, minutes)
    expect(references(driver)).toEqual([['order 7', 'charging']])
  })

  it('SESSION-T2: an order’s own charge that comes late is its own', () => {
    const driver = ordered(0)
    driver.sendAt(60, { kind: 'tick' })
    begin(driver, version, 1, is16 ? { idToken: { id: 'FADE0123456789', type: 'ISO14443' } } : { remoteStartId: 7 })
    expect(references(driver)).toEqual([
      ['order 7', 'failed'],
      ['order 7', 'charging'],
    ])
  })

  it.each([
    ['its card', {}, 'active'],
    ['its number', { reservationId: 7 }, 'used'],
  ] as const)('SESSION-T2, RESERVATION-A3: with %s a reservation made later stays %s', (_, facts, state) => {
    const driver = new Driver({ idTokens: [{}] })
    const order = {
      evseId: is16 ? undefined : 1,
      idToken: CARD.id,
      idTokenType: 'ISO14443',
      expiresAt: ZERO + 30 * MINUTE,
    }
    driver.send({ kind: 'reservationOrdered', id: 'r', reservationId: 7, order })
    const call = { reservationId: 7, step: 'reserve' } as const
    driver.send({ kind: 'reservationAnswered', call, answer: 'accepted' })
    begin(driver, version, -60, facts)
    expect(driver.records.all('reservations')[0]?.state).toBe(state)
    if (state === 'used') return
    driver.sendAt(1, stopped(-30, { transactionId: is16 ? '100' : undefined }))
    begin(driver, version, 1)
    expect(driver.records.all('reservations')[0]?.state).toBe('used')
  })

  describe('and counts for budgets', () => {
    const daily = (budget: Partial<NonNullable<IdToken['budget']>> = {}): Partial<IdToken> => ({
      budget: { energyMilliWh: 5_000_000, per: 'day', ...budget },
    })
    const late = (options: DriverOptions, minutes: number): Driver => {
      const driver = new Driver(options)
      begin(driver, version, minutes)
      return driver
    }
    const counts = ({ limits }: Session) => [limits?.budgetOf, limits?.budgetAt]

    it('SESSION-T3, TOKEN-Z6: on the day on which it happened', () => {
      const driver = late({ idTokens: [daily()] }, -24 * 60)
      expect(counts(driver.session())).toEqual(['card', ZERO - 24 * 60 * MINUTE])
      begin(driver, version, 0)
      expect(counts(driver.session(1))).toEqual(['card', undefined])
    })

    it('SESSION-T3, TOKEN-Z6: not where the card was given one later', () => {
      expect(counts(late({ idTokens: [daily({ since: ZERO - 10 * MINUTE })] }, -60).session())).toEqual([
        undefined,
        undefined,
      ])
      // The clock of the charge point is a little behind.
      expect(counts(late({ idTokens: [daily({ since: ZERO })] }, -1).session())[0]).toBe('card')
    })

    it('SESSION-T2, TOKEN-Z7: a card that is used up today, or has expired since, was good then', () => {
      const usedUp = late({ idTokens: [daily()], isUsedUp: () => true }, -24 * 60)
      expect(usedUp.transaction().authorised).toBe(true)
      expect(late({ idTokens: [daily()], isUsedUp: () => true }, -60).transaction().authorised).toBe(false)
      expect(late({ idTokens: [{ expiresAt: ZERO - 30 * MINUTE }] }, -60).transaction().authorised).toBe(true)
      expect(late({ idTokens: [{ expiresAt: ZERO - 90 * MINUTE }] }, -60).transaction().authorised).toBe(false)
    })
  })
})

describe.each(VERSIONS)('%s: an old charge with a limit of its duration', (version) => {
  const limited = (): Driver => {
    const driver = new Driver({ idTokens: [{ sessionLimits: { durationMs: 60 * MINUTE } }] })
    begin(driver, version, -24 * 60)
    return driver
  }

  it('SESSION-T5, SESSION-L3: was stopped while its end waited in the queue', () => {
    const driver = limited()
    expect(driver.session().limitReached).toBeUndefined()
    driver.sendAt(1, { kind: 'tick' })
    const end = { ...at(-23 * 60 - 30), receivedAt: driver.now }
    if (version === 'ocpp1.6') driver.send({ ...stopped(0, { transactionId: '100' }), at: end })
    else driver.send({ ...event(1, 1, 'ended', { transactionId: `T${-24 * 60}` }), at: end })
    expect(driver.session()).toMatchObject({ state: 'completed', limitReached: undefined, stopRequestedAt: undefined })
  })

  it('SESSION-T5, SESSION-L3: is stopped when no end has come for five minutes', () => {
    const driver = limited()
    expect(driver.nextWakeMinutes).toBe(5)
    driver.sendAt(5, { kind: 'tick' })
    expect(driver.session().limitReached?.kind).toBe('duration')
  })
})

it('SESSION-T2: the answer about a card that has expired since says so', () => {
  const driver = new Driver({ idTokens: [{ expiresAt: ZERO - 30 * MINUTE }] })
  const { outcome } = driver.send({ ...started(-60), at: { ...at(-60), receivedAt: ZERO } })
  expect(outcome.authorisation?.status).toBe('Expired')
  expect(driver.transaction().authorised).toBe(true)
})

it('SESSION-T2, SESSION-A4: an old charge of a card that charges elsewhere now was refused as the second', () => {
  const driver = new Driver({ idTokens: [{}], settings: { refuseConcurrentTransactions: true } })
  driver.send(started(0, { connectorId: 2 }))
  driver.send({ ...started(-60), at: { ...at(-60), receivedAt: ZERO } })
  expect(driver.transaction(1).authorised).toBe(true)
  expect(driver.send(started(1, { connectorId: 3 })).outcome.authorisation?.status).toBe('ConcurrentTx')
})

it('SESSION-T2, RESERVATION-A5: a fault from the queue ended a reservation that was made after it', () => {
  const driver = new Driver()
  const order = { connectorId: 1, idToken: CARD.id, idTokenType: 'ISO14443', expiresAt: ZERO + 30 * MINUTE }
  driver.send({ kind: 'reservationOrdered', id: 'r', reservationId: 7, order })
  driver.send({ kind: 'reservationAnswered', call: { reservationId: 7, step: 'reserve' }, answer: 'accepted' })
  const faulted = { kind: 'connectorStatus', connectorId: 1, status: 'Faulted', activity: 'faulted' } as const
  driver.send({ ...faulted, at: { ...at(-60), receivedAt: ZERO } })
  expect(driver.records.all('reservations')[0]?.state).toBe('active')
})

it('SESSION-T2, SESSION-S9: an old remote start of the card is not the one that was cancelled', () => {
  const driver = new Driver({ idTokens: [{}] })
  driver.send(remoteStartRequested('remote', remoteStart(0, { virtualIdToken: CARD.id })))
  driver.sendAt(1, { kind: 'remoteStopRequested', sessionId: 'remote' })
  const facts = { idToken: CARD, trigger: 'RemoteStart', activity: 'charging' } as const
  driver.send({ ...event(0, -60, 'started', facts), at: { ...at(-60), receivedAt: driver.now } })
  expect(driver.session(1)).toMatchObject({ state: 'charging', stopRequestedAt: undefined })
})
