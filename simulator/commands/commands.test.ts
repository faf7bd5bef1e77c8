import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Protocol } from '../../src/domain/ports/core.ts'
import type { Payload } from '../../src/ocpp/translate/payload.ts'
import { type CentralSystem, type ReceivedCall, startCentralSystem } from '../central-system.ts'
import { type ChargePoint, createChargePoint } from '../charge-point.ts'
import { eventually } from '../network.testing.ts'

const TOKEN = { id: 'CARD-1', type: 'ISO14443' }

let central: CentralSystem
let chargePoint: ChargePoint
let calls: ReceivedCall[]
const problems: string[] = []

async function power(protocol: Protocol): Promise<void> {
  chargePoint = createChargePoint({
    protocol,
    url: central.url,
    id: 'SIM-1',
    connectors: 2,
    timeScale: 600,
    problem: (message) => void problems.push(message),
  })
  await chargePoint.connect()
  await chargePoint.boot()
  calls.length = 0
}

beforeEach(async () => {
  calls = []
  problems.length = 0
  central = await startCentralSystem({ received: (call) => void calls.push(call) })
})
afterEach(async () => {
  await chargePoint.powerOff()
  await central.close()
  expect(central.violations).toEqual([])
  expect(problems).toEqual([])
})

const ask = (method: string, request: Payload) => central.call('SIM-1', method, request)
const transaction = (connectorId = 1) => chargePoint.snapshot().connectors[connectorId - 1]?.transaction
const seen = (method: string, matches: (request: Payload) => boolean = () => true) =>
  eventually(() => {
    const call = calls.find((candidate) => candidate.method === method && matches(candidate.request))
    if (!call) throw new Error(`${method} has not come yet`)
    return call.request
  })

describe('commands over ocpp1.6', () => {
  beforeEach(() => power('ocpp1.6'))

  it('a reset ends the charge, reconnects and boots', async () => {
    await chargePoint.plug(1)
    await chargePoint.start(1, { idToken: TOKEN })
    expect(await ask('Reset', { type: 'Hard' })).toEqual({ status: 'Accepted' })
    expect(await seen('StopTransaction')).toMatchObject({ reason: 'HardReset' })
    await seen('BootNotification')
    await expect.poll(() => chargePoint.snapshot().registered).toBe(true)
  })

  it('unlocking a connector ends its charge', async () => {
    await chargePoint.plug(1)
    await chargePoint.start(1, { idToken: TOKEN })
    expect(await ask('UnlockConnector', { connectorId: 1 })).toEqual({ status: 'Unlocked' })
    expect(await seen('StopTransaction')).toMatchObject({ reason: 'UnlockCommand' })
    expect(await ask('UnlockConnector', { connectorId: 9 })).toEqual({ status: 'NotSupported' })
  })

  it('triggered messages come', async () => {
    expect(await ask('TriggerMessage', { requestedMessage: 'Heartbeat' })).toEqual({ status: 'Accepted' })
    await seen('Heartbeat')
    expect(await ask('TriggerMessage', { requestedMessage: 'MeterValues', connectorId: 2 })).toEqual({
      status: 'Accepted',
    })
    expect(await seen('MeterValues')).toMatchObject({ connectorId: 2 })
    expect(await ask('TriggerMessage', { requestedMessage: 'StatusNotification', connectorId: 1 })).toEqual({
      status: 'Accepted',
    })
    await seen('StatusNotification', (request) => request.connectorId === 1)
    expect(await ask('TriggerMessage', { requestedMessage: 'StatusNotification', connectorId: 7 })).toEqual({
      status: 'Rejected',
    })
    const diagnostics = { requestedMessage: 'DiagnosticsStatusNotification' }
    expect(await ask('TriggerMessage', diagnostics)).toEqual({ status: 'Accepted' })
    expect(await seen('DiagnosticsStatusNotification')).toEqual({ status: 'Idle' })
  })

  it('availability changes at once, or after the charge', async () => {
    expect(await ask('ChangeAvailability', { connectorId: 2, type: 'Inoperative' })).toEqual({ status: 'Accepted' })
    await seen('StatusNotification', (request) => request.connectorId === 2 && request.status === 'Unavailable')
    await chargePoint.plug(1)
    await chargePoint.start(1, { idToken: TOKEN })
    expect(await ask('ChangeAvailability', { connectorId: 1, type: 'Inoperative' })).toEqual({ status: 'Scheduled' })
    await eventually(async () => {
      await chargePoint.stop(1)
      expect(chargePoint.snapshot().connectors[0]?.status).toBe('Unavailable')
    })
  })
})

describe('commands over ocpp2.0.1', () => {
  beforeEach(() => power('ocpp2.0.1'))

  it('SERVER-B4: a base report comes complete, in several parts', async () => {
    expect(await ask('GetBaseReport', { requestId: 7, reportBase: 'FullInventory' })).toEqual({ status: 'Accepted' })
    await seen('NotifyReport', (request) => request.tbc === false)
    const parts = calls.filter((call) => call.method === 'NotifyReport').map((call) => call.request)
    expect(parts.map((part) => part.seqNo)).toEqual(parts.map((_part, position) => position))
    expect(parts.length).toBeGreaterThan(1)
    expect(parts.every((part) => part.requestId === 7)).toBe(true)
  })

  it('a reset on idle waits for the end of the charge', async () => {
    await chargePoint.plug(1)
    await chargePoint.start(1, { idToken: TOKEN })
    expect(await ask('Reset', { type: 'OnIdle' })).toEqual({ status: 'Scheduled' })
    expect(transaction()).toBeDefined()
    await chargePoint.stop(1)
    await seen('BootNotification', (request) => request.reason === 'RemoteReset')
    await expect.poll(() => chargePoint.snapshot().registered).toBe(true)
  })

  it('unlock and triggers are answered by the schema', async () => {
    expect(await ask('UnlockConnector', { evseId: 1, connectorId: 1 })).toEqual({ status: 'Unlocked' })
    expect(await ask('UnlockConnector', { evseId: 1, connectorId: 3 })).toEqual({ status: 'UnknownConnector' })
    expect(await ask('TriggerMessage', { requestedMessage: 'Heartbeat' })).toEqual({ status: 'Accepted' })
    await seen('Heartbeat')
    expect(await ask('ChangeAvailability', { operationalStatus: 'Inoperative', evse: { id: 2 } })).toEqual({
      status: 'Accepted',
    })
    await seen('StatusNotification', (request) => request.connectorStatus === 'Unavailable')
  })
})
