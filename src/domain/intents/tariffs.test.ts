import { expect, it } from 'vitest'
import { Driver } from '../../../test/support/sessions/driver.ts'
import type { FrozenTariff } from '../ports/sessions.ts'
import type { DesiredTariff, Intent, IntentAnswer, IntentInput } from './records.ts'
import { booted } from './states.ts'
import { desiredTariffs, tariffObjection } from './tariffs.ts'

const TARIFF: FrozenTariff = {
  tariffId: 'tar_1',
  version: 1,
  currency: 'EUR',
  perKwhMicros: 490_000,
  perMinuteMicros: 0,
  perSessionMicros: 0,
  idlePerMinuteMicros: 0,
}
const KEEPS = { tariffAvailable: 1, tariffEnabled: 1 }
const [WANT] = desiredTariffs(TARIFF, KEEPS, [])?.wants ?? []
const NAME = { kind: 'tariff', key: 'tar_1-1' } as const

const sent = (step: 'set' | 'read' = 'set', revision = 1): IntentInput => {
  return { kind: 'intentsSent', step, intents: [{ ...NAME, revision }], commandId: 'c' }
}
const answer = (said: IntentAnswer, revision = 1): IntentInput => {
  return { kind: 'intentsAnswered', intents: [{ ...NAME, revision }], answers: { [NAME.key]: said } }
}
const lost: IntentInput = {
  kind: 'intentsFailed',
  step: 'set',
  intents: [{ ...NAME, revision: 1 }],
  reason: 'no answer',
  isUnsent: false,
}
const read = (value: string): IntentInput => {
  return { kind: 'intentsRead', intents: [{ ...NAME, revision: 1 }], found: { [NAME.key]: { value } } }
}
const REQUESTED: IntentInput = { kind: 'intentsRequested', wants: WANT ? [WANT] : [] }
const WITHDRAWN: IntentInput = { kind: 'intentsWithdrawn', intents: [NAME] }
const ACCEPTED = answer({ outcome: 'accepted' })
const DUPLICATE = answer({ outcome: 'rejected', reason: 'DuplicateTariffId', isDuplicate: true })

function after(...inputs: readonly IntentInput[]): Intent | undefined {
  const driver = new Driver()
  for (const input of inputs) {
    driver.now += 3_600_000
    driver.send(input)
  }
  return driver.records.all('intents')[0]
}

it.each<readonly [string, readonly IntentInput[], Partial<Intent>]>([
  ['accepted is read back', [sent(), ACCEPTED], { state: 'applied', appliedRevision: 1 }],
  ['read back under its id is there', [sent(), ACCEPTED, sent('read'), read(NAME.key)], { state: 'verified' }],
  ['not found is set again', [sent(), ACCEPTED, sent('read'), read('none of ours')], { state: 'pending' }],
  ['known under its id at once is foreign', [sent(), DUPLICATE], { state: 'rejected', reason: 'DuplicateTariffId' }],
  ['known after a lost answer is ours', [sent(), lost, sent(), DUPLICATE], { state: 'applied' }],
  [
    'known when it is set again is ours',
    [sent(), ACCEPTED, read('none of ours'), sent(), DUPLICATE],
    { state: 'applied' },
  ],
])('OCPP21-C4: a tariff that is %s', (_, inputs, expected) => {
  expect(after(REQUESTED, ...inputs)).toMatchObject(expected)
})

it.each<readonly [string, readonly IntentInput[], Partial<Intent> | undefined]>([
  ['was never sent is forgotten', [WITHDRAWN], undefined],
  ['was refused is forgotten', [sent(), answer({ outcome: 'rejected' }), WITHDRAWN], undefined],
  ['may be there is cleared', [sent(), lost, WITHDRAWN], { state: 'pending', revision: 2 }],
  [
    'was cleared is forgotten',
    [sent(), ACCEPTED, WITHDRAWN, sent('set', 2), answer({ outcome: 'accepted' }, 2)],
    undefined,
  ],
  [
    'stays is shown',
    [sent(), ACCEPTED, WITHDRAWN, sent('set', 2), answer({ outcome: 'rejected', reason: 'Rejected' }, 2)],
    { state: 'rejected', reason: 'Rejected' },
  ],
])('OCPP21-C4: a tariff that is no longer desired and %s', (_, inputs, expected) => {
  const intent = after(REQUESTED, ...inputs)
  if (!expected) return expect(intent).toBeUndefined()
  expect(intent).toMatchObject({ ...expected, desired: { clear: true } })
})

it('OCPP21-C4: a restart asks whether the tariff was kept', () => {
  const verified = after(REQUESTED, sent(), ACCEPTED, sent('read'), read(NAME.key)) as Intent
  expect(booted(verified, '1.0', verified.updatedAt + 5)).toMatchObject({
    state: 'applied',
    nextAttemptAt: verified.updatedAt + 5,
  })
})

it('OCPP21-C4: what is desired follows the tariff, and what is desired already stays', () => {
  const known = after(REQUESTED) as Intent
  expect(desiredTariffs(TARIFF, KEEPS, [known])).toBeUndefined()
  expect(desiredTariffs(undefined, {}, [])).toBeUndefined()
  const next = desiredTariffs({ ...TARIFF, version: 2 }, KEEPS, [known])
  expect(next?.wants.map(({ key }) => key)).toEqual(['tar_1-2'])
  expect(next?.withdrawn).toEqual([known])
  for (const nothing of [desiredTariffs(undefined, KEEPS, [known]), desiredTariffs(TARIFF, {}, [known])]) {
    expect(nothing).toEqual({ wants: [], withdrawn: [known] })
  }
  const clearing = { ...known, desired: { ...(known.desired as DesiredTariff), clear: true } }
  expect(desiredTariffs(undefined, KEEPS, [clearing])).toBeUndefined()
  expect(desiredTariffs(TARIFF, KEEPS, [clearing])?.wants).toEqual([WANT])
})

it.each([
  [undefined, undefined],
  ['EUR', undefined],
  ['USD', 'the charge point calculates in USD, and the tariff is in EUR'],
])('OCPP21-C4: a station that calculates in %s', (tariffCurrency, expected) => {
  const [want] = desiredTariffs(TARIFF, { ...KEEPS, tariffCurrency }, [])?.wants ?? []
  const desired = want?.desired as DesiredTariff
  expect(tariffObjection(desired)).toBe(expected)
  expect(tariffObjection({ ...desired, clear: true })).toBeUndefined()
})
