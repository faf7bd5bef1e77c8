/** Stations that give the number of a transaction that is over to their next one (SESSION-B1), seen from outside. */
import { expect } from 'vitest'
import type { HouseProcess, Json } from './house.ts'
import { acrossRestarts } from './restarts.ts'
import { booted201, connectStation, eventOf } from './station.ts'

const began = Date.now() - 3600_000
const at = (minutes: number): string => new Date(began + minutes * 60_000).toISOString()

/** Counters begin again with each boot: every charge is transaction 1 with events 0, 1 and 2. */
function charge(from: number, wattHours: number): readonly [Json, Json, Json] {
  const event = (eventType: string, seqNo: number, minutes: number, value: number, context: string): Json =>
    eventOf(eventType, seqNo, {
      timestamp: at(minutes),
      transactionInfo: { transactionId: '1', ...(eventType !== 'Ended' && { chargingState: 'Charging' }) },
      meterValue: [{ timestamp: at(minutes), sampledValue: [{ value, context }] }],
    })
  return [
    event('Started', 0, from, wattHours, 'Transaction.Begin'),
    event('Updated', 1, from + 5, wattHours + 700, 'Sample.Periodic'),
    event('Ended', 2, from + 10, wattHours + 1000, 'Transaction.End'),
  ]
}

async function rebuildsAlike(house: HouseProcess, sessions: readonly Json[]): Promise<void> {
  for (const { id } of sessions) expect(await house.cli(['sessions', 'rebuild', String(id), '--json'])).toEqual([])
}

const it = acrossRestarts('SIGKILL')

it('SESSION-B1, SESSION-B2: each charge is a session of its own, also when the server was killed in between; retries of the old one stay with it', async function* (house) {
  const id = 'KILLED'
  const first = charge(0, 0)
  const second = charge(20, 1000)
  const third = charge(40, 2000)
  const before = await booted201(house.ocppUrl, id)
  for (const event of [...first, ...second.slice(0, 1)]) await before.ask('TransactionEvent', event)
  yield

  const after = await connectStation(house.ocppUrl, id, 'ocpp2.0.1')
  for (const event of [first[0], first[2], second[0], ...second.slice(1), first[1]]) {
    await after.ask('TransactionEvent', event)
  }
  for (const event of [...third, ...first, ...second]) await after.ask('TransactionEvent', event)
  await after.close()

  const sessions = await house.sessions(id)
  expect(
    sessions.map(({ state, energyKwh, startedAt, stoppedAt }) => [state, energyKwh, startedAt, stoppedAt]),
  ).toEqual([
    ['completed', 1, at(40), at(50)],
    ['completed', 1, at(20), at(30)],
    ['completed', 1, at(0), at(10)],
  ])
  await rebuildsAlike(house, sessions)
  // The search knows the station's number only: the messages of all of them.
  expect(await house.rows(id, { transactionId: '1' })).toHaveLength(4 + 6 + 9)
})

it('SESSION-B1: after a power cut and a boot another driver has the number: each pays for what they took', async function* (house) {
  const id = 'CUT-OFF'
  const [start, update, end] = charge(0, 0)
  const [next, ...rest] = charge(20, 1000)
  const first = await booted201(house.ocppUrl, id)
  for (const event of [start, update]) await first.ask('TransactionEvent', event)
  await first.close()
  const again = await booted201(house.ocppUrl, id)
  await again.ask('TransactionEvent', { ...next, idToken: { idToken: 'OTHER', type: 'ISO14443' } })
  // The end of the first had waited in the station's queue.
  for (const event of [end, ...rest]) await again.ask('TransactionEvent', event)
  await again.close()
  const sessions = await house.sessions(id)
  expect(sessions.map(({ state, energyKwh, stoppedAt }) => [state, energyKwh, stoppedAt])).toEqual([
    ['completed', 1, at(30)],
    ['completed', 1, at(10)],
  ])
  await rebuildsAlike(house, sessions)
})
