import { expect, it } from 'vitest'
import { Driver, MINUTE, ZERO } from '../../../test/support/sessions/driver.ts'
import type { Reservation, ReservationOrder } from './records.ts'
import { nextCall } from './rules.ts'

const ORDER: ReservationOrder = {
  connectorId: 1,
  idToken: 'Card',
  idTokenType: 'ISO14443',
  expiresAt: ZERO + 10 * MINUTE,
}

function reserved(order: Partial<ReservationOrder> = {}, answer: 'accepted' | 'refused' | 'none' = 'accepted') {
  const driver = new Driver()
  driver.send({ kind: 'reservationOrdered', id: 'r', reservationId: 7, order: { ...ORDER, ...order } })
  if (answer !== 'none')
    driver.send({ kind: 'reservationAnswered', call: { reservationId: 7, step: 'reserve' }, answer })
  const now = (): Reservation | undefined => driver.records.all('reservations')[0]
  const start = (facts: { reservationId?: number; id?: string; connectorId?: number }) => {
    const at = { occurredAt: driver.now, receivedAt: driver.now }
    const { reservationId, id = 'OTHER', connectorId = 1 } = facts
    const of = { connectorId, idToken: { id, type: 'ISO14443' }, at, startKey: `${id}${connectorId}` }
    driver.send({ kind: 'started', ...of, ...(reservationId !== undefined && { reservationId }) })
  }
  return { driver, now, start }
}

it.each([
  ['accepted', 'active'],
  ['refused', 'rejected'],
  ['none', 'requested'],
] as const)('RESERVATION-A1: that was answered %s is %s', (answer, state) => {
  expect(reserved({}, answer).now()?.state).toBe(state)
})

it.each([
  ['its number', { reservationId: 7, connectorId: 2 }, 'used'],
  ['another number', { reservationId: 8, id: 'CARD' }, 'active'],
  ['no number, by 0', { reservationId: 0 }, 'active'],
  ['no number, by -1, and its card', { reservationId: -1, id: 'CARD' }, 'used'],
  ['its card', { id: 'card' }, 'used'],
  ['its card elsewhere', { id: 'card', connectorId: 2 }, 'active'],
  ['another card', {}, 'active'],
] as const)('RESERVATION-A3: after a start with %s', (_, start, state) => {
  const { now, start: begin } = reserved()
  begin(start)
  expect(now()?.state).toBe(state)
  expect(now()?.sessionId !== undefined).toBe(state === 'used')
})

it('RESERVATION-A4: that is over is not changed by late words', () => {
  const { driver, now, start } = reserved()
  start({ reservationId: 7 })
  driver.send({ kind: 'reservationReported', reservationId: 7, status: 'Expired' })
  driver.send({ kind: 'reservationAnswered', call: { reservationId: 7, step: 'cancel' }, answer: 'accepted' })
  driver.now = ZERO + 60 * MINUTE
  driver.send({ kind: 'tick' })
  expect(now()?.changes.map(([state]) => state)).toEqual(['requested', 'active', 'used'])
})

it('RESERVATION-A4: is over a minute after its time, whatever the charge point says', () => {
  const { driver, now } = reserved()
  driver.now = ORDER.expiresAt + MINUTE - 1
  driver.send({ kind: 'tick' })
  expect(now()?.state).toBe('active')
  driver.now++
  driver.send({ kind: 'tick' })
  expect(now()?.state).toBe('expired')
})

it.each([
  ['faulted', 1, 'removed'],
  ['unavailable', 0, 'removed'],
  ['faulted', 2, 'active'],
  ['available', 1, 'active'],
] as const)('RESERVATION-A5: whose connector is %s (connector %i) is %s', (activity, connectorId, state) => {
  const { driver, now } = reserved()
  const at = { occurredAt: driver.now, receivedAt: driver.now }
  driver.send({ kind: 'connectorStatus', connectorId, status: activity, activity, at })
  expect(now()?.state).toBe(state)
})

it('RESERVATION-A1: is asked for again a minute after there was no answer, and not when its time is over', () => {
  const { driver, now } = reserved({}, 'none')
  const due = (): string | undefined => {
    const one = now()
    return one && nextCall(one, driver.now)
  }
  expect(due()).toBe('reserve')
  driver.send({ kind: 'reservationAnswered', call: { reservationId: 7, step: 'reserve' }, answer: 'failed' })
  expect(due()).toBeUndefined()
  driver.now += MINUTE
  expect(due()).toBe('reserve')
  driver.send({ kind: 'reservationCancelled', reservationId: 7 })
  expect(due()).toBe('cancel')
  driver.send({ kind: 'reservationAnswered', call: { reservationId: 7, step: 'cancel' }, answer: 'refused' })
  expect([now()?.state, due()]).toEqual(['cancelled', undefined])
})

it('RESERVATION-A6: that is over is kept among the newest fifty', () => {
  const driver = new Driver()
  for (let reservationId = 1; reservationId <= 60; reservationId++) {
    driver.now += MINUTE
    const order = { ...ORDER, expiresAt: driver.now + MINUTE }
    driver.send({ kind: 'reservationOrdered', id: String(reservationId), reservationId, order })
    driver.send({ kind: 'reservationReported', reservationId, status: 'Removed' })
  }
  expect(driver.records.all('reservations').map(({ reservationId }) => reservationId)).toEqual(
    Array.from({ length: 50 }, (_, at) => 11 + at),
  )
})

it('RESERVATION-A1: a charge point has fifty open ones at most, and room again when one is over', () => {
  const driver = new Driver()
  const order = (number: number) =>
    driver.send({ kind: 'reservationOrdered', id: `r${number}`, reservationId: number, order: ORDER }).outcome.refused
  for (let number = 1; number <= 50; number++) expect(order(number)).toBeUndefined()
  expect(order(51)).toBe('too_many_reservations')
  driver.send({ kind: 'reservationAnswered', call: { reservationId: 7, step: 'reserve' }, answer: 'refused' })
  expect(order(51)).toBeUndefined()
})
