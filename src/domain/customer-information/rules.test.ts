import { expect, it } from 'vitest'
import { aStationList } from '../../../test/support/records.ts'
import { Driver, MINUTE, ZERO } from '../../../test/support/sessions/driver.ts'
import type { CustomerInput, CustomerOrder } from './records.ts'

const ORDER: CustomerOrder = { idToken: 'Card', idTokenType: 'ISO14443', report: true, clear: false }
const DAY = 24 * 60 * MINUTE

function ordered(order: Partial<CustomerOrder> = {}): Driver {
  const driver = new Driver()
  driver.send({ kind: 'customerInformationOrdered', id: 'r', requestId: 7, order: { ...ORDER, ...order } })
  return driver
}
const row = (driver: Driver) => driver.records.all('customer_requests')[0]
const page = (sequence: number, isLast: boolean, data = String(sequence)): CustomerInput => ({
  kind: 'customerPage',
  requestId: 7,
  sequence,
  isLast,
  data,
})
const answered = (answer: 'accepted' | 'refused' | 'failed' | 'unsent'): CustomerInput => ({
  kind: 'customerInformationAnswered',
  requestId: 7,
  answer,
  reason: 'why',
})

it.each<[string, readonly CustomerInput[], string]>([
  ['waits', [], 'requested'],
  ['was not sent', [answered('unsent')], 'requested'],
  ['was accepted', [answered('accepted')], 'running'],
  ['was refused', [answered('refused')], 'rejected'],
  ['was not answered', [answered('failed')], 'incomplete'],
  ['came in one page', [answered('accepted'), page(0, true)], 'complete'],
  ['lacks a page', [answered('accepted'), page(1, true)], 'running'],
  ['came the other way round', [answered('accepted'), page(1, true), page(0, false)], 'complete'],
  ['came before its answer', [page(0, true), answered('accepted')], 'complete'],
  ['came and awaits its answer', [page(0, true)], 'requested'],
  ['came before it was refused', [page(0, true), answered('refused')], 'rejected'],
  ['came whole, and its answer was lost', [page(0, true), answered('failed')], 'complete'],
  ['came in part, and its answer was lost', [page(0, false), answered('failed')], 'incomplete'],
  ['has a page before the first', [answered('accepted'), page(-1, false), page(1, true)], 'running'],
  ['came twice', [answered('accepted'), page(0, false), page(0, false), page(1, true)], 'complete'],
  ['has no end', [answered('accepted'), page(0, false, 'x'.repeat(200_001))], 'incomplete'],
])('DRIVER-I2: that %s is %s', (_, inputs, state) => {
  const driver = ordered()
  for (const input of inputs) driver.send(input)
  expect(row(driver)?.state).toBe(state)
})

it('DRIVER-I1: without a report it is complete with the answer', () => {
  const driver = ordered({ report: false, clear: true })
  driver.send(answered('accepted'))
  expect(row(driver)).toMatchObject({ state: 'complete', pages: [] })
})

it('DRIVER-I2: pages of somebody else, or of none, are not kept', () => {
  const driver = ordered()
  driver.send({ kind: 'customerPage', requestId: 8, sequence: 0, isLast: true, data: 'x' })
  driver.send({ kind: 'customerPage', isLast: true, data: 'x' })
  expect(row(driver)).toMatchObject({ state: 'requested', pages: [] })
})

it('DRIVER-I2: what is over is taken once; what runs is not taken', () => {
  const driver = ordered()
  const take = () => driver.send({ kind: 'customerInformationDelivered', requestId: 7 }).outcome
  expect(take()).toEqual({ refused: 'not_found' })
  driver.send(answered('accepted'))
  driver.send(page(0, true))
  expect(take()).toEqual({})
  expect(row(driver)).toBeUndefined()
  expect(take()).toEqual({ refused: 'not_found' })
})

it('DRIVER-I2: silence ends it, and what nobody reads is gone after a day', () => {
  const driver = ordered()
  driver.send(answered('accepted'))
  driver.now = ZERO + 2 * MINUTE
  driver.send({ kind: 'tick' })
  expect(row(driver)).toMatchObject({ state: 'incomplete', reason: 'no more pages came' })
  driver.now += DAY - 1
  driver.send({ kind: 'customerInformationDue' })
  expect(row(driver)).toBeDefined()
  driver.now += 1
  driver.send({ kind: 'customerInformationDue' })
  expect(row(driver)).toBeUndefined()
})

it('DRIVER-I1: one whose charge point does not come back within a day is rejected; twenty are open at most', () => {
  const driver = ordered()
  driver.now = ZERO + DAY
  driver.send({ kind: 'customerInformationDue' })
  expect(row(driver)).toMatchObject({ state: 'rejected', reason: 'the charge point did not come back' })
  const outcomes = Array.from({ length: 20 }, (_, nth) =>
    driver.send({ kind: 'customerInformationOrdered', id: `r${nth}`, requestId: 100 + nth, order: ORDER }),
  ).map(({ outcome }) => outcome.refused)
  expect(outcomes.filter((refused) => refused === undefined)).toHaveLength(19)
  expect(outcomes.at(-1)).toBe('too_many_customer_requests')
})

it('DRIVER-I1: what an application asked ends with its grant', () => {
  const driver = new Driver()
  for (const [requestId, grantId] of [
    [7, 'g'],
    [8, 'h'],
  ] as const)
    driver.send({ kind: 'customerInformationOrdered', id: 'r', requestId, order: ORDER, grantId })
  driver.send({ kind: 'grantEnded', grantId: 'g' })
  expect(driver.records.all('customer_requests').map(({ requestId }) => requestId)).toEqual([8])
})

it.each([
  ['its answer', [answered('accepted')]],
  ['a page that was here before its answer', [page(0, true), answered('accepted')]],
  ['more than is kept', [page(0, true, 'x'.repeat(200_001)), answered('accepted')]],
])('DRIVER-I4: by %s a card is forgotten: it leaves the local list until its entry changes', (_, inputs) => {
  const driver = ordered({ clear: true })
  const list = aStationList({ accountId: 'account', held: 'l', heldAt: 5, state: 'applied' })
  driver.records.apply([{ kind: 'station_lists', put: list }])
  for (const input of inputs) driver.send(input)
  const now = driver.records.all('station_lists')[0]
  expect(now).toMatchObject({ state: 'pending', forgotten: [{ idToken: 'card', at: ZERO }] })
  expect(now?.heldAt).toBeUndefined()
})
