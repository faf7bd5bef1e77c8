/** Events, tariffs and settlements as they come out of the core: committed with what caused them. */

import { expect, it } from 'vitest'
import { coresOfTests, START, type TestCore, type TestStation, testCore } from '../../test/support/core/testing.ts'
import { meterValues } from '../../test/support/messages.ts'
import { databaseIn } from '../../test/support/storage/testing.ts'
import type { EventRecord } from '../domain/ports/storage-webhooks.ts'

const core = coresOfTests()

const at = (seconds: number): string => new Date(START + seconds * 1000).toISOString()

async function start(station: TestStation, meterStart = 0): Promise<number> {
  const call = { connectorId: 1, idTag: 'CARD-1', meterStart, timestamp: at(0) }
  return ((await station.call('StartTransaction', call))[2] as { transactionId: number }).transactionId
}
const meter = (station: TestStation, transactionId: number, wattHours: number, seconds: number) =>
  station.call('MeterValues', meterValues(transactionId, START + seconds * 1000, wattHours))
const stop = (station: TestStation, transactionId: number, meterStop: number, seconds: number) =>
  station.call('StopTransaction', { transactionId, meterStop, timestamp: at(seconds) })

async function events(path: string): Promise<readonly EventRecord[]> {
  const reader = databaseIn(path).openReader('all')
  const found = await reader.listEvents({ accountId: 'account-1', type: 'session.updated', limit: 1000 })
  reader.close()
  return found === 'unknown' ? [] : found
}
const idle = async ({ core: { statistics, drain } }: TestCore): Promise<void> => {
  await statistics()
  await drain()
}

it('HOOK-M8, HOOK-F3, HOOK-B2: one event per transition, stored with the command that caused it', async () => {
  const { house, station } = await core.boot16('CP-1')
  const transaction = await start(station)
  await stop(station, transaction, 1500, 600)
  const all = await events(house.path)
  expect(all.map(({ kind, body }) => [kind, (JSON.parse(body) as { data: { state: string } }).data.state])).toEqual([
    ['transition', expect.stringMatching(/pending|charging/)],
    ['transition', 'completed'],
  ])
  const commands = await house.commands('CP-1')
  expect(all.map(({ causes }) => commands.find(({ id }) => id === causes[0])?.method)).toEqual([
    'StartTransaction',
    'StopTransaction',
  ])
  const data = all.map(({ body }) => (JSON.parse(body) as { data: { energyKwh: number } }).data)
  expect(data[1]?.energyKwh).toBe(1.5)
})

it('HOOK-M3: figures that wait when the process dies are sent by the next one', async () => {
  const first = await testCore()
  const station = await first.boot16('CP-1')
  const transaction = await start(station)
  for (const [wattHours, seconds] of [
    [100, 1],
    [200, 2],
    [300, 3],
  ] as const) {
    first.clock.advance(1000)
    await meter(station, transaction, wattHours, seconds)
  }
  const before = (await events(first.path)).length
  // No orderly end: the database is closed as it is.
  await first.close()
  const second = await core({ path: first.path, now: START + 60_000 })
  second.clock.advance(1000)
  await idle(second)
  const all = await events(first.path)
  expect(all).toHaveLength(before + 1)
  expect((JSON.parse(all.at(-1)?.body ?? '') as { data: { energyKwh: number } }).data.energyKwh).toBe(0.3)
})

async function completed(house: TestCore): Promise<string> {
  const station = await house.boot16('CP-1')
  await stop(station, await start(station), 2000, 600)
  return (await events(house.path)).at(-1)?.subject ?? ''
}
const order = (sessionId: string, costMicros: number) => ({
  accountId: 'account-1',
  sessionId,
  costMicros,
  currency: 'EUR',
  by: 'credential c1',
})

it('COST-L5, COST-L6: 50 parallel corrections count 2 to 51 without gaps, with 50 events and 50 entries of the ledger', async () => {
  const house = await core()
  const id = await completed(house)
  await house.core.settle(order(id, 1))
  const before = (await events(house.path)).length
  const results = await Promise.all(
    Array.from({ length: 50 }, (_, index) => house.core.settle(order(id, (index + 2) * 1_000_000))),
  )
  const counts = results.map((result) => ('refused' in result ? 0 : result.session.settlementCount))
  expect(counts).toEqual(Array.from({ length: 50 }, (_, index) => index + 2))
  expect(await events(house.path)).toHaveLength(before + 50)
  const ledger = await house.store.reads.listSettlements(id)
  expect(ledger.map(({ number }) => number)).toEqual(Array.from({ length: 51 }, (_, index) => index + 1))
  expect(ledger.at(-1)).toMatchObject({ costMicros: 51_000_000, currency: 'EUR', by: 'credential c1' })
})
