import fc from 'fast-check'
import { expect, it } from 'vitest'
import { forAll } from '../../../test/support/property.ts'
import { Driver } from '../../../test/support/sessions/driver.ts'
import { isMemberList } from '../device-model/objection.ts'
import type { StoredVariable } from '../device-model/records.ts'
import { INTENT_STATES, type Intent, type IntentState, type Want } from './records.ts'
import { MAX_INTENTS } from './rules.ts'
import {
  answered,
  backOff,
  booted,
  expired,
  failed,
  found,
  intentName,
  reading,
  released,
  requested,
  sameValue,
  sent,
} from './states.ts'

const NOW = Date.UTC(2026, 7, 1)
const MINUTE = 60_000
const PLACE = { chargePointId: 'CP1', accountId: 'A' }
const WANT: Want = { kind: 'configurationKey', key: 'HeartbeatInterval', desired: '60' }

const fresh = (want: Partial<Want> = {}): Intent => requested(undefined, { ...WANT, ...want }, PLACE, NOW)
const accepted = (intent: Intent): Intent =>
  answered(sent(intent, 'c', NOW), intent.revision, { outcome: 'accepted' }, '1.0', NOW)

it('INTENT-A2: an intent: it is sent, accepted, and found to be so', () => {
  const one = sent(fresh(), 'c-1', NOW)
  expect(one).toMatchObject({ state: 'sent', attempts: 1, commandId: 'c-1' })
  const two = answered(one, 1, { outcome: 'accepted' }, '1.0', NOW + 1)
  expect(two).toMatchObject({ state: 'applied', appliedRevision: 1, nextAttemptAt: NOW + 1 })
  const three = found(two, { value: '60' }, NOW + 2)
  expect(three).toMatchObject({ state: 'verified', revision: 1 })
  expect(three.nextAttemptAt).toBeUndefined()
})

it('INTENT-A3: an intent: another value takes the place of the older one, whose late answer says nothing of it', () => {
  const older = sent(fresh(), 'c-1', NOW)
  const newer = requested(older, { ...WANT, desired: '90' }, PLACE, NOW + 5)
  expect(newer).toMatchObject({ state: 'pending', revision: 2, desired: '90', attempts: 0, nextAttemptAt: NOW + 5 })
  expect(answered(newer, 1, { outcome: 'accepted' }, '1.0', NOW + 6)).toEqual({ ...newer, appliedRevision: 1 })
  expect(answered(newer, 1, { outcome: 'rejected' }, '1.0', NOW + 6)).toBe(newer)
  expect(failed(newer, 'set', 1, 'no answer', false, NOW + 6)).toBe(newer)
  expect(requested(older, WANT, PLACE, NOW + 7)).toBe(older)
})

it.each(['rejected', 'unsupported'] as const)('INTENT-A4: an intent: %s until the firmware changes', (outcome) => {
  const given = answered(sent(fresh(), 'c', NOW), 1, { outcome, reason: 'no' }, '1.0', NOW)
  expect(given).toMatchObject({ state: outcome, reason: 'no', firmwareVersion: '1.0' })
  expect(booted(given, '1.0', NOW + 1)).toBe(given)
  expect(released(given, NOW + 1)).toBe(given)
  const again = booted(given, '1.1', NOW + 1)
  expect(again).toMatchObject({ state: 'pending', attempts: 0, nextAttemptAt: NOW + 1 })
  expect(again.reason).toBeUndefined()
  expect(requested(given, { ...WANT, desired: '7' }, PLACE, NOW)).toMatchObject({ state: 'pending', revision: 2 })
})

it('INTENT-A6: an intent: a minute, then twice as long each time, an hour at most', () => {
  expect([1, 2, 3, 6, 7, 8, 50].map((attempts) => backOff(attempts) / MINUTE)).toEqual([1, 2, 4, 32, 60, 60, 60])
  const one = failed(sent(fresh(), 'c', NOW), 'set', 1, 'no answer', false, NOW)
  expect(one).toMatchObject({ state: 'pending', attempts: 1, nextAttemptAt: NOW + MINUTE, reason: 'no answer' })
  const two = failed(sent(one, 'd', NOW), 'set', 1, 'no answer', false, NOW)
  expect(two).toMatchObject({ attempts: 2, nextAttemptAt: NOW + 2 * MINUTE })
  expect(released(two, NOW + 5)).toMatchObject({ nextAttemptAt: NOW + 5, attempts: 2 })
})

it('INTENT-A6: an intent: what never left was no attempt', () => {
  const unsent = failed(sent(fresh(), 'c', NOW), 'set', 1, 'it was not sent', true, NOW)
  expect(unsent).toMatchObject({ state: 'pending', attempts: 0, nextAttemptAt: NOW })
})

it('INTENT-A7: an intent: only what waits expires, and a new order of the same value revives it', () => {
  const short = fresh({ expiresAt: NOW + 10 })
  expect(expired(short, NOW + 9)).toBe(short)
  expect(expired(sent(short, 'c', NOW), NOW + 10)).toMatchObject({ state: 'sent' })
  const over = expired(short, NOW + 10)
  expect(over).toMatchObject({ state: 'expired', expiresAt: NOW + 10 })
  expect(requested(over, { ...WANT, expiresAt: NOW + 99 }, PLACE, NOW + 20)).toMatchObject({
    state: 'pending',
    revision: 2,
  })
})

const inConflict = (isReadable = true) => {
  let intent = accepted(fresh())
  for (const waitMs of [10_000, MINUTE, 10 * MINUTE]) {
    intent = found(intent, { value: '30' }, NOW)
    expect(intent).toMatchObject({ state: 'pending', nextAttemptAt: NOW + waitMs, revision: 1 })
    expect(released(intent, NOW + 1)).toBe(intent)
    intent = accepted(intent)
  }
  if (isReadable) {
    intent = found(intent, { value: '30' }, NOW)
    expect(intent).toMatchObject({ state: 'applied', nextAttemptAt: NOW + MINUTE })
    expect(found(intent, { value: '60' }, NOW + MINUTE)).toMatchObject({ state: 'verified' })
  }
  return found(intent, { value: '30' }, NOW, { firmwareVersion: '1.0', isReadable })
}

it('CONFIG-A7: an intent: another value is set again three times a day, spaced and read once more, then it is a conflict', () => {
  const conflict = inConflict()
  expect(conflict).toMatchObject({ state: 'conflict' })
  expect(inConflict(false)).toMatchObject({ state: 'conflict' })
  expect(conflict.reason).toContain('"30"')
  expect(found(conflict, { value: '60' }, NOW)).toMatchObject({ state: 'verified' })
  expect(found(conflict, { value: '30' }, NOW + 25 * 60 * MINUTE)).toMatchObject({ state: 'pending' })
  // Of a clock that was ahead: that was no drift of today.
  expect(found(conflict, { value: '30' }, NOW - MINUTE)).toMatchObject({ state: 'pending' })
})

it('CONFIG-A7: an intent: a conflict does not begin its day anew at each boot with the same firmware', () => {
  const conflict = inConflict()
  expect(booted(conflict, '1.0', NOW + MINUTE)).toBe(conflict)
  expect(booted(conflict, '2.0', NOW + MINUTE)).toMatchObject({ state: 'pending', drifts: [] })
})

it('CONFIG-A8: an intent: what needs a restart is read back after it', () => {
  const waits = answered(sent(fresh(), 'c', NOW), 1, { outcome: 'rebootRequired' }, '1.0', NOW)
  expect(waits).toMatchObject({ state: 'rebootRequired', appliedRevision: 1 })
  expect(found(waits, { value: '30' }, NOW)).toBe(waits)
  expect(booted(waits, '1.0', NOW + 1)).toMatchObject({ state: 'applied', nextAttemptAt: NOW + 1 })
})

it('CONFIG-A5: an intent: a value that cannot be read stays accepted', () => {
  const unread = found(accepted(fresh()), 'unreadable', NOW)
  expect(unread).toMatchObject({ state: 'applied' })
  expect(unread.nextAttemptAt).toBeUndefined()
})

it.each([
  ['true', 'True', true],
  ['60', '60.0', true],
  ['A,B', 'A, B', true],
  [' 7 ', '7', true],
  ['60', '61', false],
  ['A,B', 'B,A', false],
  ['abc', 'ABC', false],
])('CONFIG-A5: an intent: %o and %o: %o', (desired, had, same) => {
  expect(sameValue(desired, had)).toBe(same)
})

it.each([
  ['A,B', 'B, A', true],
  ['A,B', 'B,A,A', false],
  ['A,B', 'A,C', false],
])('CONFIG-A5: an intent: %o and %o as lists without an order: %o', (desired, had, same) => {
  expect(sameValue(desired, had, true)).toBe(same)
})

it.each([
  ['configurationKey', 'metervaluesSampledData', undefined, 'verified'],
  ['configurationKey', 'LocalOrder', undefined, 'pending'],
  ['variable', 'TxCtrlr.TxStartPoint', 'MemberList', 'verified'],
  ['variable', 'OCPPCommCtrlr.NetworkConfigurationPriority', 'SequenceList', 'pending'],
  ['variable', 'Own.List', undefined, 'pending'],
] as const)('CONFIG-A5: an intent: %s %s (%o) in another order is %s', (kind, key, dataType, state) => {
  const driver = new Driver()
  const variable = { component: { name: 'C' }, variable: { name: key }, attribute: 'Actual' }
  driver.send({ kind: 'intentsRequested', wants: [{ kind, key, desired: 'A,B', variable }] })
  const row = { characteristics: { dataType } } as StoredVariable
  const intents = [{ kind, key, revision: 1 }]
  const unordered = isMemberList(row) ? [key] : []
  driver.send({ kind: 'intentsSent', step: 'set', intents, commandId: 'c', unordered })
  driver.send({ kind: 'intentsAnswered', intents, answers: { [key]: { outcome: 'accepted' } } })
  driver.send({ kind: 'intentsRead', intents, found: { [key]: { value: 'B, A' } } })
  expect(driver.records.all('intents')).toMatchObject([{ state }])
})

it('INTENT-A2: an intent: whatever happens in whatever order, the record stays whole', () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant('want' as const), value: fc.constantFrom('1', '2', '3') }),
    fc.record({ do: fc.constantFrom('sent', 'reading', 'released', 'expired', 'boot', 'reboot') }),
    fc.record({
      do: fc.constant('answer' as const),
      outcome: fc.constantFrom('accepted', 'rebootRequired', 'rejected', 'unsupported'),
      back: fc.integer({ min: 0, max: 1 }),
    }),
    fc.record({ do: fc.constant('fail' as const), isUnsent: fc.boolean(), read: fc.boolean() }),
    fc.record({ do: fc.constant('found' as const), value: fc.constantFrom('1', '2', 'unreadable') }),
  )
  const givenUp: readonly IntentState[] = ['rejected', 'unsupported', 'conflict']
  forAll(fc.array(step, { maxLength: 60 }), (steps) => {
    let intent = fresh({ expiresAt: NOW + 20 * MINUTE })
    steps.forEach((each, at) => {
      const now = NOW + at * MINUTE
      const before = intent
      switch (each.do) {
        case 'want':
          intent = requested(intent, { ...WANT, desired: each.value }, PLACE, now)
          break
        case 'sent':
          intent = sent(intent, 'c', now)
          break
        case 'reading':
          intent = reading(intent, now)
          break
        case 'released':
          intent = released(intent, now)
          break
        case 'expired':
          intent = expired(intent, now)
          break
        case 'boot':
          intent = booted(intent, '1.0', now)
          break
        case 'reboot':
          intent = booted(intent, `2.${at}`, now)
          break
        case 'answer':
          intent = answered(intent, intent.revision - each.back, { outcome: each.outcome }, '1.0', now)
          break
        case 'fail':
          intent = failed(intent, each.read ? 'read' : 'set', intent.revision, 'r', each.isUnsent, now)
          break
        case 'found':
          intent = found(intent, each.value === 'unreadable' ? 'unreadable' : { value: each.value }, now)
      }
      expect(INTENT_STATES).toContain(intent.state)
      expect(intent.revision).toBeGreaterThanOrEqual(before.revision)
      expect(intent.attempts).toBeGreaterThanOrEqual(0)
      if (intent.state === 'pending') expect(intent.nextAttemptAt).toBeTypeOf('number')
      if (givenUp.includes(intent.state)) expect(intent.nextAttemptAt).toBeUndefined()
      if (intent.state === 'sent') expect(before.state === 'pending' || before.state === 'sent').toBe(true)
      if (intent.state === 'verified' && before.state !== 'verified') expect(each.do).toBe('found')
      if (givenUp.includes(before.state) && intent.revision === before.revision && intent.state === 'pending') {
        expect(['reboot', 'boot', 'found']).toContain(each.do)
      }
    })
  })
})

const states = (driver: Driver) =>
  driver.records.all('intents').map(({ key, state, revision }) => [key, state, revision])

it('INTENT-A1: intents of a charge point: one for each key, in whichever case it is written', () => {
  const driver = new Driver({}, { kind: 'intentsRequested', wants: [WANT, { ...WANT, key: 'Other' }] })
  driver.send({ kind: 'intentsRequested', wants: [{ ...WANT, key: 'HEARTBEATINTERVAL', desired: '90' }] })
  expect(states(driver)).toEqual([
    ['HeartbeatInterval', 'pending', 2],
    ['Other', 'pending', 1],
  ])
  driver.send({ kind: 'intentsWithdrawn', intents: [{ kind: 'configurationKey', key: 'other' }] })
  expect(states(driver)).toHaveLength(1)
})

it('INTENT-A8: intents of a charge point: too many are refused whole', () => {
  const driver = new Driver()
  const wants = Array.from({ length: MAX_INTENTS + 1 }, (_, at) => ({ ...WANT, key: `K${at}` }))
  expect(driver.send({ kind: 'intentsRequested', wants }).outcome).toEqual({ refused: 'too_many_intents' })
  expect(states(driver)).toEqual([])
  expect(driver.send({ kind: 'intentsRequested', wants: wants.slice(1) }).outcome).toEqual({})
})

it('CONFIG-A4: intents of a charge point: what configurations want no more is withdrawn; what others want stays', () => {
  const driver = new Driver()
  const source = { configuration: 'north', rebootPolicy: 'never' } as const
  driver.send({ kind: 'intentsRequested', wants: [{ ...WANT, key: 'Own' }] })
  const wants = ['HeartbeatInterval', 'Old', 'Elsewhere'].map((key) => ({ ...WANT, key, source }))
  const among = ['HeartbeatInterval', 'old', 'Own'].map((key) => intentName({ ...WANT, key }))
  driver.send({ kind: 'configurationsSettled', wants, among: [...among, intentName({ ...WANT, key: 'Elsewhere' })] })
  driver.send({ kind: 'configurationsSettled', wants: [{ ...WANT, source }], among })
  expect(states(driver)).toEqual([
    ['Own', 'pending', 1],
    ['HeartbeatInterval', 'pending', 1],
    ['Elsewhere', 'pending', 1],
  ])
})
