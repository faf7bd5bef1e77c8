/** What a car says that it needs, and the schedules that it may be offered for that. */
import { expect, it } from 'vitest'
import { amps, chargingCores } from '../../../../test/support/charging.ts'
import { START } from '../../../../test/support/core/testing.ts'
import type { ChargingProfile } from '../../../domain/charging/profile.ts'
import { isoTime } from '../../../domain/iso-time.ts'

// CHARGING-S9: what a car needs
const { started, decide, demand, accepted, methods } = chargingCores()
const offer = (transactionId: string): ChargingProfile => ({
  id: 7,
  purpose: 'TxProfile',
  kind: 'Absolute',
  stackLevel: 1,
  transactionId,
  schedules: [1, 2, 3].map((id) => ({
    id,
    unit: 'A',
    startAt: START,
    periods: [{ startSeconds: 0, limit: 10 + id }],
  })),
})
const needs = { evseId: 1, chargingNeeds: { requestedEnergyTransfer: 'AC_three_phase' } }
const event = (eventType: string, transactionId: string, seqNo: number) => ({
  eventType,
  timestamp: isoTime(START),
  triggerReason: eventType === 'Ended' ? 'EVDeparted' : 'CablePluggedIn',
  seqNo,
  transactionInfo: { transactionId },
  evse: { id: 1, connectorId: 1 },
})

it.each([false, true])('was forgotten where nothing limits it; limited: %s', async (isLimited) => {
  const { house, station, sent } = await started('2.0.1')
  if (isLimited) {
    await demand(house, 'limit:a', 1, amps(16))
    await accepted(house)
  }
  const post = (transactionId: string) =>
    decide(house, { kind: 'rawProfileRequested', evseId: 1, profile: offer(transactionId) })
  const refused = { status: 422, errors: [{ code: 'K01.FR.34' }] }
  await station.call('TransactionEvent', event('Started', 'T1', 0))
  expect(await post('T1')).toMatchObject(refused)
  const [, , answer] = await station.call('NotifyEVChargingNeeds', needs)
  expect(answer).toMatchObject({ status: isLimited ? 'Accepted' : 'Rejected' })
  if (!isLimited) expect(methods(sent)).toEqual([])
  expect(await post('T1')).toEqual({})
  // Those of the next car are others.
  await station.call('TransactionEvent', event('Ended', 'T1', 1))
  await station.call('TransactionEvent', event('Started', 'T2', 0))
  expect(await post('T2')).toMatchObject(refused)
})

it('of EVSEs that do not charge are not kept without end', async () => {
  const { house, station } = await started('2.0.1')
  for (let evseId = 1; evseId <= 30; evseId++) await station.call('NotifyEVChargingNeeds', { ...needs, evseId })
  const row = await house.store.reads.getRecord('charging_stations', { chargePointId: 'CP1' })
  expect(Object.keys(row?.needs ?? {})).toEqual(['30'])
})
