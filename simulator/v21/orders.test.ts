/** Every order that 2.1 has besides 2.0.1, and the quirks of the version; the answers are held against the schemas. */
import { expect, it } from 'vitest'
import type { Payload } from '../../src/ocpp/translate/payload.ts'
import type { newOutboundRules } from '../../src/ocpp/v21/outbound.ts'
import { booted, closesStations, dynamic, TARIFF, variable } from '../../test/support/simulator/station-21.ts'

closesStations()

const ORDERS: Readonly<Record<keyof typeof newOutboundRules, readonly [Payload, Payload]>> = {
  AdjustPeriodicEventStream: [{ id: 1, params: { interval: 5 } }, { status: 'Rejected' }],
  AFRRSignal: [{ timestamp: '2026-01-05T08:00:00Z', signal: 1 }, { status: 'Rejected' }],
  ChangeTransactionTariff: [{ transactionId: 'none', tariff: TARIFF }, { status: 'TxNotFound' }],
  ClearDERControl: [{ isDefault: true }, { status: 'NotSupported' }],
  ClearTariffs: [{ tariffIds: ['X'] }, { clearTariffsResult: [{ tariffId: 'X', status: 'NoTariff' }] }],
  GetDERControl: [{ requestId: 1 }, { status: 'NotSupported' }],
  GetPeriodicEventStream: [{}, {}],
  GetTariffs: [{ evseId: 1 }, { status: 'NoTariff' }],
  NotifyAllowedEnergyTransfer: [{ transactionId: 'T', allowedEnergyTransfer: ['DC'] }, { status: 'Accepted' }],
  NotifyWebPaymentStarted: [{ evseId: 1, timeout: 60 }, {}],
  RequestBatterySwap: [{ requestId: 1, idToken: { idToken: 'A', type: 'Central' } }, { status: 'Rejected' }],
  SetDERControl: [
    {
      isDefault: true,
      controlId: 'C',
      controlType: 'Gradients',
      gradient: { priority: 1, gradient: 1, softGradient: 1 },
    },
    { status: 'NotSupported' },
  ],
  SetDefaultTariff: [{ evseId: 1, tariff: TARIFF }, { status: 'Accepted' }],
  UpdateDynamicSchedule: [{ chargingProfileId: 1, scheduleUpdate: { limit: 6 } }, { status: 'Rejected' }],
  UsePriorityCharging: [{ transactionId: 'T', activate: true }, { status: 'NoProfile' }],
}

it('OCPP21-E1: every new order is answered, and as its schema says', async () => {
  const { ask } = await booted()
  for (const [method, [request, answer]] of Object.entries(ORDERS))
    expect(await ask(method, request), method).toMatchObject(answer)
})

it('OCPP21-E1: a reset that keeps transactions is refused, and monitors of a target are not supported', async () => {
  const { ask } = await booted()
  expect(await ask('Reset', { type: 'ImmediateAndResume' })).toEqual({ status: 'Rejected' })
  const target = { ...variable('EVSE', 'Power'), component: { name: 'EVSE', evse: { id: 1 } } }
  const setting = { ...target, type: 'TargetDelta', value: 1, severity: 5 }
  expect(await ask('SetVariableMonitoring', { setMonitoringData: [setting] })).toMatchObject({
    setMonitoringResult: [{ status: 'UnsupportedMonitorType' }],
  })
})

const stream = {
  component: { name: 'EVSE', evse: { id: 1 } },
  variable: { name: 'Power' },
  type: 'Periodic',
  value: 10,
  severity: 8,
  periodicEventStream: { interval: 10, values: 1 },
}

it('stream-without-base-time: the form of the official example', async () => {
  const { ask, said, until } = await booted({ quirks: ['stream-without-base-time'] }, undefined, false)
  await ask('SetVariableMonitoring', { setMonitoringData: [stream] })
  await until(() => said('NotifyPeriodicEventStream')[0]).toEqual({
    id: expect.any(Number),
    pending: 0,
    data: [{ t: expect.stringMatching(/^2026-01-05T08:/), v: expect.any(String) }],
  })
})

it('stream-as-call and monitoring-report-of-201', async () => {
  const { ask, received, until } = await booted(
    { quirks: ['stream-as-call', 'monitoring-report-of-201'] },
    undefined,
    false,
  )
  await ask('SetVariableMonitoring', { setMonitoringData: [stream] })
  await until(() => received.requests('NotifyPeriodicEventStream').length).toBeGreaterThan(0)
  await ask('GetMonitoringReport', { requestId: 1 })
  await until(() => received.requests('NotifyMonitoringReport').length).toBe(1)
  expect(JSON.stringify(received.requests('NotifyMonitoringReport'))).not.toContain('eventNotificationType')
})

it('limits-in-capitals, refuses-tariffs and refuses-dynamic-updates', async () => {
  const quirks = ['limits-in-capitals', 'refuses-tariffs', 'refuses-dynamic-updates']
  const { ask } = await booted({ quirks })
  const { getVariableResult } = await ask('GetVariables', { getVariableData: [variable('TxCtrlr', 'SupportedLimits')] })
  expect(getVariableResult).toMatchObject([{ attributeValue: 'MaxCost,MaxEnergy,MaxTime,MaxSoC' }])
  expect(await ask('SetDefaultTariff', { evseId: 0, tariff: TARIFF })).toEqual({ status: 'Rejected' })
  expect(await ask('SetChargingProfile', dynamic())).toEqual({ status: 'Accepted' })
  expect(await ask('UpdateDynamicSchedule', { chargingProfileId: 11, scheduleUpdate: { limit: 6 } })).toMatchObject({
    status: 'Rejected',
    statusInfo: { reasonCode: 'InvalidProfile' },
  })
})
