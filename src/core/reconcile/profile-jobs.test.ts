import { expect, it } from 'vitest'
import { BOOT, coresOfTests, type TestCore } from '../../../test/support/core/testing.ts'
import { aChargePoint } from '../../../test/support/storage-contract/records.ts'
import { hashPassword } from '../../ocpp/credentials.ts'

const PASSWORD = 'correct-horse-battery'
const AUTHORIZATION = `Basic ${Buffer.from(`CP1:${PASSWORD}`).toString('base64')}`

const STEPS = {
  'ocpp1.6': ['setSecurityProfile', 'reset'],
  'ocpp2.0.1': ['setNetworkProfile', 'setPriority', 'reset'],
} as const

const core = coresOfTests({ settings: { csmsUrl: 'wss://example.com/ocpp' } })

async function registered(securityProfile: 1 | 3 = 1) {
  const house = await core()
  await house.store.writes.createChargePoint(
    aChargePoint({
      accountId: 'account-1',
      securityProfile,
      passwordHash: hashPassword(PASSWORD, Buffer.alloc(32, 7), Buffer.alloc(16)),
      createdAt: 0,
    }),
  )
  return house
}

async function started(protocol: 'ocpp1.6' | 'ocpp2.0.1') {
  const house = await registered()
  const station = await house.connect('CP1', protocol, AUTHORIZATION)
  await station.call('BootNotification', BOOT[protocol])
  const input = { kind: 'profileRequested', id: 'j1', securityProfile: 2, steps: STEPS[protocol], present: 1 } as const
  const order = { accountId: 'account-1', chargePointId: 'CP1', input }
  expect(await house.core.decideBlock(order)).toEqual({})
  return { house, station, order }
}

const job = ({ store }: TestCore) => store.reads.getRecord('security_profile_jobs', { chargePointId: 'CP1', id: 'j1' })

const requested = ({ store }: TestCore) =>
  store.reads.getRecord('intents', { chargePointId: 'CP1', kind: 'securityProfile', key: 'SecurityProfile' })

it('CERT-C25, INTENT-A13: OCPP 2.0.1: network profile, priority, reset when idle, seen', async () => {
  const { house, station, order } = await started('ocpp2.0.1')
  expect(await house.core.decideBlock(order)).toMatchObject({ refused: true, code: 'job_running' })
  expect(await station.answered('SetNetworkProfile', { status: 'Accepted' })).toMatchObject({
    configurationSlot: 2,
    connectionData: { securityProfile: 2, ocppCsmsUrl: 'wss://example.com/ocpp' },
  })
  const set = { component: { name: 'OCPPCommCtrlr' }, variable: { name: 'NetworkConfigurationPriority' } }
  const setVariableResult = [{ ...set, attributeStatus: 'RebootRequired' }]
  await station.answered('SetVariables', { setVariableResult })
  expect(await station.answered('Reset', { status: 'Scheduled' })).toEqual({ type: 'OnIdle' })
  await station.call('Heartbeat', {})
  expect(await job(house)).toMatchObject({ state: 'running', step: 'seen' })
  const asked = { identity: 'CP1', offered: ['ocpp2.0.1'], remoteAddress: '127.0.0.1', authorization: AUTHORIZATION }
  expect(await house.core.admit({ ...asked, secure: true })).toMatchObject({ ok: true })
  expect(await job(house)).toMatchObject({ state: 'done', step: 'seen' })
  expect(await requested(house)).toMatchObject({ desired: 2, state: 'verified', revision: 1 })
  expect(await house.core.admit({ ...asked, secure: false })).toMatchObject({ ok: false, status: 403 })
})

const controller = { name: 'OCPPCommCtrlr' }
function reported(name: string, component: object, value: string, valuesList?: string, mutability?: string) {
  return {
    component,
    variable: { name },
    variableAttribute: [{ value, ...(mutability && { mutability }) }],
    variableCharacteristics: { dataType: 'SequenceList', supportsMonitoring: false, ...(valuesList && { valuesList }) },
  }
}

it.each([
  ['1,3', '1,2,3', '1', 'Wireless0', { slot: 2, ocppInterface: 'Wireless0', value: '2,1,3' }],
  ['2', '2', '2', '', { slot: 1, ocppInterface: 'Wired0', value: '1,2' }],
  // It named an interface that the schema does not have, and was sent it.
  ['0,5', '', '5', 'Any', { slot: 0, ocppInterface: 'Wired0', value: '0,5' }],
  ['nonsense,-1,99999', '', 'x', 'Any', { slot: 2, ocppInterface: 'Wired0', value: '2,1' }],
])('CERT-C26: the priority %o of %o, on slot %o', async (priority, offered, active, device, expected) => {
  const house = await registered()
  const station = await house.connect('CP1', 'ocpp2.0.1', AUTHORIZATION)
  await station.call('BootNotification', BOOT['ocpp2.0.1'])
  await station.call('NotifyReport', {
    requestId: 1,
    seqNo: 0,
    generatedAt: '2026-11-21T12:00:00Z',
    reportData: [
      reported('NetworkConfigurationPriority', controller, priority, offered),
      reported('ActiveNetworkProfile', controller, active),
      reported('OcppInterface', { name: 'NetworkConfiguration', instance: active }, device),
    ],
  })
  const known = () => house.store.reads.getRecord('device_models', { chargePointId: 'CP1' })
  await expect.poll(known).toMatchObject({ variableCount: 3 })
  const input = {
    kind: 'profileRequested',
    id: 'j1',
    securityProfile: 2,
    steps: STEPS['ocpp2.0.1'],
    present: 1,
  } as const
  await house.core.decideBlock({ accountId: 'account-1', chargePointId: 'CP1', input })
  expect(await station.answered('SetNetworkProfile', { status: 'Accepted' })).toMatchObject({
    configurationSlot: expected.slot,
    connectionData: { ocppInterface: expected.ocppInterface },
  })
  const { setVariableData } = (await station.answered('SetVariables', {})) as { setVariableData: object[] }
  expect(setVariableData).toMatchObject([{ attributeValue: expected.value }])
})

it('CERT-C25: a boot on the former profile after the reset ends it; a triggered one and one while it charges do not', async () => {
  const { house, station } = await started('ocpp1.6')
  await station.answered('ChangeConfiguration', { status: 'Accepted' })
  await station.call('BootNotification', BOOT['ocpp1.6'])
  expect(await job(house)).toMatchObject({ state: 'running', step: 'seen' })
  house.clock.advance(5000)
  const back = await house.connect('CP1', 'ocpp1.6', AUTHORIZATION)
  const timestamp = new Date(house.clock.now()).toISOString()
  const begun = await back.call('StartTransaction', { connectorId: 1, idTag: 'TAG', meterStart: 0, timestamp })
  await back.call('BootNotification', BOOT['ocpp1.6'])
  expect(await job(house)).toMatchObject({ state: 'running', step: 'seen' })
  const { transactionId } = begun[2] as { readonly transactionId: number }
  await back.call('StopTransaction', { transactionId, meterStop: 0, timestamp })
  await back.call('BootNotification', BOOT['ocpp1.6'])
  const failed = { state: 'failed', step: 'seen', reason: 'it came back on its former profile' }
  expect(await job(house)).toMatchObject(failed)
})

it.each(['Accepted', 'Scheduled'] as const)('CERT-C25: after %s it comes back on the new profile', async (status) => {
  const { house, station } = await started('ocpp2.0.1')
  await station.answered('SetNetworkProfile', { status: 'Accepted' })
  const set = { component: { name: 'OCPPCommCtrlr' }, variable: { name: 'NetworkConfigurationPriority' } }
  await station.answered('SetVariables', { setVariableResult: [{ ...set, attributeStatus: 'Accepted' }] })
  await station.answered('Reset', { status })
  await expect.poll(() => job(house)).toMatchObject({ state: 'running', step: 'seen' })
  house.core.closed(station.connection)
  house.clock.advance(5000)
  if (status === 'Scheduled') {
    const before = await house.connect('CP1', 'ocpp2.0.1', AUTHORIZATION)
    await before.call('BootNotification', BOOT['ocpp2.0.1'])
    house.core.closed(before.connection)
    house.clock.advance(5000)
  }
  const asked = { identity: 'CP1', offered: ['ocpp2.0.1'], remoteAddress: '127.0.0.1', authorization: AUTHORIZATION }
  expect(await house.core.admit({ ...asked, secure: true })).toMatchObject({ ok: true })
  expect(await job(house)).toMatchObject({ state: 'done', step: 'seen' })
})

it('CERT-C25: what waits of one that was cancelled is not sent', async () => {
  const { house, station, order } = await started('ocpp2.0.1')
  await station.asked('SetNetworkProfile')
  house.core.closed(station.connection)
  const input = { kind: 'profileCancelled', id: 'j1' } as const
  expect(await house.core.decideBlock({ ...order, input })).toEqual({})
  const back = await house.connect('CP1', 'ocpp2.0.1', AUTHORIZATION)
  await back.call('BootNotification', BOOT['ocpp2.0.1'])
  await back.call('Heartbeat', {})
  expect(back.frames.filter((frame) => frame[2] === 'SetNetworkProfile')).toEqual([])
  expect(await job(house)).toMatchObject({ state: 'cancelled' })
})

it('CERT-C25: a refused step ends it, and names the step', async () => {
  const { house, station } = await started('ocpp2.0.1')
  await station.answered('SetNetworkProfile', { status: 'Rejected' })
  await station.call('Heartbeat', {})
  const failed = { state: 'failed', step: 'setNetworkProfile', reason: 'the charge point refused it' }
  expect(await job(house)).toMatchObject(failed)
  expect(await requested(house)).toMatchObject({ state: 'rejected', reason: `${failed.step}: ${failed.reason}` })
  expect(station.frames.filter((frame) => frame[0] === 2)).toHaveLength(1)
})

it('CERT-C25: only a higher profile is one to move to', async () => {
  const { house, order } = await started('ocpp1.6')
  const input = { ...order.input, id: 'j2', present: 2 }
  expect(await house.core.decideBlock({ ...order, input })).toMatchObject({ code: 'profile_not_higher' })
})

const ACCEPTED = { status: 'Accepted' }
type Values = { setVariableData: { component: { name: string }; variable: { name: string }; attributeValue: string }[] }
const all = ({ setVariableData }: Values) => ({
  setVariableResult: setVariableData.map(({ component, variable }) => ({
    component,
    variable,
    attributeStatus: 'Accepted',
  })),
})
const valuesOf = ({ setVariableData }: Values) =>
  setVariableData.map(({ component, variable, attributeValue }) => [
    'instance' in component ? `${component.name}[${component.instance}]` : component.name,
    variable.name,
    attributeValue,
  ])
const PRIORITY = ['OCPPCommCtrlr', 'NetworkConfigurationPriority']
const slot = (number: number, mutability?: string) =>
  ['OcppCsmsUrl', 'SecurityProfile'].map((name) =>
    reported(name, { name: 'NetworkConfiguration', instance: String(number) }, '', undefined, mutability),
  )

/** Takes each step that is a SetVariables, as the model says, and returns them all. */
async function stepsOf(priority: string, offered: string, variables: readonly object[], limit?: string) {
  const house = await registered()
  const station = await house.connect('CP1', 'ocpp2.1', AUTHORIZATION)
  await station.call('BootNotification', BOOT['ocpp2.1'])
  const items = { name: 'ItemsPerMessage', instance: 'SetVariables' }
  const reportData = [
    reported('NetworkConfigurationPriority', controller, priority, offered),
    reported('ActiveNetworkProfile', controller, '1'),
    ...variables,
    ...(limit ? [{ ...reported('', { name: 'DeviceDataCtrlr' }, limit), variable: items }] : []),
  ]
  await station.call('NotifyReport', { requestId: 1, seqNo: 0, generatedAt: '2026-11-21T12:00:00Z', reportData })
  const known = () => house.store.reads.getRecord('device_models', { chargePointId: 'CP1' })
  await expect.poll(known).toMatchObject({ variableCount: reportData.length })
  const steps = ['freeSlot', 'setNetworkProfile', 'setPriority', 'reset'] as const
  const input = { kind: 'profileRequested', id: 'j1', securityProfile: 2, steps, present: 1 } as const
  await house.core.decideBlock({ accountId: 'account-1', chargePointId: 'CP1', input })
  return { house, station }
}

it.each([
  ['a slot outside the priority', '1,2', '1,2,3', slot(3), 3, '3,1,2'],
  ['a slot of the priority, which is taken out of it first', '1,2', '1,2', slot(2), 2, '2,1'],
  ['the slot that an earlier step put first', '2,1', '1,2,3', slot(2), 2, '2,1'],
])('OCPP21-B10: OCPP 2.1 sets the variables of %s', async (_, priority, offered, variables, number, after) => {
  const { station } = await stepsOf(priority, offered, variables)
  const sent: unknown[] = []
  const next = async () => {
    const call = await station.asked('SetVariables', sent.length)
    station.answer(call, all(call[3] as Values))
    sent.push(...[valuesOf(call[3] as Values)])
  }
  const isFreed = priority.split(',').includes(String(number))
  for (let at = 0; at < (isFreed ? 3 : 2); at++) await next()
  expect(sent).toEqual([
    ...(isFreed ? [[[...PRIORITY, '1']]] : []),
    [
      [`NetworkConfiguration[${number}]`, 'OcppCsmsUrl', 'wss://example.com/ocpp'],
      [`NetworkConfiguration[${number}]`, 'SecurityProfile', '2'],
    ],
    [[...PRIORITY, after]],
  ])
  expect(await station.answered('Reset', ACCEPTED)).toEqual({ type: 'OnIdle' })
  expect(station.frames.filter((frame) => frame[2] === 'SetNetworkProfile')).toEqual([])
})

it.each([
  ['are not reported', [], undefined],
  ['cannot be set', slot(2, 'ReadOnly'), undefined],
  ['are more than it takes at once', slot(2), '1'],
] as const)('OCPP21-B10: OCPP 2.1 is sent SetNetworkProfile where the variables %s', async (_, variables, limit) => {
  const { station, house } = await stepsOf('1', '1,2', variables, limit)
  expect(await station.answered('SetNetworkProfile', ACCEPTED)).toMatchObject({ configurationSlot: 2 })
  await station.asked('SetVariables')
  expect(await job(house)).toMatchObject({ step: 'setPriority' })
})

it('OCPP21-B10: a variable that is refused ends the job', async () => {
  const { station, house } = await stepsOf('1', '1,2', slot(2))
  const attributeStatusInfo = { reasonCode: 'NoSecurityDowngrade' }
  const { setVariableResult } = all((await station.asked('SetVariables'))[3] as Values)
  const [first, second] = setVariableResult
  await station.answered('SetVariables', {
    setVariableResult: [first, { ...second, attributeStatus: 'Rejected', attributeStatusInfo }],
  })
  await station.call('Heartbeat', {})
  expect(await job(house)).toMatchObject({ state: 'failed', step: 'setNetworkProfile' })
})

it('OCPP21-B10: from profile 3 back to 2: the password counts once everything else was sent', async () => {
  const house = await registered(3)
  const order = { accountId: 'account-1', chargePointId: 'CP1' }
  const steps = ['setNetworkProfile', 'setPriority', 'reset'] as const
  const asked = { kind: 'profileRequested', id: 'j1', securityProfile: 2, steps, present: 3 } as const
  const login = { identity: 'CP1', offered: ['ocpp2.1'], remoteAddress: '127.0.0.1', authorization: AUTHORIZATION }
  const admitted = (secure = true) => house.core.admit({ ...login, secure })
  await house.core.decideBlock({ ...order, input: { ...asked, mayLower: true } })
  for (const [step, next] of [steps.slice(0, 2), steps.slice(1)]) {
    expect(await admitted()).toMatchObject({ ok: false, status: 403 })
    if (step && next)
      await house.core.decideBlock({ ...order, input: { kind: 'profileStepDone', id: 'j1', step, next } })
  }
  expect(await admitted(false)).toMatchObject({ ok: false, status: 403 })
  expect(await house.core.admit({ ...login, secure: true, authorization: undefined })).toMatchObject({ ok: false })
  expect(await admitted()).toMatchObject({ ok: true })
  expect(await job(house)).toMatchObject({ state: 'done', step: 'seen' })
  expect(await house.store.reads.findChargePoint('CP1')).toMatchObject({ securityProfile: 2 })
})
