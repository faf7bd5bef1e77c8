/**
 * Whole charges in both versions, by ocpp-rpc's client: what the API shows is what was delivered.
 */
import { RPCClient } from 'ocpp-rpc'
import { expect, it } from 'vitest'
import { houseOfFile, type Json } from './house.ts'
import { BOOT_16, BOOT_201, eventOf } from './station.ts'

const house = await houseOfFile()

type Ask = (action: string, payload: unknown) => Promise<Json>

/** Each minute of the past hour is a time that no rule about clocks objects to. */
const minute = (number: number): string => new Date(HOUR_AGO + number * 60_000).toISOString()
const HOUR_AGO = Math.floor(Date.now() / 60_000) * 60_000 - 3_600_000

const sample16 = (at: string, wattHours: number, context = 'Sample.Periodic') => ({
  timestamp: at,
  sampledValue: [{ value: String(wattHours), measurand: 'Energy.Active.Import.Register', unit: 'Wh', context }],
})

const sample201 = (at: string, wattHours: number, context = 'Sample.Periodic') => ({
  timestamp: at,
  sampledValue: [{ value: wattHours, measurand: 'Energy.Active.Import.Register', context }],
})

/** 12.345 kWh; returns the methods that were sent. */
async function charge16(ask: Ask): Promise<readonly string[]> {
  const reported = (status: string, at: number) => ({
    connectorId: 1,
    errorCode: 'NoError',
    status,
    timestamp: minute(at),
  })
  await ask('BootNotification', BOOT_16)
  await ask('StatusNotification', reported('Preparing', 0))
  expect(await ask('Authorize', { idTag: 'CARD' })).toMatchObject({ idTagInfo: { status: 'Accepted' } })
  const start = await ask('StartTransaction', { connectorId: 1, idTag: 'CARD', meterStart: 1000, timestamp: minute(1) })
  expect(start).toMatchObject({ transactionId: expect.any(Number), idTagInfo: { status: 'Accepted' } })
  const { transactionId } = start
  await ask('StatusNotification', reported('Charging', 2))
  for (const [at, register] of [
    [10, 4000],
    [20, 8000],
    [30, 13_000],
  ] as const) {
    const values = { connectorId: 1, transactionId, meterValue: [sample16(minute(at), register)] }
    expect(await ask('MeterValues', values)).toEqual({})
  }
  const stop = { transactionId, meterStop: 13_345, timestamp: minute(31), idTag: 'CARD', reason: 'Local' }
  expect(await ask('StopTransaction', stop)).toEqual({ idTagInfo: expect.objectContaining({ status: 'Accepted' }) })
  await ask('StatusNotification', reported('Available', 32))
  const [status, values] = ['StatusNotification', 'MeterValues']
  const begin = ['BootNotification', status, 'Authorize', 'StartTransaction', status]
  return [...begin, values, values, values, 'StopTransaction', status]
}

async function charge201(ask: Ask, transactionId: string): Promise<readonly string[]> {
  const idToken = { idToken: 'CARD', type: 'ISO14443' }
  const meter = (at: number, wattHours: number, context?: string) => ({
    meterValue: [sample201(minute(at), wattHours, context)],
  })
  let seqNo = 0
  const say = (eventType: string, at: number, triggerReason: string, info: Json, more: Json = {}): Promise<Json> => {
    const transactionInfo = { transactionId, ...info }
    const event = { triggerReason, timestamp: minute(at), transactionInfo, idToken: undefined, ...more }
    return ask('TransactionEvent', eventOf(eventType, seqNo++, event))
  }
  await ask('BootNotification', BOOT_201)
  await ask('StatusNotification', { timestamp: minute(0), connectorStatus: 'Occupied', evseId: 1, connectorId: 1 })
  await say('Started', 1, 'CablePluggedIn', { chargingState: 'EVConnected' }, meter(1, 1000, 'Transaction.Begin'))
  const charging = { chargingState: 'Charging' }
  const authorised = await say('Updated', 2, 'Authorized', charging, { idToken })
  expect(authorised).toMatchObject({ idTokenInfo: { status: 'Accepted' } })
  await say('Updated', 15, 'MeterValuePeriodic', charging, meter(15, 7000))
  const end = { idToken, ...meter(31, 13_345, 'Transaction.End') }
  await say('Ended', 31, 'StopAuthorized', { stoppedReason: 'Local', chargingState: 'Idle' }, end)
  return ['BootNotification', 'StatusNotification', ...Array.from({ length: 4 }, () => 'TransactionEvent')]
}

async function expectCompleted(chargePointId: string, methods: readonly string[], startedAt: string): Promise<void> {
  const sessions = await house.sessions(chargePointId)
  expect(sessions).toHaveLength(1)
  const session = await house.session(String(sessions[0]?.id))
  expect(session).toEqual({
    id: expect.any(String),
    evseControllerId: chargePointId,
    state: 'completed',
    energyKwh: 12.345,
    startedAt,
    stoppedAt: minute(31),
  })
  const rows = await house.rows(chargePointId)
  expect(
    rows
      .filter(({ direction }) => direction === 'in')
      .map(({ method }) => method)
      .reverse(),
  ).toEqual(methods)
  expect(rows.every(({ status, direction }) => direction === 'out' || status === 'success')).toBe(true)
}

async function throughRpcClient(identity: string, protocol: string, work: (ask: Ask) => Promise<void>): Promise<void> {
  const options = { endpoint: house.ocppUrl, identity, protocols: [protocol], strictMode: true }
  // Its types ask for every option, although all of them have defaults.
  const client = new RPCClient(options as ConstructorParameters<typeof RPCClient>[0])
  const violations: unknown[] = []
  client.on('strictValidationFailure', (failure: unknown) => violations.push(failure))
  await client.connect()
  await work(async (action, payload) => (await client.call(action, payload as Record<string, unknown>)) as Json)
  await client.close({})
  // Every answer of the server was held to the official schema.
  expect(violations).toEqual([])
}

it.each([
  ['ocpp1.6', 'RPC-16', charge16, 1],
  ['ocpp2.0.1', 'RPC-201', charge201, 2],
] as const)(
  'ENERGY-N4, OCPP-DR1, OCPP-RP13: by the client of ocpp-rpc in %s, which holds every answer to its schema',
  (protocol, id, charge, begin) =>
    throughRpcClient(id, protocol, async (ask) => expectCompleted(id, await charge(ask, 'rpc-tx'), minute(begin))),
)
