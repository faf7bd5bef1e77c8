import { expect, it } from 'vitest'
import { Driver, MINUTE, ZERO } from '../../../test/support/sessions/driver.ts'
import { event } from '../../../test/support/sessions/inputs.ts'
import type { Intent, IntentAnswer, IntentInput } from '../intents/records.ts'
import type { DesiredMessage, DisplayMessage } from './records.ts'
import { difference, inLanguage, MAX_MESSAGES } from './rules.ts'

const MESSAGE: DesiredMessage = { id: 7, content: 'Hello', format: 'UTF8', priority: 'NormalCycle' }
const NAME = { kind: 'displayMessage', key: 'welcome' } as const

const want = (message: Partial<DesiredMessage> = {}): IntentInput => ({
  kind: 'intentsRequested',
  wants: [{ ...NAME, desired: { ...MESSAGE, ...message }, expiresAt: message.endAt }],
})
const sent = (revision = 1): IntentInput => ({
  kind: 'intentsSent',
  step: 'set',
  intents: [{ ...NAME, revision }],
  commandId: 'c',
})
const answer = (said: IntentAnswer, revision = 1): IntentInput => ({
  kind: 'intentsAnswered',
  intents: [{ ...NAME, revision }],
  answers: { welcome: said },
})
const lost = (revision = 1, isUnsent = false): IntentInput => ({
  kind: 'intentsFailed',
  step: 'set',
  intents: [{ ...NAME, revision }],
  reason: 'no answer',
  isUnsent,
})
const WITHDRAWN: IntentInput = { kind: 'intentsWithdrawn', intents: [NAME] }
const ACCEPTED = answer({ outcome: 'accepted' })
const REFUSED = answer({ outcome: 'rejected', reason: 'NotSupportedMessageFormat' })
const UNSUPPORTED = answer({ outcome: 'unsupported' })

const only = (driver: Driver): Intent | undefined => driver.records.all('intents')[0]
const stateOf = (driver: Driver) => only(driver)?.state

/** Those that were sent before it is asked. */
function ask(driver: Driver): number {
  driver.now += MINUTE
  driver.send({
    kind: 'reportRequested',
    calls: [{ method: 'GetDisplayMessages', request: {} }],
    needsRequestId: true,
    isWhole: false,
    isAutomatic: true,
    subject: 'displayMessages',
  })
  const id = driver.records.all('reports').at(-1)?.id ?? 0
  driver.send({ kind: 'reportAsked', id })
  driver.now += 1000
  return id
}
function page(driver: Driver, requestId: number, messages: readonly DisplayMessage[], isLast = true): void {
  driver.send({ kind: 'displayPage', requestId, isLast, messages })
}
function shown(...inputs: readonly IntentInput[]): Driver {
  const driver = new Driver()
  for (const input of inputs) driver.send(input)
  return driver
}

it.each<[string, readonly IntentInput[], boolean]>([
  ['was never sent', [], false],
  ['was refused', [sent(), REFUSED], false],
  ['is of a charge point that has no display', [sent(), UNSUPPORTED], false],
  ['was not sent after all', [sent(), lost(1, true)], false],
  ['was accepted', [sent(), ACCEPTED], true],
  ['was not answered', [sent(), lost()], true],
  ['is under way', [sent()], true],
  ['was replaced by one that was refused', [sent(), ACCEPTED, want({ content: 'X' }), sent(2), REFUSED], true],
])('DRIVER-M3: a display message that is wanted no longer: it %s', (_, inputs, isCleared) => {
  const driver = shown(want(), ...inputs, WITHDRAWN)
  expect(driver.records.all('intents').map(({ desired }) => (desired as DesiredMessage).clear)).toEqual(
    isCleared ? [true] : [],
  )
  if (isCleared) expect(only(driver)).toMatchObject({ state: 'pending', nextAttemptAt: driver.now })
})

it('DRIVER-M3: a display message that is wanted no longer: is gone once the charge point has said so, and stays wanted where it refuses', () => {
  const cleared = () => shown(want(), sent(), ACCEPTED, WITHDRAWN, sent(2))
  for (const outcome of ['accepted', 'unsupported'] as const) {
    const driver = cleared()
    driver.send(answer({ outcome }, 2))
    expect(only(driver)).toBeUndefined()
  }
  const reported = shown(want(), sent(), ACCEPTED)
  page(reported, ask(reported), [MESSAGE])
  for (const input of [WITHDRAWN, sent(2), answer({ outcome: 'accepted' }, 2)]) reported.send(input)
  expect(reported.records.all('station_messages')).toEqual([])
  const refused = cleared()
  refused.send(answer({ outcome: 'rejected', reason: 'Rejected' }, 2))
  expect(only(refused)).toMatchObject({ state: 'rejected', reason: 'Rejected' })
})

it('DRIVER-M3: a display message that is wanted no longer: an answer to the message itself does not take its clearing for done', () => {
  const driver = shown(want(), sent(), WITHDRAWN, ACCEPTED)
  expect(only(driver)).toMatchObject({ state: 'pending', appliedRevision: 1, desired: { clear: true } })
})

const accepted = (message: Partial<DesiredMessage> = {}): Driver => shown(want(message), sent(), ACCEPTED)

it('DRIVER-M4: what a display has: it is asked for once a message was accepted, and after a boot', () => {
  const driver = accepted()
  const dueAt = () => driver.records.all('device_models')[0]?.displayDueAt
  expect(dueAt()).toBe(driver.now + 2_000)
  page(driver, ask(driver), [MESSAGE])
  expect([stateOf(driver), dueAt()]).toEqual(['verified', undefined])
  driver.send({ kind: 'booted' })
  expect(dueAt()).toBeGreaterThanOrEqual(driver.now)
})

it.each<[string, readonly DisplayMessage[], string, string | undefined]>([
  ['has it', [MESSAGE], 'verified', undefined],
  ['has it with what is usual filled in', [{ ...MESSAGE, state: 'Idle', language: 'en' }], 'verified', undefined],
  ['has nothing', [], 'pending', 'the charge point has "no such message"'],
  ['has another one', [{ ...MESSAGE, id: 8 }], 'pending', 'the charge point has "no such message"'],
  ['has another text', [{ ...MESSAGE, content: 'Bye' }], 'pending', 'the charge point has "another content"'],
])('DRIVER-M4: what a display has: it %s', (_, messages, state, reason) => {
  const driver = accepted()
  page(driver, ask(driver), messages)
  expect(only(driver)).toMatchObject({ state })
  expect(only(driver)?.reason).toBe(reason)
  expect(driver.records.all('station_messages').map(({ id }) => id)).toEqual(messages.map(({ id }) => id))
})

it('DRIVER-M4: what a display has: pages count in their order, and only all of them say that something is missing', () => {
  const driver = accepted()
  page(driver, ask(driver), [MESSAGE])
  const id = ask(driver)
  page(driver, id, [{ ...MESSAGE, id: 1 }], false)
  page(driver, id, [{ ...MESSAGE, id: 2 }], false)
  expect(stateOf(driver)).toBe('verified')
  page(driver, id, [])
  expect(stateOf(driver)).toBe('pending')
  expect(driver.records.all('station_messages').map((each) => each.id)).toEqual([1, 2])
})

it('DRIVER-M4: what a display has: what was set while the pages came is not taken for missing', () => {
  const driver = shown(want())
  const id = ask(driver)
  driver.send(sent())
  driver.send(ACCEPTED)
  page(driver, id, [])
  expect(stateOf(driver)).toBe('applied')
})

it('DRIVER-M4: what a display has: what somebody else asked for adds, and takes nothing away', () => {
  const driver = accepted()
  page(driver, ask(driver), [MESSAGE])
  page(driver, 3, [{ ...MESSAGE, id: 9 }])
  expect(stateOf(driver)).toBe('verified')
  expect(driver.records.all('station_messages').map(({ id }) => id)).toEqual([7, 9])
  page(driver, 3, [{ ...MESSAGE, content: 'Bye' }])
  expect(stateOf(driver)).toBe('pending')
})

it('DRIVER-M4: what a display has: an empty answer is a whole one, a refusal leaves what was accepted', () => {
  const empty = accepted()
  empty.send({ kind: 'reportAnswered', id: ask(empty), answer: { outcome: 'empty' } })
  expect(stateOf(empty)).toBe('pending')
  const refused = accepted()
  const id = ask(refused)
  refused.send({ kind: 'reportAnswered', id, answer: { outcome: 'rejected', reason: 'Rejected' } })
  expect(only(refused)).toMatchObject({ state: 'applied', reason: 'not read back: Rejected' })
})

it('DRIVER-M4: what a display has: more than anybody reads is not kept, and nothing is taken for gone then', () => {
  const driver = accepted()
  const many = Array.from({ length: MAX_MESSAGES + 5 }, (_, nth) => ({ ...MESSAGE, id: 100 + nth }))
  page(driver, ask(driver), many)
  expect(driver.records.all('station_messages')).toHaveLength(MAX_MESSAGES)
  expect(stateOf(driver)).toBe('applied')
})

it('DRIVER-M4: what a display has: one that is to be cleared and is not there is done', () => {
  const driver = accepted()
  driver.send(WITHDRAWN)
  page(driver, ask(driver), [])
  expect(only(driver)).toBeUndefined()
})

it.each<[string, Partial<DisplayMessage>, Partial<DisplayMessage>, string | undefined]>([
  ['in case', { priority: 'InFront' }, { priority: 'infront' }, undefined],
  ['in the case of its text', { content: 'A' }, { content: 'a' }, 'content'],
  ['by less than a second', { endAt: ZERO + 999 }, { endAt: ZERO }, undefined],
  ['by minutes', { startAt: ZERO + MINUTE }, { startAt: ZERO }, 'startAt'],
  ['in its state', { state: 'Idle' }, { state: 'Charging' }, 'state'],
  ['in its charge', { transactionId: 'T1' }, { transactionId: 'T2' }, 'transactionId'],
])('DRIVER-M4: what a display has: a message that differs %s', (_, one, other, name) => {
  expect(difference({ ...MESSAGE, ...one }, { ...MESSAGE, ...other })).toBe(name)
})

const endAt = ZERO + 10 * MINUTE

it.each<[string, readonly IntentInput[]]>([
  ['waits', []],
  ['was accepted', [sent(), ACCEPTED]],
  ['was refused', [sent(), REFUSED]],
])('DRIVER-M5: a display message whose time is over: it %s, and has expired', (_, inputs) => {
  const driver = shown(want({ endAt }), ...inputs)
  driver.now = endAt - 1
  driver.send({ kind: 'tick' })
  expect(stateOf(driver)).not.toBe('expired')
  driver.now = endAt
  driver.send({ kind: 'intentsOverdue' })
  expect(only(driver)).toMatchObject({ state: 'expired' })
  expect(only(driver)?.nextAttemptAt).toBeUndefined()
  driver.send(WITHDRAWN)
  expect(only(driver)).toBeUndefined()
})

it('DRIVER-M5: a display message whose time is over: one that is being cleared then is gone, and a late answer wakes nothing', () => {
  const clearing = shown(want({ endAt }), sent(), ACCEPTED, WITHDRAWN)
  clearing.now = endAt
  clearing.send({ kind: 'tick' })
  expect(only(clearing)).toBeUndefined()
  const late = shown(want({ endAt }), sent())
  late.now = endAt
  late.send({ kind: 'tick' })
  late.send(ACCEPTED)
  expect(stateOf(late)).toBe('expired')
})

it('DRIVER-M5: a display message whose time is over: the end of its charge is its end, and that of another one is not', () => {
  const driver = new Driver()
  const places = { T1: { evseId: 1 }, T2: { evseId: 2 } }
  for (const transactionId of ['T1', 'T2'] as const)
    driver.sendAt(0, event(0, 0, 'started', { transactionId, ...places[transactionId] }))
  for (const input of [want({ transactionId: 'T1' }), sent(), ACCEPTED]) driver.send(input)
  driver.sendAt(1, event(1, 1, 'ended', { transactionId: 'T2' }))
  expect(stateOf(driver)).toBe('applied')
  driver.sendAt(2, event(1, 2, 'ended', { transactionId: 'T1' }))
  expect(stateOf(driver)).toBe('expired')
})

it.each([
  ['de', 'de'],
  ['DE-AT', 'de'],
  ['fr-CH', 'fr-CH'],
  ['fr', 'fr-CH'],
  ['nl', undefined],
])('DRIVER-M7: a driver of %s sees %s', (language, expected) => {
  const all = ['en', 'de', 'fr-CH'].map((one) => ({ content: one, language: one }))
  expect(inLanguage(all, language)?.language).toBe(expected)
})
