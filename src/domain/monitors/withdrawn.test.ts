import { expect, it } from 'vitest'
import { Driver } from '../../../test/support/sessions/driver.ts'
import type { Intent, IntentAnswer, IntentInput } from '../intents/records.ts'
import { type Monitor, monitorKey, type ReportedMonitor } from './records.ts'

const MONITOR: Monitor = {
  component: { name: 'EVSE', evseId: 1 },
  variable: { name: 'Power' },
  type: 'UpperThreshold',
  value: 80,
  severity: 5,
  transaction: false,
}
const KEY = monitorKey(MONITOR)
const WANT = { kind: 'monitor', key: KEY, desired: MONITOR } as const
const SENT: IntentInput = { kind: 'intentsSent', step: 'set', intents: [carried(1)], commandId: 'c' }
const LOST = failed('no answer', false)
const UNSENT = failed('it was not sent', true)

function carried(revision: number) {
  return { kind: 'monitor', key: KEY, revision } as const
}
function failed(reason: string, isUnsent: boolean): IntentInput {
  return { kind: 'intentsFailed', step: 'set', intents: [carried(1)], reason, isUnsent }
}
const answer = (said: IntentAnswer): IntentInput => ({
  kind: 'intentsAnswered',
  intents: [carried(1)],
  answers: { [KEY]: said },
})
const ACCEPTED = answer({ outcome: 'accepted', monitorId: 11 })
const WITHOUT_NUMBER = answer({ outcome: 'accepted' })
const REFUSED = answer({ outcome: 'rejected', reason: 'Rejected' })
const DUPLICATE = answer({ outcome: 'rejected', reason: 'Duplicate', isDuplicate: true })
const WITHDRAWN: IntentInput = { kind: 'intentsWithdrawn', intents: [{ kind: 'monitor', key: KEY }] }
const CHANGED: IntentInput = { kind: 'intentsRequested', wants: [{ ...WANT, desired: { ...MONITOR, value: 90 } }] }

/** A report of all monitors, whole with these. */
function report(driver: Driver, reported: readonly ReportedMonitor[]): void {
  driver.now += 60_000
  driver.send({
    kind: 'reportRequested',
    calls: [{ method: 'GetMonitoringReport', request: {} }],
    needsRequestId: true,
    isWhole: false,
    isAutomatic: true,
    subject: 'monitors',
  })
  const id = driver.records.all('reports').at(-1)?.id ?? 0
  driver.send({ kind: 'reportAsked', id })
  driver.send({ kind: 'monitorPage', requestId: id, sequence: 0, isLast: true, monitors: reported })
}

const reported = (value: number): ReportedMonitor => ({ ...MONITOR, id: 11, value })
const left = (driver: Driver) => driver.records.all('intents').map(({ desired }) => (desired as { clear?: true }).clear)
const isAsked = (driver: Driver) => driver.records.all('device_models').some(({ monitorsDueAt }) => monitorsDueAt)
const ours = (driver: Driver) => driver.records.all('station_monitors').filter(({ isOurs }) => isOurs)

it.each<[string, readonly IntentInput[], 'forgotten' | 'cleared' | 'asked for']>([
  ['was never sent', [WITHDRAWN], 'forgotten'],
  ['was refused', [SENT, REFUSED, WITHDRAWN], 'forgotten'],
  ['was ordered and not sent', [SENT, UNSENT, WITHDRAWN], 'forgotten'],
  ['is known by its number', [SENT, ACCEPTED, WITHDRAWN], 'cleared'],
  ['was accepted without a number', [SENT, WITHOUT_NUMBER, WITHDRAWN], 'asked for'],
  ['was not answered', [SENT, LOST, WITHDRAWN], 'asked for'],
  ['was not answered, and wanted otherwise since', [SENT, LOST, CHANGED, WITHDRAWN], 'asked for'],
  ['is answered late', [SENT, LOST, WITHDRAWN, ACCEPTED], 'cleared'],
  ['is answered after that', [SENT, WITHDRAWN, ACCEPTED], 'cleared'],
  ['is answered after that without a number', [SENT, WITHDRAWN, WITHOUT_NUMBER], 'asked for'],
  ['is refused after that', [SENT, WITHDRAWN, REFUSED], 'forgotten'],
  ['is called a duplicate after that', [SENT, WITHDRAWN, DUPLICATE], 'asked for'],
  ['is not answered after that', [SENT, WITHDRAWN, LOST], 'asked for'],
  ['is not sent after that', [SENT, WITHDRAWN, UNSENT], 'forgotten'],
  ['is named by no result after that', [SENT, WITHDRAWN, { ...ACCEPTED, answers: {} } as IntentInput], 'asked for'],
])('MONITOR-A9: it %s', (_, inputs, becomes) => {
  const driver = new Driver({}, { kind: 'intentsRequested', wants: [WANT] })
  for (const input of inputs) driver.send(input)
  expect(left(driver)).toEqual(becomes === 'forgotten' ? [] : [true])
  expect(ours(driver)).toHaveLength(becomes === 'cleared' ? 1 : 0)
  if (becomes === 'asked for') expect(isAsked(driver)).toBe(true)
})

it.each<[string, readonly ReportedMonitor[], 'forgotten' | 'cleared']>([
  ['has it', [reported(80)], 'cleared'],
  ['does not have it', [], 'forgotten'],
  ['has one like it with another value, which is not ours', [reported(33)], 'forgotten'],
])('MONITOR-A9: the charge point %s', (_, monitors, becomes) => {
  const driver = new Driver({}, { kind: 'intentsRequested', wants: [WANT] })
  for (const input of [SENT, LOST, WITHDRAWN]) driver.send(input)
  report(driver, monitors)
  expect(left(driver)).toEqual(becomes === 'forgotten' ? [] : [true])
  expect(ours(driver).map(({ id }) => id)).toEqual(becomes === 'cleared' ? [11] : [])
  const [clear] = driver.records.all('intents') as readonly Intent[]
  if (clear) expect(clear).toMatchObject({ state: 'pending', nextAttemptAt: driver.now })
})
