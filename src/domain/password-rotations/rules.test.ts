import { expect, it } from 'vitest'
import { Driver, MINUTE } from '../../../test/support/sessions/driver.ts'
import type { PasswordAnswer } from './records.ts'
import { mustLogIn, unsuitable } from './rules.ts'

const DAY = 24 * 60 * MINUTE
const ordered = (rotationId = 'r1', unsuitableFor?: string) =>
  ({
    kind: 'passwordOrdered',
    rotationId,
    password: 'sealed',
    hash: `hash of ${rotationId}`,
    unsuitable: unsuitableFor,
  }) as const
const answered = (answer: PasswordAnswer, reason?: string) =>
  ({ kind: 'passwordAnswered', rotationId: 'r1', answer, reason }) as const
const seen = (hash: string) => ({ kind: 'passwordSeen', hash }) as const
const CALL_ORDERED = { kind: 'passwordCallOrdered', rotationId: 'r1' } as const
const CANCELLED = { kind: 'passwordCancelled', rotationId: 'r1' } as const
const FORMER = 'hash of another'

function change({ records }: Driver, rotationId = 'r1') {
  const found = records.all('password_changes').find((one) => one.rotationId === rotationId)
  if (!found) throw new Error('There is no change.')
  return found
}

function sent(): Driver {
  return new Driver({}, ordered(), CALL_ORDERED)
}

function due(driver: Driver, ms: number): void {
  driver.now += ms
  driver.send({ kind: 'passwordsDue' })
}

it.each([
  [{ securityProfile: 1, registrationStatus: 'Accepted' }, undefined],
  [{ securityProfile: 2, registrationStatus: 'Accepted' }, undefined],
  [{ securityProfile: 0, registrationStatus: 'Accepted' }, 'security profile 0 has no password'],
  [{ securityProfile: 3, registrationStatus: 'Accepted' }, expect.stringContaining('certificate')],
  [{ securityProfile: 1, registrationStatus: 'Pending' }, 'it is not accepted'],
  [{ securityProfile: 1, registrationStatus: 'Rejected' }, 'it is not accepted'],
] as const)('OCPP-AU7: %o is skipped because: %s', (view, reason) => {
  expect(unsuitable(view)).toEqual(reason)
})

it('OCPP-AU7: is skipped with the reason, and its password is not kept', () => {
  const driver = new Driver({}, ordered('r1', 'security profile 0 has no password'))
  expect(change(driver)).toMatchObject({ state: 'skipped', reason: 'security profile 0 has no password' })
  expect(change(driver).password).toBeUndefined()
})

it('OCPP-AU7: is skipped while another rotation of it is not over, and not afterwards', () => {
  const driver = sent()
  driver.send(ordered('r2'))
  expect(change(driver, 'r2')).toMatchObject({
    state: 'skipped',
    reason: expect.stringContaining('another rotation'),
  })
  driver.send(seen('hash of r1'))
  driver.send(ordered('r3'))
  expect(change(driver, 'r3').state).toBe('pending')
})

it('OCPP-AU7: is ordered once, however often its rotation is ordered', () => {
  const driver = sent()
  driver.send(ordered())
  expect(change(driver)).toMatchObject({ state: 'sent', attempts: 1 })
})

it('OCPP-AU7: keeps its newest ten changes, and those that are not over', () => {
  const driver = new Driver()
  for (let n = 0; n < 12; n++) {
    driver.now += 1
    driver.send(ordered(`r${n}`, 'it is not accepted'))
  }
  const kept = driver.records.all('password_changes').map(({ rotationId }) => rotationId)
  expect(kept).toEqual(['r2', 'r3', 'r4', 'r5', 'r6', 'r7', 'r8', 'r9', 'r10', 'r11'])
})

it.each(['accepted', 'later', 'unknown'] as const)('OCPP-AU8: answered %s: is done at the login with it', (answer) => {
  const driver = sent()
  driver.send(answered(answer))
  driver.send(seen('hash of r1'))
  expect(change(driver)).toMatchObject({ state: 'done' })
  expect(change(driver)).not.toHaveProperty('password')
  expect(change(driver)).not.toHaveProperty('dueAt')
})

it('OCPP-AU8: is done where the login comes before the answer, which then says nothing any more', () => {
  const driver = sent()
  driver.send(seen('hash of r1'))
  driver.send(answered('rejected', 'late'))
  expect(change(driver)).toMatchObject({ state: 'done' })
})

it('OCPP-AU8: is not accepted until the station logs in: after a minute its connection is to be closed, unless it charges', () => {
  const driver = sent()
  driver.send(answered('accepted'))
  const state: Parameters<typeof mustLogIn>[0] = { transactions: new Map() }
  const charging = { transactions: new Map([['1', { open: true }]]) } as unknown as typeof state
  expect(mustLogIn(state, change(driver), driver.now + MINUTE - 1)).toBe(false)
  expect(mustLogIn(state, change(driver), driver.now + MINUTE)).toBe(true)
  expect(mustLogIn(charging, change(driver), driver.now + MINUTE)).toBe(false)
  due(driver, MINUTE)
  expect(mustLogIn(state, change(driver), driver.now + MINUTE)).toBe(false)
})

it('after RebootRequired its connection stays', () => {
  const driver = sent()
  driver.send(answered('later'))
  const state: Parameters<typeof mustLogIn>[0] = { transactions: new Map() }
  expect(mustLogIn(state, change(driver), driver.now + DAY - 1)).toBe(false)
})

it('OCPP-AU8: that did not leave waits again, as if it had never been sent', () => {
  const driver = sent()
  driver.send(answered('unsent'))
  expect(change(driver)).toMatchObject({ state: 'pending', attempts: 0, password: 'sealed' })
})

it('OCPP-AU9: fails with what the charge point answered', () => {
  const driver = sent()
  driver.send(answered('rejected', 'the charge point answered NotSupported'))
  expect(change(driver)).toMatchObject({ state: 'failed', reason: 'the charge point answered NotSupported' })
  expect(change(driver)).not.toHaveProperty('password')
})

it('OCPP-AU9: is sent again to a charge point that comes back with its former one, three times in all', () => {
  const driver = sent()
  for (let n = 1; n < 3; n++) {
    driver.send(answered('unknown'))
    driver.send(seen(FORMER))
    expect(change(driver)).toMatchObject({ state: 'pending', attempts: n })
    driver.send(CALL_ORDERED)
  }
  driver.send(seen(FORMER))
  expect(change(driver)).toMatchObject({ state: 'failed', reason: 'it came back with its former password, 3 times' })
})

it('OCPP-AU9: is still waited for where it was accepted and the charge point comes back with its former one', () => {
  const driver = sent()
  driver.send(answered('later'))
  driver.send(seen(FORMER))
  expect(change(driver).state).toBe('accepted')
})

it('OCPP-AU9: fails a day after it was accepted, and is done when the login comes all the same', () => {
  const driver = sent()
  driver.send(answered('accepted'))
  due(driver, MINUTE)
  due(driver, DAY - MINUTE - 1)
  expect(change(driver).state).toBe('accepted')
  due(driver, 1)
  expect(change(driver)).toMatchObject({ state: 'failed', reason: expect.stringContaining('within a day') })
  driver.send(seen('hash of r1'))
  expect(change(driver)).toMatchObject({ state: 'done' })
  expect(change(driver)).not.toHaveProperty('reason')
})

it('OCPP-AU9: that was sent while our clock was ahead was waited for until then: its day begins when the clock is put right', () => {
  const driver = new Driver()
  const ahead = 3 * 365 * DAY
  driver.now += ahead
  driver.send(ordered())
  driver.send(CALL_ORDERED)
  due(driver, -ahead)
  expect(change(driver)).toMatchObject({ state: 'sent', dueAt: driver.now + DAY, proofBy: driver.now + DAY })
  due(driver, DAY - 1)
  expect(change(driver).state).toBe('sent')
  due(driver, 1)
  expect(change(driver).state).toBe('pending')
})

it('OCPP-AU9: is sent again where no answer and no login came within a day', () => {
  const driver = sent()
  driver.send(answered('unknown'))
  due(driver, DAY)
  expect(change(driver)).toMatchObject({ state: 'pending', attempts: 1 })
  driver.send(seen(FORMER))
  expect(change(driver).state).toBe('pending')
})

it('OCPP-AU10: cancelling takes back what waits', () => {
  const driver = new Driver({}, ordered())
  expect(driver.send(CANCELLED).outcome).toEqual({})
  expect(change(driver)).toMatchObject({ state: 'cancelled' })
  expect(driver.send(CALL_ORDERED).outcome).toEqual({ refused: 'password_change_over' })
})

it('OCPP-AU10: cancelling leaves what was sent to its login', () => {
  const driver = sent()
  driver.send(CANCELLED)
  expect(change(driver).state).toBe('sent')
  driver.send(answered('accepted'))
  driver.send(CANCELLED)
  expect(change(driver).state).toBe('accepted')
})

it('OCPP-AU10: cancelling of a charge point that has no such change is refused', () => {
  expect(new Driver().send(CANCELLED).outcome).toEqual({ refused: 'not_found' })
})
