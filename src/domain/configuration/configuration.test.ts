import { expect, it } from 'vitest'
import { coresOfTests, type TestCore } from '../../../test/support/core/testing.ts'
import { anEvent, notifyEvent } from '../../../test/support/messages.ts'
import { aConfiguration } from '../../../test/support/records.ts'
import { ocpp16 } from '../../ocpp/v16/version.ts'
import { ocpp201 } from '../../ocpp/v201/version.ts'
import { objection } from '../device-model/objection.ts'
import type { Characteristics, StoredVariable } from '../device-model/records.ts'
import { isWithin } from '../hours.ts'
import { INTENT_KINDS } from '../intents/records.ts'
import type { IntentKind } from '../ports/blocks.ts'
import { selects } from '../selector.ts'
import { DesiredByAccount } from './desired-by-account.ts'
import type { Configuration, DesiredVariable } from './records.ts'
import { countsOf, statusOf } from './status.ts'

const desired = (name: string, value: string): DesiredVariable => ({
  component: { name: 'Ctrlr' },
  variable: { name },
  attribute: 'Actual',
  value,
})
const configuration = (change: Partial<Configuration>): Configuration => aConfiguration('c', change)

it.each([
  [{}, true],
  [{ ids: ['A', 'B'] }, true],
  [{ ids: ['B'] }, false],
  [{ labels: { site: 'north' } }, true],
  [{ labels: { site: 'north', row: '2' } }, false],
  [{ vendor: 'Acme', model: 'One', firmwareVersion: '1' }, true],
  [{ vendor: 'Acme', firmwareVersion: '2' }, false],
  [{ ids: ['A'], vendor: 'Other' }, false],
  [{ not: { ids: ['A', 'B'] } }, false],
  [{ ids: ['A'], not: { ids: ['B'] } }, true],
  [{ not: { labels: { site: 'north' } } }, false],
  [{ not: { labels: { site: 'south', row: '2' } } }, true],
  [{ not: { ids: ['B'], labels: { site: 'north' } } }, false],
  [{ not: {} }, true],
])('CONFIG-A2: %j: %o', (selector, isSelected) => {
  const station = { id: 'A', labels: { site: 'north' }, vendor: 'Acme', model: 'One', firmwareVersion: '1' }
  expect(selects(selector, station)).toBe(isSelected)
})

it('CONFIG-A4: the greater priority counts, of equal ones the later change, for each value by itself', () => {
  const keys16 = [{ key: 'K', value: '1' }]
  const all = [
    configuration({ name: 'late', updatedAt: 9, variables: [desired('A', 'late'), desired('B', 'late')] }),
    configuration({ name: 'early', updatedAt: 1, variables: [desired('a', 'early'), desired('C', 'early')] }),
    configuration({ name: 'strong', priority: 5, variables: [desired('b', 'strong')], keys16 }),
  ]
  const wishes = new DesiredByAccount()
  for (const one of all) wishes.putConfiguration(one.name, one)
  const desiredOf = (setting?: IntentKind) => {
    const names = wishes.namesFor({ id: 'CP1' }, setting, 100)
    return wishes.wantsFor({ id: 'CP1' }, setting, names)
  }
  const wants = desiredOf('variable')
  expect(Object.fromEntries(wants.map(({ key, desired: value }) => [key.toLowerCase(), value]))).toEqual({
    'ctrlr.a': 'late',
    'ctrlr.b': 'strong',
    'ctrlr.c': 'early',
  })
  expect(desiredOf('configurationKey')).toMatchObject([{ kind: 'configurationKey', key: 'K', desired: '1' }])
  expect(desiredOf()).toEqual([])
})

it.each([
  [{ mutability: 'ReadOnly' }, '1', 'read-only'],
  [{ constant: true }, '1', 'read-only'],
  [{ dataType: 'boolean' }, '1', 'true or false'],
  [{ dataType: 'boolean' }, 'True', undefined],
  [{ dataType: 'integer' }, '1.5', 'whole number'],
  [{ dataType: 'integer', minLimit: 5, maxLimit: 10 }, '4', 'at least 5'],
  [{ dataType: 'integer', minLimit: 5, maxLimit: 10 }, '11', 'at most 10'],
  [{ dataType: 'decimal' }, 'x', 'a number'],
  [{ dataType: 'string', maxLimit: 3 }, 'four', 'at most 3 characters'],
  [{ dataType: 'OptionList', valuesList: 'A, B' }, 'C', 'does not offer C'],
  [{ dataType: 'OptionList', valuesList: 'A, B' }, 'B', undefined],
  [{ dataType: 'MemberList', valuesList: 'A,B,C' }, 'A,C', undefined],
  [{ dataType: 'MemberList', valuesList: 'A,B,C' }, 'A,D', 'does not offer D'],
  [{}, 'anything', undefined],
] satisfies [Characteristics, string, string | undefined][])('CONFIG-A6: %j and %o: %s', (of, value, why) => {
  const row = { characteristics: of, gone: false } as StoredVariable
  if (why === undefined) expect(objection(row, value)).toBeUndefined()
  else expect(objection(row, value)).toContain(why)
  expect(objection(undefined, value)).toBeUndefined()
  expect(objection({ ...row, gone: true }, value)).toBeUndefined()
})

it.each([
  ['02:00', '05:00', undefined, '2026-08-03T00:30:00Z', true],
  ['02:00', '05:00', undefined, '2026-08-03T03:00:00Z', false],
  ['22:00', '05:00', undefined, '2026-08-03T20:00:00Z', true],
  ['22:00', '05:00', ['mon'], '2026-08-04T02:59:00Z', true],
  ['22:00', '05:00', ['mon'], '2026-08-03T02:59:00Z', false],
  ['02:00', '05:00', ['tue'], '2026-08-03T01:00:00Z', false],
] as const)('CONFIG-A8: %s to %s in Berlin on %o: at %s %o', (start, end, days, at, open) => {
  expect(isWithin({ start, end, timeZone: 'Europe/Berlin', days }, Date.parse(at))).toBe(open)
})

it('CONFIG-A3: as many entries and bytes as the station takes, none twice', () => {
  const intents = Array.from({ length: 7 }, (_, at) => ({
    key: `Ctrlr.V${at}`,
    desired: 'x'.repeat(50),
    variable: desired(`V${at}`, ''),
  }))
  const carried = (limits: object): number[] =>
    (ocpp201.intents.variable?.set(intents, limits) ?? []).map(({ keys }) => keys.length)
  expect(carried({ setItems: 3 })).toEqual([3, 3, 1])
  expect(carried({})).toEqual([7])
  expect(carried({ setBytes: 430 })).toEqual([2, 2, 2, 1])
  expect(carried({ setBytes: 10 })).toEqual([1, 1, 1, 1, 1, 1, 1])
  for (const { call } of ocpp201.intents.variable?.set(intents, { setItems: 3 }) ?? []) {
    expect(ocpp201.validateRequest(call.method, call.request)).toEqual([])
  }
  const keys = intents.map(({ key, desired: value }) => ({ key, desired: value }))
  const reads = ocpp16.intents.configurationKey?.readBack?.calls(keys, { maxKeys: 4 }) ?? []
  expect(reads.map(({ keys: read }) => read.length)).toEqual([4, 3])
})

it('INTENT-A11: what nobody wants an hour later is no kind of intent', () => {
  expect(INTENT_KINDS.filter((kind) => /start|unlock|reset|trigger/i.test(kind))).toEqual([])
  const monitor = { ...desired('V', ''), type: 'Delta', severity: 5, transaction: false, value: 1 }
  const wishes = [monitor, { ...monitor, clear: true }]
  const methods = [ocpp16, ocpp201].flatMap(({ intents }) =>
    Object.entries(intents).flatMap(([kind, { set }]) =>
      (kind === 'monitor' ? wishes : ['1']).flatMap((value) =>
        set([{ key: 'K', desired: value, variable: desired('V', '1'), monitorId: 7 }], {}).map(
          ({ call }) => call.method,
        ),
      ),
    ),
  )
  const settings = ['ChangeConfiguration', 'SetVariables', 'SetVariableMonitoring', 'ClearVariableMonitoring']
  expect(methods).toEqual([...settings, 'SetDisplayMessage'])
})

it('CONFIG-A11: the most urgent state speaks for a charge point', () => {
  const intent = { state: 'verified', key: 'A', updatedAt: 5 }
  const statuses = [
    statusOf('CP1', [intent, { ...intent, key: 'B', state: 'rejected', reason: 'no', updatedAt: 3 }] as never),
    statusOf('CP2', [intent] as never),
  ].flatMap((status) => status ?? [])
  expect(statuses[0]).toMatchObject({ state: 'rejected', reason: 'B: no', updatedAt: '1970-01-01T00:00:00.005Z' })
  expect(countsOf(statuses)).toEqual({ rejected: 1, verified: 1 })
  expect(statusOf('CP3', [])).toBeUndefined()
})

const startCore = coresOfTests()
const put = async (core: TestCore, change: Partial<Configuration>): Promise<void> => {
  await core.store.writes.putRecords('configurations', [configuration(change)])
  await core.core.configurationsChanged('account-1')
  await core.core.settleConfigurations({ accountId: 'account-1', chargePointIds: ['CP1'] })
}

it('CONFIG-A3, CONFIG-A6: the model’s limits count, and what it forbids is never sent', async () => {
  const { house: core, station } = await startCore.boot201('CP1')
  const reported = (component: string, name: object, value: string, more: object = {}): object => ({
    component: { name: component },
    variable: name,
    variableAttribute: [{ value }],
    ...more,
  })
  await station.call('NotifyReport', {
    requestId: 1,
    seqNo: 0,
    generatedAt: '2026-11-21T12:00:00Z',
    reportData: [
      reported('DeviceDataCtrlr', { name: 'ItemsPerMessage', instance: 'SetVariables' }, '2'),
      reported('DeviceDataCtrlr', { name: 'ItemsPerMessage', instance: 'GetReport' }, '1'),
      reported('Ctrlr', { name: 'Low' }, '1', {
        variableCharacteristics: { dataType: 'integer', maxLimit: 5, supportsMonitoring: false },
      }),
      {
        component: { name: 'Ctrlr' },
        variable: { name: 'Fixed' },
        variableAttribute: [{ mutability: 'ReadOnly', value: '1' }],
      },
    ],
  })
  await expect
    .poll(() => core.store.reads.getRecord('device_models', { chargePointId: 'CP1' }))
    .toMatchObject({ limits: { setItems: 2 }, variableCount: 4 })
  const variables = ['Low', 'Fixed', 'A', 'B', 'C'].map((name) => desired(name, '9'))
  await put(core, { variables })
  const first = await station.asked('SetVariables')
  const { setVariableData } = first[3] as { setVariableData: { component: object; variable: object }[] }
  expect(setVariableData.map(({ variable }) => variable)).toEqual([{ name: 'A' }, { name: 'B' }])
  const [a, b] = setVariableData
  station.answer(first, {
    setVariableResult: [
      { component: a?.component, variable: a?.variable, attributeStatus: 'Accepted' },
      { component: b?.component, variable: b?.variable, attributeStatus: 'UnknownVariable' },
    ],
  })
  const second = await station.asked('SetVariables', 1)
  expect((second[3] as (typeof first)[3] & { setVariableData: unknown[] }).setVariableData).toHaveLength(1)
  station.answer(second, {
    setVariableResult: [{ component: { name: 'Ctrlr' }, variable: { name: 'C' }, attributeStatus: 'RebootRequired' }],
  })
  const read = await station.asked('GetVariables')
  station.answer(read, {
    getVariableResult: [
      { component: { name: 'ctrlr' }, variable: { name: 'a' }, attributeStatus: 'Accepted', attributeValue: '9' },
    ],
  })
  await expect
    .poll(() => core.intentStates())
    .toEqual({
      'Ctrlr.Low': ['rejected', 'the charge point takes at most 5 as a value'],
      'Ctrlr.Fixed': ['rejected', 'the charge point says that it is read-only'],
      'Ctrlr.A': 'verified',
      'Ctrlr.B': ['unsupported', 'UnknownVariable'],
      'Ctrlr.C': 'rebootRequired',
    })
})

it('CONFIG-A7: a report that tells another value is drift, and it is set again', async () => {
  const { house: core, station } = await startCore.boot201('CP1')
  await put(core, { variables: [desired('A', '9')] })
  const name = { component: { name: 'Ctrlr' }, variable: { name: 'A' } }
  const obey = async (nth: number): Promise<void> => {
    station.answer(await station.asked('SetVariables', nth), {
      setVariableResult: [{ ...name, attributeStatus: 'Accepted' }],
    })
    station.answer(await station.asked('GetVariables', nth), {
      getVariableResult: [{ ...name, attributeStatus: 'Accepted', attributeValue: '9' }],
    })
    await expect.poll(() => core.intentStates()).toEqual({ 'Ctrlr.A': 'verified' })
  }
  await obey(0)
  core.clock.advance(1000)
  await station.call('NotifyEvent', notifyEvent([anEvent(1, { trigger: 'Delta', actualValue: '3', ...name })]))
  await expect.poll(() => core.intentStates()).toMatchObject({ 'Ctrlr.A': ['pending', 'the charge point has "3"'] })
  core.clock.advance(10_000)
  await obey(1)
})

it('CONFIG-A4: one that is meant no longer has it withdrawn; a boot with other firmware is looked at anew', async () => {
  const { house: core, station } = await startCore.boot201('CP1')
  await put(core, { selector: { firmwareVersion: '2' }, variables: [desired('A', '9')] })
  expect(await core.intentStates()).toEqual({})
  const boot = (firmwareVersion: string) =>
    station.call('BootNotification', {
      reason: 'PowerUp',
      chargingStation: { vendorName: 'Acme', model: 'Two', firmwareVersion },
    })
  await boot('2')
  await station.asked('SetVariables')
  await boot('3')
  await expect.poll(() => core.intentStates()).toEqual({})
})
