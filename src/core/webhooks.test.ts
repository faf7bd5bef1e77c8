/** Events, tariffs and settlements as they come out of the core: committed with what caused them. */
import { describe, expect, it } from 'vitest'
import { coresOfTests, START, type TestCore, type TestStation, testCore } from '../../test/support/core/testing.ts'
import { databaseIn } from '../../test/support/storage/testing.ts'
import type { EventRecord, Tariff } from '../domain/ports/storage-webhooks.ts'

describe('events of the core', () => {
  const core = coresOfTests()

  const at = (seconds: number): string => new Date(START + seconds * 1000).toISOString()

  async function start(station: TestStation, meterStart = 0): Promise<number> {
    const call = { connectorId: 1, idTag: 'CARD-1', meterStart, timestamp: at(0) }
    const [, , { transactionId }] = (await station.call('StartTransaction', call)) as [
      3,
      string,
      { transactionId: number },
    ]
    return transactionId
  }
  const meter = (station: TestStation, transactionId: number, wattHours: number, seconds: number) =>
    station.call('MeterValues', {
      connectorId: 1,
      transactionId,
      meterValue: [{ timestamp: at(seconds), sampledValue: [{ value: String(wattHours) }] }],
    })
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
    const house = await core()
    const station = await house.boot16('CP-1')
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

  it('HOOK-M6: a repeated start or stop makes no second event', async () => {
    const house = await core()
    const station = await house.boot16('CP-1')
    const transaction = await start(station)
    await start(station)
    await stop(station, transaction, 1500, 600)
    await stop(station, transaction, 1500, 600)
    expect(await events(house.path)).toHaveLength(2)
  })

  it('HOOK-M1: figures leave at once, then wait; the clock sends the last value', async () => {
    const house = await core()
    const station = await house.boot16('CP-1')
    const transaction = await start(station)
    for (const [wattHours, seconds] of [
      [100, 1],
      [200, 2],
      [300, 3],
    ] as const) {
      house.clock.advance(1000)
      await meter(station, transaction, wattHours, seconds)
    }
    const figures = async () => (await events(house.path)).filter(({ kind }) => kind === 'figures')
    const sent = (await figures()).length
    house.clock.advance(31_000)
    await idle(house)
    const after = await figures()
    expect(after).toHaveLength(sent + 1)
    expect((JSON.parse(after.at(-1)?.body ?? '') as { data: { energyKwh: number } }).data.energyKwh).toBe(0.3)
    expect(after.at(-1)?.causes).toEqual([])
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

  const tariff: Tariff = {
    tariffId: 'tar_1',
    version: 1,
    accountId: 'account-1',
    currency: 'EUR',
    perKwhMicros: 300_000,
    perMinuteMicros: 0,
    perSessionMicros: 1_000_000,
    idlePerMinuteMicros: 0,
    createdAt: START,
    updatedAt: START,
  }

  it('COST-L1: the tariff at the start stays the session’s; the charge point’s own one goes before the account’s', async () => {
    const house = await core()
    await house.store.writes.createTariff(tariff)
    const station = await house.boot16('CP-1')
    const transaction = await start(station)
    await house.store.writes.updateTariff('account-1', 'tar_1', { ...tariff, perKwhMicros: 900_000 }, START + 1)
    await house.store.writes.createTariff({ ...tariff, tariffId: 'tar_2', chargePointId: 'CP-1', perKwhMicros: 0 })
    house.registrationsChanged()
    await stop(station, transaction, 2000, 600)
    const second = await start(station, 5000)
    await stop(station, second, 7000, 1200)
    const costs = (await events(house.path))
      .map(({ body }) => (JSON.parse(body) as { data: { state: string; cost?: number; currency?: string } }).data)
      .filter(({ state }) => state === 'completed')
    expect(costs).toMatchObject([
      { cost: 1.6, currency: 'EUR' },
      { cost: 1, currency: 'EUR' },
    ])
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

  it('COST-L3, COST-L6: absent before, 1, still 1 for equal figures, 2 after a correction; one event each', async () => {
    const house = await core()
    const id = await completed(house)
    const transitions = (await events(house.path)).length
    expect(await house.core.settle(order(id, 1_000_000))).toMatchObject({
      counted: true,
      session: { settlementCount: 1 },
    })
    expect(await house.core.settle(order(id, 1_000_000))).toMatchObject({
      counted: false,
      session: { settlementCount: 1 },
    })
    expect(await house.core.settle(order(id, 2_000_000))).toMatchObject({
      counted: true,
      session: { settlementCount: 2 },
    })
    const all = (await events(house.path)).slice(transitions)
    expect(all.map(({ kind }) => kind)).toEqual(['settlement', 'settlement'])
    expect(
      all.map(({ body }) => (JSON.parse(body) as { data: { cost: number; settlementCount: number } }).data),
    ).toMatchObject([
      { cost: 1, settlementCount: 1 },
      { cost: 2, settlementCount: 2 },
    ])
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

  const settled = async (path: string) =>
    (await events(path)).map(({ kind, body }) => {
      const { state, settlementCount } = (JSON.parse(body) as { data: { state: string; settlementCount?: number } })
        .data
      return [kind, state, settlementCount]
    })

  it('COST-L4: an account that settles by itself: the completed event without count, then the settlement’s; the ledger says who', async () => {
    const house = await core()
    await house.store.writes.updateAccount('account-1', { automaticSettlement: true })
    const id = await completed(house)
    expect((await settled(house.path)).at(-1)).toEqual(['transition', 'completed', undefined])
    house.clock.advance(1000)
    await idle(house)
    expect((await settled(house.path)).slice(-2)).toEqual([
      ['transition', 'completed', undefined],
      ['settlement', 'completed', 1],
    ])
    expect(await house.store.reads.listSettlements(id)).toMatchObject([
      { number: 1, energyMilliWh: 2_000_000, by: 'pilotwire', reason: 'automatic settlement' },
    ])
    expect(await house.core.settle(order(id, 5_000_000))).toMatchObject({ session: { settlementCount: 2 } })
  })

  it('COST-L4: killed between completion and settlement, the next process settles, even if the account stopped doing so', async () => {
    const first = await testCore()
    await first.store.writes.updateAccount('account-1', { automaticSettlement: true })
    const id = await completed(first)
    await first.store.writes.updateAccount('account-1', { automaticSettlement: false })
    // No orderly end: the database is closed as it is.
    await first.close()
    const second = await core({ path: first.path, now: START + 60_000 })
    second.clock.advance(1000)
    await idle(second)
    second.clock.advance(1000)
    await idle(second)
    expect((await settled(first.path)).slice(-2)).toEqual([
      ['transition', 'completed', undefined],
      ['settlement', 'completed', 1],
    ])
    expect(await second.core.settle(order(id, 5_000_000))).toMatchObject({ session: { settlementCount: 2 } })
  })

  it('COST-L4: off unless asked for, and again when it is switched off', async () => {
    const house = await core()
    await house.store.writes.updateAccount('account-1', { automaticSettlement: true })
    await house.store.writes.updateAccount('account-1', { automaticSettlement: false })
    house.registrationsChanged()
    await completed(house)
    house.clock.advance(60_000)
    await idle(house)
    expect((await settled(house.path)).map(([kind]) => kind)).not.toContain('settlement')
  })

  it('COST-L2: refused unless completed, for another currency, without a currency, and of another account', async () => {
    const house = await core()
    const id = await completed(house)
    const { currency: _, ...bare } = order(id, 1)
    expect(await house.core.settle(bare)).toMatchObject({ status: 422, code: 'currency_required' })
    await house.core.settle(order(id, 1))
    expect(await house.core.settle({ ...order(id, 1), currency: 'USD' })).toMatchObject({ code: 'currency_mismatch' })
    expect(await house.core.settle({ ...order(id, 1), accountId: 'other' })).toMatchObject({ status: 404 })
    expect(await house.core.settle(order('nobody', 1))).toMatchObject({ status: 404 })
    const station = await house.boot16('CP-2')
    await start(station)
    const running = (await events(house.path)).at(-1)?.subject ?? ''
    expect(await house.core.settle(order(running, 1))).toMatchObject({ status: 409, code: 'session_not_completed' })
  })
})
