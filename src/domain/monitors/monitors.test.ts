import { expect, it } from 'vitest'
import { coresOfTests, type TestCore, type TestStation } from '../../../test/support/core/testing.ts'
import { anEvent, notifyEvent } from '../../../test/support/messages.ts'
import { aMonitorSet } from '../../../test/support/records.ts'
import { DesiredByAccount } from '../configuration/desired-by-account.ts'
import type { IntentKind } from '../ports/blocks.ts'
import { type Monitor, monitorFaults, monitorKey } from './records.ts'

const monitor = (name: string, change: Partial<Monitor> = {}): Monitor => ({
  component: { name: 'EVSE', evseId: 1 },
  variable: { name },
  type: 'UpperThreshold',
  value: 80,
  severity: 5,
  transaction: false,
  ...change,
})

it('MONITOR-A2: which monitors: all that any set wants; of two like each other the later change says the value', () => {
  const sets = [
    aMonitorSet('late', { updatedAt: 2, monitors: [monitor('power', { value: 90 })] }),
    aMonitorSet('early', { updatedAt: 1, monitors: [monitor('Power'), monitor('Power', { severity: 2 })] }),
  ]
  const wishes = new DesiredByAccount()
  for (const one of sets) wishes.putMonitorSet(one.name, one)
  const desiredOf = (setting?: IntentKind) =>
    wishes.wantsFor({ id: 'CP1' }, setting, wishes.namesFor({ id: 'CP1' }, setting, 100))
  expect(desiredOf('variable')).toMatchObject([
    { kind: 'monitor', desired: { value: 90, severity: 5 }, source: { monitors: ['early', 'late'] } },
    { kind: 'monitor', desired: { value: 80, severity: 2 }, source: { monitors: ['early'] } },
  ])
  expect(desiredOf()).toEqual([])
  expect(monitorKey(monitor('Power'))).toBe('/1/EVSE.Power#UpperThreshold/5')
})

it.each([
  [[monitor('A'), monitor('a')], '/monitors/1/type'],
  [[monitor('A', { type: 'Periodic', value: 0 })], '/monitors/0/value'],
  [[monitor('A', { type: 'PeriodicClockAligned', value: 1.5 })], '/monitors/0/value'],
  [[monitor('A', { type: 'Delta', value: -1 })], '/monitors/0/value'],
  [[monitor('A', { component: { name: 'C', connectorId: 1 } })], '/monitors/0/component/connectorId'],
  [[monitor('A'), monitor('A', { severity: 4 }), monitor('A', { type: 'Delta' })], undefined],
])('MONITOR-A1: which monitors: %j: %s', (monitors, pointer) => {
  expect(monitorFaults(monitors)[0]?.pointer).toBe(pointer)
})

const startCore = coresOfTests()
const setting = ([, , , request]: unknown[]): Record<string, unknown>[] =>
  (request as { setMonitoringData: Record<string, unknown>[] }).setMonitoringData
const known = async ({ store }: TestCore) =>
  (await store.reads.listRecords('station_monitors', { where: { chargePointId: 'CP1' }, limit: 2000 })).map(
    ({ id, key, isOurs }) => [id, key, isOurs],
  )
const put = async (core: TestCore, monitors: readonly Monitor[]): Promise<void> => {
  await core.store.writes.putRecords('monitor_sets', [aMonitorSet('m', { monitors })])
  await settle(core)
}
const settle = async ({ core }: TestCore): Promise<void> => {
  await core.configurationsChanged('account-1')
  await core.settleConfigurations({ accountId: 'account-1', chargePointIds: ['CP1'] })
}
const accepted = (entry: Record<string, unknown> | undefined, id?: number) => {
  const { value: _, transaction: _t, ...named } = entry ?? {}
  return { ...named, status: 'Accepted', ...(id !== undefined && { id }) }
}
/** Accepts all that is set, under these numbers. */
const taken = async (station: TestStation, nth: number, ...ids: readonly number[]) => {
  const asked = await station.asked('SetVariableMonitoring', nth)
  station.answer(asked, { setMonitoringResult: setting(asked).map((entry, at) => accepted(entry, ids[at])) })
}
/** Lets the report of all monitors be asked for, and answers it with these pages. */
const report = async (core: TestCore, station: TestStation, nth: number, pages: readonly unknown[][]) => {
  await untilDue(core)
  core.clock.advance(30_000)
  const asked = await station.asked('GetMonitoringReport', nth)
  station.answer(asked, { status: pages.length > 0 ? 'Accepted' : 'EmptyResultSet' })
  const { requestId } = asked[3] as { requestId: number }
  for (const [seqNo, monitors] of pages.entries())
    await page(station, requestId, seqNo, seqNo < pages.length - 1, monitors)
}
const untilDue = ({ store }: TestCore) =>
  expect
    .poll(async () => (await store.reads.getRecord('device_models', { chargePointId: 'CP1' }))?.monitorsDueAt)
    .toBeDefined()
const page = (station: TestStation, requestId: number, seqNo: number, tbc: boolean, monitors: readonly unknown[]) =>
  station.call('NotifyMonitoringReport', {
    requestId,
    seqNo,
    tbc,
    generatedAt: '2026-11-21T12:00:00Z',
    ...(monitors.length > 0 && { monitor: monitors }),
  })
const reported = (name: string, id: number, value = 80, more: object = {}) => ({
  component: { name: 'EVSE', evse: { id: 1 } },
  variable: { name },
  variableMonitoring: [{ id, value, type: 'UpperThreshold', severity: 5, transaction: false, ...more }],
})
const [A, B] = ['/1/EVSE.A#UpperThreshold/5', '/1/EVSE.B#UpperThreshold/5'] as const

it('MONITOR-A3, MONITOR-A5: monitors: each is judged by its own result, its number is kept, and a report proves it', async () => {
  const { house: core, station } = await startCore.boot201('CP1')
  await put(
    core,
    ['A', 'B', 'C', 'D', 'E'].map((name) => monitor(name)),
  )
  const first = await station.asked('SetVariableMonitoring')
  const [a, b, c, d] = setting(first)
  expect(a).toEqual({
    component: { name: 'EVSE', evse: { id: 1 } },
    variable: { name: 'A' },
    type: 'UpperThreshold',
    value: 80,
    severity: 5,
    transaction: false,
  })
  station.answer(first, {
    setMonitoringResult: [
      { ...accepted(d), status: 'Rejected', statusInfo: { reasonCode: 'ValueOutOfRange' } },
      { ...accepted(c), status: 'UnsupportedMonitorType' },
      accepted(b, 22),
      accepted(a, 11),
      accepted({ ...a, variable: { name: 'Nobody' } }, 99),
    ],
  })
  await expect
    .poll(() => core.intentStates())
    .toMatchObject({
      [A]: 'applied',
      [B]: 'applied',
      '/1/EVSE.C#UpperThreshold/5': ['unsupported', 'UnsupportedMonitorType'],
      '/1/EVSE.D#UpperThreshold/5': ['rejected', 'Rejected: ValueOutOfRange'],
      '/1/EVSE.E#UpperThreshold/5': ['pending', 'the answer does not name it'],
    })
  expect(await known(core)).toEqual([
    [11, A.toLowerCase(), true],
    [22, B.toLowerCase(), true],
  ])
  await report(core, station, 0, [[reported('B', 22, 80)], [reported('Own', 7), reported('A', 11, 80)]])
  await expect.poll(() => core.intentStates()).toMatchObject({ [A]: 'verified', [B]: 'verified' })
  expect(await known(core)).toContainEqual([7, '/1/evse.own#upperthreshold/5', false])
  core.clock.advance(60_000)
  const alone = await station.asked('SetVariableMonitoring', 1)
  expect(setting(alone)).toMatchObject([{ variable: { name: 'E' } }])
})

it('MONITOR-A5: monitors: another value, or a monitor that is missing, is set again under its number', async () => {
  const { house: core, station } = await startCore.boot201('CP1')
  await put(core, [monitor('A'), monitor('B')])
  await taken(station, 0, 11, 22)
  await report(core, station, 0, [[reported('A', 11, 33)]])
  await expect.poll(() => core.intentStates()).toMatchObject({ [A]: ['pending', expect.anything()] })
  core.clock.advance(10_000)
  const again = await station.asked('SetVariableMonitoring', 1)
  expect(setting(again)).toMatchObject([{ id: 11, variable: { name: 'A' } }, { variable: { name: 'B' } }])
  expect(setting(again)[1]).not.toHaveProperty('id')
  expect(await core.intentStates()).toMatchObject({ [A]: 'sent', [B]: 'sent' })
  expect(await known(core)).toEqual([[11, A.toLowerCase(), true]])
})

it('MONITOR-A5: monitors: a charge point that accepts and does nothing ends in conflict, and one that cannot tell stays applied', async () => {
  const { house: core, station } = await startCore.boot201('CP1')
  await put(core, [monitor('A')])
  for (let nth = 0; nth < 4; nth++) {
    await taken(station, nth, 11 + nth)
    await report(core, station, nth, [])
    if (nth === 3) continue
    await expect.poll(() => core.intentStates()).toMatchObject({ [A]: ['pending', expect.anything()] })
    core.clock.advance([10_000, 60_000, 600_000][nth] ?? 0)
  }
  await expect
    .poll(() => core.intentStates())
    .toMatchObject({ [A]: ['conflict', expect.stringContaining('no such monitor')] })
  await put(core, [monitor('B')])
  await taken(station, 4, 50)
  await untilDue(core)
  core.clock.advance(30_000)
  station.answer(await station.asked('GetMonitoringReport', 4), { status: 'NotSupported' })
  await expect.poll(() => core.intentStates()).toEqual({ [B]: ['applied', 'not read back: NotSupported'] })
})

it('MONITOR-A4: monitors: what nobody wants any more is cleared by its number, also when it was under way', async () => {
  const { house: core, station } = await startCore.boot201('CP1')
  await put(core, [monitor('A'), monitor('B')])
  const first = await station.asked('SetVariableMonitoring')
  await put(core, [])
  const [a, b] = setting(first)
  station.answer(first, { setMonitoringResult: [accepted(a, 11), { ...accepted(b), status: 'Rejected' }] })
  const clear = await station.asked('ClearVariableMonitoring')
  expect(clear[3]).toEqual({ id: [11] })
  station.answer(clear, {
    clearMonitoringResult: [
      { id: 11, status: 'NotFound' },
      { id: 5, status: 'Rejected' },
    ],
  })
  await expect.poll(() => core.intentStates()).toEqual({})
  expect(await known(core)).toEqual([])
  expect(station.calls('SetVariableMonitoring')).toHaveLength(1)
})

const withdrawnUnanswered = async (core: TestCore, station: TestStation) => {
  await put(core, [monitor('A')])
  const first = await station.asked('SetVariableMonitoring')
  core.clock.advance(30_000)
  await expect.poll(() => core.intentStates()).toEqual({ [A]: ['pending', 'no answer'] })
  await put(core, [])
  return first
}
const cleared = async (core: TestCore, station: TestStation, id: number, others: readonly number[] = []) => {
  const clear = await station.asked('ClearVariableMonitoring')
  expect(clear[3]).toEqual({ id: [id] })
  station.answer(clear, { clearMonitoringResult: [{ id, status: 'Accepted' }] })
  await expect.poll(() => core.intentStates()).toEqual({})
  expect((await known(core)).map(([found]) => found)).toEqual(others)
}

it('MONITOR-A9: monitors: one that was set without an answer and withdrawn is cleared once a late answer tells its number', async () => {
  const { house: core, station } = await startCore.boot201('CP1')
  const first = await withdrawnUnanswered(core, station)
  expect(await core.intentStates()).toEqual({ [A]: ['pending', 'its number is not known yet'] })
  station.answer(first, { setMonitoringResult: [accepted(setting(first)[0], 11)] })
  await cleared(core, station, 11)
  expect(station.calls('SetVariableMonitoring')).toHaveLength(1)
})

it('MONITOR-A9: monitors: where no answer comes a report tells its number, or that there is nothing to clear', async () => {
  const { house: core, station } = await startCore.boot201('CP1')
  await withdrawnUnanswered(core, station)
  await report(core, station, 0, [[reported('A', 11, 80), reported('Own', 7)]])
  await cleared(core, station, 11, [7])

  await put(core, [monitor('B')])
  await station.asked('SetVariableMonitoring', 1)
  core.core.closed(station.connection)
  await expect.poll(() => core.intentStates()).toMatchObject({ [B]: ['pending', expect.any(String)] })
  await put(core, [])
  const again = await core.boot201('CP1')
  await report(core, again, 0, [[reported('B', 30, 55)]])
  await expect.poll(() => core.intentStates()).toEqual({})
  expect(again.calls('ClearVariableMonitoring')).toEqual([])
  expect(again.calls('SetVariableMonitoring')).toEqual([])
})

it('MONITOR-A3: monitors: a duplicate is found by a report, and taken over by its number', async () => {
  const { house: core, station } = await startCore.boot201('CP1')
  await put(core, [monitor('A')])
  const first = await station.asked('SetVariableMonitoring')
  const [a] = setting(first)
  station.answer(first, { setMonitoringResult: [{ ...accepted(a), status: 'Duplicate' }] })
  await report(core, station, 0, [[reported('A', 3, 55)]])
  expect(await known(core)).toEqual([[3, A.toLowerCase(), false]])
  core.clock.advance(60_000)
  const again = await station.asked('SetVariableMonitoring', 1)
  expect(setting(again)).toMatchObject([{ id: 3, value: 80 }])
  station.answer(again, { setMonitoringResult: [accepted(setting(again)[0], 3)] })
  await expect.poll(() => known(core)).toEqual([[3, A.toLowerCase(), true]])
})

it('MONITOR-A2: monitors: a charge point of 1.6 is unsupported', async () => {
  const core = await startCore()
  await core.boot16('CP1')
  await put(core, [monitor('A')])
  await expect.poll(() => core.intentStates()).toEqual({ [A]: ['unsupported', 'ocpp1.6 has no message for it'] })
})

it('MONITOR-A6: monitors: more monitors than are followed are cut, said so, and nothing is taken for gone', async () => {
  const { house: core, station } = await startCore.boot201('CP1')
  await put(core, [monitor('A')])
  await taken(station, 0, 5000)
  const many = Array.from({ length: 1100 }, (_, at) => reported(`V${at}`, at))
  await report(core, station, 0, [many])
  const reports = () => core.store.reads.listRecords('reports', { where: { chargePointId: 'CP1' }, limit: 5 })
  await expect.poll(reports).toMatchObject([{ subject: 'monitors', state: 'complete', truncated: true }])
  expect((await known(core)).length).toBe(1000)
  expect(await core.intentStates()).toEqual({ [A]: 'applied' })
})

const notify = (station: TestStation, eventData: readonly object[]) =>
  station.call('NotifyEvent', notifyEvent(eventData))
const events = async ({ store }: TestCore) =>
  (await store.reads.listRecords('station_events', { where: { chargePointId: 'CP1' }, limit: 2000 })).map(
    ({ event: kept }) => kept,
  )

it('MONITOR-A7: monitors: events are kept once with cause and cleared, whatever caused them', async () => {
  const { house: core, station } = await startCore.boot201('CP1')
  const one = anEvent(1, { cause: 4711, cleared: true, variableMonitoringId: 9, transactionId: 't1' })
  expect((await notify(station, [one]))[2]).toEqual({})
  await notify(station, [one, anEvent(2, { timestamp: '2026-11-21T12:00:05Z', variable: { name: 'ApiToken' } })])
  expect(await events(core)).toEqual([
    expect.objectContaining({ eventId: 2, value: '***', variable: { name: 'ApiToken' } }),
    {
      eventId: 1,
      trigger: 'Alerting',
      type: 'CustomMonitor',
      component: { name: 'EVSE', evseId: 1 },
      variable: { name: 'Power' },
      value: '90',
      cause: 4711,
      cleared: true,
      transactionId: 't1',
      monitorId: 9,
    },
  ])
})

it('MONITOR-A8: monitors: events without end are bounded by the message and by the hour, and counted', async () => {
  const { house: core, station } = await startCore.boot201('CP1')
  for (let message = 0; message < 6; message++) {
    const many = Array.from({ length: 220 }, (_, at) => anEvent(message * 1000 + at))
    await notify(station, many)
  }
  expect(await events(core)).toHaveLength(1000)
  const tally = () => core.store.reads.getRecord('event_tallies', { chargePointId: 'CP1' })
  expect(await tally()).toMatchObject({ kept: 1000, dropped: 6 * 20 + 200 })
  core.clock.advance(3600_000)
  await notify(station, [anEvent(9000)])
  expect(await tally()).toMatchObject({ kept: 1, dropped: 320 })
  expect(await events(core)).toHaveLength(1001)
})
