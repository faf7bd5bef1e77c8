import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { coresOfTests, type TestCore, type TestStation } from '../../../test/support/core/testing.ts'
import { anEvent, notifyEvent } from '../../../test/support/messages.ts'
import { forAll } from '../../../test/support/property.ts'
import type { CoreStore } from '../ports/storage.ts'
import { isWhole, withPage } from './following.ts'
import type { SequenceRange } from './records.ts'
import { namesSecret, nameText, variableKey, withoutSecret } from './variable-names.ts'

const KEY = { accountId: 'account-1', chargePointId: 'CP1' }
const SETTINGS = { asksForReports: true, mostVariables: 50_000 }

const variable = (name: string, value: string, more: object = {}, attribute: object = {}): object => ({
  component: { name: 'Ctrlr' },
  variable: { name },
  variableAttribute: [{ value, ...attribute }],
  ...more,
})
const page = (requestId: unknown, seqNo: number, tbc: boolean, reportData: readonly object[]): object => ({
  requestId,
  generatedAt: '2026-11-21T12:00:00Z',
  seqNo,
  tbc,
  reportData,
})

const rows = ({ store }: TestCore) =>
  store.reads.listRecords('variables', { where: { chargePointId: 'CP1' }, limit: 500 })
const valuesOf = async (core: TestCore) =>
  Object.fromEntries((await rows(core)).map(({ key, value, gone }) => [key, gone ? 'gone' : value]))
const reportOf = async ({ store }: TestCore, id: number) => store.reads.getRecord('reports', { ...KEY, id })

async function untilReport(core: TestCore, id: number, state: string): Promise<void> {
  await expect.poll(async () => (await reportOf(core, id))?.state, { interval: 5 }).toBe(state)
}

async function order(core: TestCore, ask: object): Promise<number> {
  const ordered = await core.core.orderReport({ ...KEY, ask })
  if ('refused' in ordered) throw new Error(ordered.detail)
  return ordered.id
}

/** Ordered, and accepted by the station. */
async function fullReport(core: TestCore, station: TestStation, nth = 0): Promise<number> {
  const id = await order(core, { base: 'FullInventory' })
  await station.answered('GetBaseReport', { status: 'Accepted' }, nth)
  return id
}

it.each([
  [{ component: { name: 'Clock' }, variable: { name: 'Now' }, attribute: 'Actual' }, 'Clock.Now'],
  [
    {
      component: { name: 'C', instance: 'a', evseId: 1 },
      variable: { name: 'V', instance: 'b' },
      attribute: 'Target',
    },
    '/1/C[a].V[b]#Target',
  ],
  [
    { component: { name: 'Connector', evseId: 1, connectorId: 2 }, variable: { name: 'X' }, attribute: 'Actual' },
    '/1/2/Connector.X',
  ],
])('DEVICE-A1: %o is %s', (name, text) => {
  expect(nameText(name)).toBe(text)
  expect(variableKey(name)).toBe(text.toLowerCase())
})

it.each([
  ['AuthorizationKey', true],
  ['wifi_password', true],
  ['SimPin', true],
  ['APIToken', true],
  ['vendorSecret2', true],
  ['PinCodeLength', false],
  ['PasswordMinLength', false],
  ['ApiKeyRotationEnabled', false],
  ['TokenType', false],
  ['PinCode', true],
  ['LengthPin', true],
  ['PublicKey', false],
  ['MeterPublicKey1', false],
  ['GetConfigurationMaxKeys', false],
  ['PingInterval', false],
  ['Monkeys', false],
])('DEVICE-A7: %s is a secret: %o', (name, isSecret) => {
  expect(namesSecret(name)).toBe(isSecret)
})

it('DEVICE-A7: a write-only value is hidden whatever its name', () => {
  const reported = { component: { name: 'C' }, variable: { name: 'V' }, attribute: 'Actual', value: 'x' }
  expect(withoutSecret({ ...reported, mutability: 'WriteOnly' }).value).toBe('***')
  expect(withoutSecret({ ...reported, mutability: 'WriteOnly', dataType: 'boolean' }).value).toBe('***')
  expect(withoutSecret(reported)).toBe(reported)
})

it('DEVICE-A7: a boolean, a time or a choice is no secret, whatever word its name has; a number may be one', () => {
  const reported = { component: { name: 'C' }, variable: { name: 'DisplayPin' }, attribute: 'Actual', value: 'true' }
  expect(withoutSecret({ ...reported, dataType: 'Boolean' }).value).toBe('true')
  expect(withoutSecret({ ...reported, dataType: 'OptionList' }).value).toBe('true')
  expect(withoutSecret({ ...reported, dataType: 'integer' }).value).toBe('***')
  expect(withoutSecret(reported).value).toBe('***')
})

it('DEVICE-A2: the pages of a report: in any order and with repetitions they are whole exactly when all came', () => {
  forAll(fc.integer({ min: 1, max: 40 }), fc.infiniteStream(fc.nat({ max: 39 })), (pages, order) => {
    let seen: readonly SequenceRange[] = []
    const came = new Set<number>()
    for (const next of order.take(120)) {
      if (next >= pages) continue
      const after = withPage(seen, next)
      if (came.has(next)) expect(after).toBe(seen)
      came.add(next)
      seen = after ?? seen
      expect(isWhole(seen, pages - 1)).toBe(came.size === pages)
    }
  })
})

it('DEVICE-A9: the pages of a report: a page that cannot be counted is none', () => {
  expect(withPage([], -1)).toBeUndefined()
  expect(withPage([], 10_000)).toBeUndefined()
  expect(withPage([], 1.5)).toBeUndefined()
})

const startCore = coresOfTests({ settings: SETTINGS })

it('DEVICE-A2, DEVICE-A5: the device model: asked for after the first boot, complete in any order, and what it left out is gone', async () => {
  const { house: core, station } = await startCore.boot201('CP1')
  expect(station.calls('GetBaseReport')).toEqual([])
  core.clock.advance(31_000)
  const asked = await station.asked('GetBaseReport')
  const { requestId } = asked[3] as { requestId: number }
  expect(asked[3]).toEqual({ requestId, reportBase: 'FullInventory' })
  station.answer(asked, { status: 'Accepted' })
  await station.call('NotifyReport', page(requestId, 1, false, [variable('B', '2')]))
  expect(await reportOf(core, requestId)).toMatchObject({ state: 'running' })
  await station.call('NotifyReport', page(requestId, 0, true, [variable('A', '1')]))
  await station.call('NotifyReport', page(requestId, 0, true, [variable('A', '1')]))
  await untilReport(core, requestId, 'complete')
  expect(await valuesOf(core)).toEqual({ 'ctrlr.a': '1', 'ctrlr.b': '2' })

  const next = await fullReport(core, station, 1)
  await station.call('NotifyReport', page(next, 0, false, [variable('a', '9')]))
  await untilReport(core, next, 'complete')
  expect(await valuesOf(core)).toEqual({ 'ctrlr.a': '9', 'ctrlr.b': 'gone' })

  await station.call('BootNotification', { reason: 'PowerUp', chargingStation: { vendorName: 'A', model: 'Two' } })
  core.clock.advance(31_000)
  await station.call('Heartbeat', {})
  expect(station.calls('GetBaseReport')).toHaveLength(2)
  const chargingStation = { vendorName: 'A', model: 'Two', firmwareVersion: '2' }
  await station.call('BootNotification', { reason: 'PowerUp', chargingStation })
  core.clock.advance(31_000)
  await station.asked('GetBaseReport', 2)
})

it('DEVICE-A2: the device model: of two full reports close together the older one marks nothing that the newer one has', async () => {
  const { house: core, station } = await startCore.boot201('CP1')
  let goOn = (): void => undefined
  const held = new Promise<void>((resolve) => {
    goOn = resolve
  })
  const { listRecords } = core.coreStore
  core.coreStore.listRecords = (async (kind, query) => {
    if (kind === 'value_batches') await held
    return listRecords(kind, query)
  }) as CoreStore['listRecords']
  const both: number[] = []
  for (const nth of [0, 1]) {
    const id = await fullReport(core, station, nth)
    await station.call('NotifyReport', page(id, 0, false, [variable('A', '1'), variable(`Only${nth}`, '2')]))
    both.push(id)
  }
  // Told by itself after both were asked: no report can know of it.
  await station.call('NotifyReport', page(77, 5, true, [variable('Late', '3')]))
  goOn()
  for (const id of both) await untilReport(core, id, 'complete')
  expect(await valuesOf(core)).toEqual({
    'ctrlr.a': '1',
    'ctrlr.only0': 'gone',
    'ctrlr.only1': '2',
    'ctrlr.late': '3',
  })
})

it('DEVICE-A3: the device model: silence ends it as incomplete, and nothing is marked as gone', async () => {
  const { house: core, station } = await startCore.boot201('CP1')
  const first = await fullReport(core, station)
  await station.call('NotifyReport', page(first, 0, false, [variable('A', '1')]))
  await untilReport(core, first, 'complete')
  const second = await fullReport(core, station, 1)
  await station.call('NotifyReport', page(second, 0, true, [variable('B', '2')]))
  core.core.closed(station.connection)
  const again = await core.connect('CP1', 'ocpp2.0.1')
  await again.call('Heartbeat', {})
  core.clock.advance(119_000)
  expect(await reportOf(core, second)).toMatchObject({ state: 'running' })
  await again.call('NotifyReport', page(second, 2, true, [variable('C', '3')]))
  core.clock.advance(122_000)
  await untilReport(core, second, 'incomplete')
  expect(await valuesOf(core)).toEqual({ 'ctrlr.a': '1', 'ctrlr.b': '2', 'ctrlr.c': '3' })
})

it('DEVICE-A3, DEVICE-A4: the device model: after a restart it is incomplete, what came is kept, and it is asked for again', async () => {
  const { house: core, station } = await startCore.boot201('CP1')
  core.clock.advance(31_000)
  const asked = await station.asked('GetBaseReport')
  station.answer(asked, { status: 'Accepted' })
  const { requestId } = asked[3] as { requestId: number }
  await station.call('NotifyReport', page(requestId, 0, true, [variable('A', '1')]))
  const next = await startCore({ path: core.path, settings: SETTINGS, now: core.clock.now() })
  await untilReport(next, requestId, 'incomplete')
  expect(await valuesOf(next)).toEqual({ 'ctrlr.a': '1' })
  const again = await next.connect('CP1', 'ocpp2.0.1')
  await again.call('Heartbeat', {})
  expect((await again.asked('GetBaseReport'))[3]).toEqual({ requestId: requestId + 1, reportBase: 'FullInventory' })
})

it('DEVICE-A2: the device model: pages that nobody asked for bring their values; a refused report says why', async () => {
  const { house: core, station } = await startCore.boot201('CP1')
  const id = await order(core, { criteria: ['Problem'] })
  const asked = await station.asked('GetReport')
  expect(asked[3]).toEqual({ requestId: id, componentCriteria: ['Problem'] })
  station.answer(asked, { status: 'NotSupported' })
  await untilReport(core, id, 'rejected')
  expect(await reportOf(core, id)).toMatchObject({ reason: 'NotSupported' })
  await station.call('NotifyReport', page(77, 5, true, [variable('A', '1')]))
  await expect.poll(() => valuesOf(core)).toEqual({ 'ctrlr.a': '1' })
  const empty = await order(core, { componentVariables: [{ component: { name: 'X', evseId: 1 } }] })
  const second = await station.asked('GetReport', 1)
  expect(second[3]).toEqual({ requestId: empty, componentVariable: [{ component: { name: 'X', evse: { id: 1 } } }] })
  station.answer(second, { status: 'EmptyResultSet' })
  await untilReport(core, empty, 'complete')
  expect(await valuesOf(core)).toEqual({ 'ctrlr.a': '1' })
})

it('DEVICE-A9: the device model: a report of more variables than are kept is truncated, one without end is incomplete', async () => {
  const core = await startCore({ settings: { ...SETTINGS, mostVariables: 3 } })
  const station = await core.boot201('CP1')
  const id = await fullReport(core, station)
  const many = ['A', 'B', 'C', 'D', 'E'].map((name) => variable(name, '1'))
  await station.call('NotifyReport', page(id, 0, false, many))
  await untilReport(core, id, 'complete')
  expect(await reportOf(core, id)).toMatchObject({ truncated: true })
  expect(await rows(core)).toHaveLength(3)
  const endless = await fullReport(core, station, 1)
  await station.call('NotifyReport', page(endless, 10_000, true, [variable('A', '2')]))
  await untilReport(core, endless, 'incomplete')
  expect(await reportOf(core, endless)).toMatchObject({ truncated: true })
})

const reconnected = async ({ core, connect }: TestCore, station: TestStation): Promise<TestStation> => {
  core.closed(station.connection)
  const again = await connect('CP1')
  await again.call('Heartbeat', {})
  return again
}
const quirks = ({ store }: TestCore) => store.reads.listRecords('model_quirks', { limit: 9 })

it('DEVICE-A6: the device model: one lost socket at the question for all keys says nothing of the model', async () => {
  const { house: core, station } = await startCore.boot16('CP1')
  core.clock.advance(31_000)
  expect((await station.asked('GetConfiguration'))[3]).toEqual({})
  const again = await reconnected(core, station)
  const whole = await again.asked('GetConfiguration')
  expect(whole[3]).toEqual({})
  again.answer(whole, { configurationKey: [{ key: 'Own', readonly: false, value: '1' }] })
  await expect.poll(() => valuesOf(core)).toEqual({ 'chargepoint.own': '1' })
  // It answered: what is lost later counts from the beginning.
  const id = await order(core, { base: 'FullInventory' })
  await again.asked('GetConfiguration', 1)
  const third = await reconnected(core, again)
  expect((await third.asked('GetConfiguration'))[3]).toEqual({})
  expect(await quirks(core)).toEqual([])
  expect(await reportOf(core, id)).toMatchObject({ state: 'running' })
})

it('DEVICE-A6: the device model: the mark of a model is of its account and firmware, and can be taken back', async () => {
  const core = await startCore()
  const KEY_OF_MODEL = { accountId: 'account-1', vendor: 'Acme', model: 'One', firmwareVersion: '' }
  await core.store.writes.putRecords('model_quirks', [
    { ...KEY_OF_MODEL, firmwareVersion: '2', provedBy: 'CP9', at: 0 },
    { ...KEY_OF_MODEL, accountId: 'another', provedBy: 'CP9', at: 0 },
  ])
  const station = await core.boot16('CP1')
  core.clock.advance(31_000)
  const first = await station.asked('GetConfiguration')
  expect(first[3]).toEqual({})
  station.answer(first, {})
  const boot = { chargePointVendor: 'Acme', chargePointModel: 'One', firmwareVersion: '2' }
  await station.call('BootNotification', boot)
  core.clock.advance(31_000)
  expect((await station.asked('GetConfiguration', 1))[3]).toHaveProperty('key')
  await core.store.writes.removeRecords('model_quirks', [{ ...KEY_OF_MODEL, firmwareVersion: '2' }])
  const other = await core.connect('CP2')
  await other.call('BootNotification', boot)
  core.clock.advance(31_000)
  expect((await other.asked('GetConfiguration'))[3]).toEqual({})
})

it('DEVICE-A6, DEVICE-A8: the device model: all keys of 1.6 in one answer; where it drops its socket twice, the standard keys in tens', async () => {
  const { house: core, station } = await startCore.boot16('CP1')
  core.clock.advance(31_000)
  const asked = await station.asked('GetConfiguration')
  expect(asked[3]).toEqual({})
  const second = await reconnected(core, station)
  expect((await second.asked('GetConfiguration'))[3]).toEqual({})
  const again = await reconnected(core, second)
  const first = await again.asked('GetConfiguration')
  const { key } = first[3] as { key: string[] }
  expect(key).toHaveLength(10)
  again.answer(first, {
    configurationKey: [
      { key: 'GetConfigurationMaxKeys', readonly: true, value: '50' },
      { key: 'AuthorizationKey', readonly: false, value: '0123456789' },
    ],
    unknownKey: key.slice(2),
  })
  for (const nth of [1, 2, 3, 4]) {
    const part = await again.asked('GetConfiguration', nth)
    again.answer(part, { unknownKey: (part[3] as { key: string[] }).key })
  }
  const [report] = await core.store.reads.listRecords('reports', { where: { state: 'running' }, limit: 1 })
  if (report) await untilReport(core, report.id, 'complete')
  await expect
    .poll(() => valuesOf(core))
    .toEqual({ 'chargepoint.getconfigurationmaxkeys': '50', 'chargepoint.authorizationkey': '***' })
  expect(await quirks(core)).toMatchObject([
    { accountId: 'account-1', vendor: 'Acme', model: 'One', firmwareVersion: '', provedBy: 'CP1' },
  ])
  expect(readFileSync(core.path).includes('0123456789')).toBe(false)

  const other = await core.boot16('CP2')
  core.clock.advance(31_000)
  expect((await other.asked('GetConfiguration'))[3]).toHaveProperty('key')
})

it('DEVICE-A1: the device model: answers and events that tell values are kept, whoever asked', async () => {
  const { house: core, station } = await startCore.boot201('CP1')
  const name = { component: { name: 'Ctrlr' }, variable: { name: 'A' } }
  const request = { getVariableData: [name] }
  const sent = core.core.sendCommand({ ...KEY, method: 'GetVariables', request, waitMs: 0 })
  station.answer(await station.asked('GetVariables'), {
    getVariableResult: [{ ...name, attributeStatus: 'Accepted', attributeValue: '5' }],
  })
  await sent
  await expect.poll(() => valuesOf(core)).toEqual({ 'ctrlr.a': '5' })
  await station.call('NotifyEvent', notifyEvent([anEvent(1, { trigger: 'Delta', actualValue: '6', ...name })]))
  await expect.poll(() => valuesOf(core)).toEqual({ 'ctrlr.a': '6' })
})
