import { describe, expect, it } from 'vitest'
import { coresOfTests, type TestCore, type TestStation } from '../../../test/support/core/testing.ts'
import { transactionEvent } from '../../../test/support/messages.ts'
import type { IdToken } from '../../domain/ports/id-tokens.ts'
import type { Session } from '../../domain/ports/sessions.ts'

const MINUTE = 60_000
const STOPS = ['RemoteStopTransaction', 'RequestStopTransaction']

const core = coresOfTests()

describe.each(['ocpp1.6', 'ocpp2.0.1'] as const)('%s: limits of a charge', (protocol) => {
  const boot = (house: TestCore, id: string): Promise<TestStation> =>
    protocol === 'ocpp1.6' ? house.boot16(id) : house.boot201(id)

  async function card(house: TestCore, attributes: Partial<IdToken>): Promise<void> {
    const of = { accountId: 'account-1', id: 'Card', type: 'ISO14443', status: 'Accepted', createdAt: 0 } as const
    await house.store.writes.createIdToken({ ...of, ...attributes })
  }

  /** The card is shown and a charge runs; `meter` sends a reading of its register. */
  async function charge(house: TestCore, station: TestStation, name = '1') {
    const timestamp = (): string => new Date(house.clock.now()).toISOString()
    let transactionId: number | string = name
    let seqNo = 0
    const event = (eventType: string, triggerReason: string, wattHours: number, more = {}, on = station) =>
      on.call('TransactionEvent', {
        ...transactionEvent(eventType, seqNo++, house.clock.now(), { triggerReason, ...more }),
        transactionInfo: { transactionId: name, chargingState: 'Charging' },
        meterValue: [{ timestamp: timestamp(), sampledValue: [{ value: wattHours }] }],
      })
    const start = { connectorId: 1, idTag: 'CARD', meterStart: 0, timestamp: timestamp() }
    const begun =
      protocol === 'ocpp1.6'
        ? await station.call('StartTransaction', start)
        : await event('Started', 'Authorized', 0, { idToken: { idToken: 'CARD', type: 'ISO14443' } })
    const answer = begun[2] as { transactionId?: number; idTagInfo?: object; idTokenInfo?: object }
    transactionId = answer.transactionId ?? name
    return {
      reported: answer.idTagInfo ?? answer.idTokenInfo,
      async meter(wattHours: number, on = station): Promise<void> {
        const meterValue = [{ timestamp: timestamp(), sampledValue: [{ value: String(wattHours) }] }]
        if (protocol === 'ocpp1.6') await on.call('MeterValues', { connectorId: 1, transactionId, meterValue })
        else await event('Updated', 'MeterValuePeriodic', wattHours, {}, on)
      },
      async end(meterStop: number): Promise<void> {
        if (protocol === 'ocpp1.6') {
          await station.call('StopTransaction', { transactionId, meterStop, timestamp: timestamp() })
        } else await event('Ended', 'RemoteStop', meterStop)
      },
    }
  }

  const isStop = ([type, , name]: readonly unknown[]): boolean => type === 2 && STOPS.includes(String(name))
  const stopped = ({ frames }: TestStation): boolean => frames.some(isStop)
  const until = (station: TestStation) => expect.poll(() => stopped(station), { interval: 5 })
  const quiet = async (station: TestStation): Promise<void> => {
    for (let turn = 0; turn < 3; turn++) await station.call('Heartbeat', {})
  }
  const newest = async (house: TestCore, chargePointId: string): Promise<Session | undefined> =>
    (await house.store.reads.listSessions({ accountId: 'account-1', chargePointIds: [chargePointId], limit: 1 }))[0]

  it('SESSION-L3: time stops a charge by itself, and after a restart as well', async () => {
    const first = await core()
    await card(first, { sessionLimits: { durationMs: 30 * MINUTE } })
    const before = await boot(first, 'CP-1')
    const running = await charge(first, before)
    await running.meter(10)
    const { path } = first
    const now = first.clock.now()
    await first.close()
    const house = await core({ path, now: now + 10 * MINUTE })
    const station = await boot(house, 'CP-1')
    // It goes on: nobody must take it for one that ended with the boot.
    await running.meter(20, station)
    expect(stopped(station)).toBe(false)
    house.clock.advance(20 * MINUTE)
    await until(station).toBe(true)
    expect(await newest(house, 'CP-1')).toMatchObject({
      limitReached: { kind: 'duration', limit: 30 * MINUTE, reached: 30 * MINUTE },
    })
  })

  it('SESSION-L2: a start that is ordered takes the smaller of its own limits and those of the card', async () => {
    const house = await core()
    await card(house, { sessionLimits: { energyMilliWh: 5_000_000 } })
    await boot(house, 'CP-1')
    const order = { accountId: 'account-1', chargePointId: 'CP-1', idToken: 'CARD', connectorId: 1, evseId: 1 }
    const place = protocol === 'ocpp1.6' ? { evseId: undefined } : { connectorId: undefined }
    const limits = { energyMilliWh: 9_000_000, durationMs: MINUTE }
    expect(await house.core.startSession({ ...order, ...place, limits })).toMatchObject({
      limits: { energyMilliWh: 5_000_000, durationMs: MINUTE },
    })
    expect(await house.core.startSession({ ...order, ...place, limits: { costMicros: 1 } })).toMatchObject({
      refused: true,
      status: 422,
      code: 'no_tariff',
    })
  })

  it('TOKEN-Z6: an operator who lowers the budget stops the charge with its next reading', async () => {
    const house = await core()
    await card(house, { budget: { energyMilliWh: 10_000_000, per: 'total' } })
    const station = await boot(house, 'CP-1')
    const running = await charge(house, station)
    house.clock.advance(MINUTE)
    await running.meter(2_000)
    await quiet(station)
    expect(stopped(station)).toBe(false)
    await house.store.writes.updateIdToken('account-1', 'CARD', { budget: { energyMilliWh: 1_000_000, per: 'total' } })
    await running.meter(2_001)
    await until(station).toBe(true)
  })
})
