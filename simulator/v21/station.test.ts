import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { WebSocketServer } from 'ws'
import { isoTime } from '../../src/domain/iso-time.ts'
import type { Payload } from '../../src/ocpp/translate/payload.ts'
import { booted, cleanUp, closesStations, dynamic, START, TARIFF } from '../../test/support/simulator/station-21.ts'
import { ChargePoint, type Frame, SimulatedClock } from '../index.ts'

closesStations()

describe('OCPP21-E1: a charge', () => {
  it('the state of a connector is an event, and the same one is sent once', async () => {
    const { cp, said, charging } = await booted()
    await charging()
    await cp.swipe(1, 'CARD-1')
    await cp.unplug(1)
    const states = said('NotifyEvent').flatMap(({ eventData }) => eventData as readonly Payload[])
    expect(states.map(({ actualValue }) => actualValue)).toEqual(['Available', 'Occupied', 'Available'])
    expect(states[1]).toMatchObject({
      trigger: 'Delta',
      component: { name: 'Connector', evse: { id: 1, connectorId: 1 } },
      variable: { name: 'AvailabilityState' },
    })
    expect(said('StatusNotification')).toEqual([])
    expect(said('SecurityEventNotification')).toMatchObject([{ type: 'StartupOfTheDevice' }])
  })

  it('an answer that breaks its schema is answered with message type 5, and others are not', async () => {
    const server = new WebSocketServer({ port: 0, handleProtocols: () => 'ocpp2.1' })
    const received: Frame[] = []
    server.on('connection', (socket) =>
      socket.on('message', (data: Buffer) => {
        const frame = JSON.parse(data.toString()) as Frame
        received.push(frame)
        const good = { currentTime: isoTime(START), interval: 300, status: 'Accepted' }
        if (frame[0] === 2)
          socket.send(JSON.stringify([3, frame[1], frame[2] === 'BootNotification' ? good : { currentTime: 7 }]))
      }),
    )
    const { port } = server.address() as AddressInfo
    const problems: string[] = []
    const cp = await ChargePoint.connect({
      url: `ws://127.0.0.1:${port}`,
      id: 'NEW-5',
      ocpp: '2.1',
      clock: new SimulatedClock({ startAt: START }),
      problem: (text) => problems.push(text),
    })
    cleanUp.push(async () => {
      await cp.station.powerOff()
      server.close()
    })
    await cp.call('BootNotification', { reason: 'PowerUp', chargingStation: { model: 'M', vendorName: 'V' } })
    await cp.call('Heartbeat', {})
    const beat = received.find((frame) => frame[2] === 'Heartbeat')
    await expect
      .poll(() => received.filter(([type]) => type === 5))
      .toEqual([[5, beat?.[1], 'FormatViolation', expect.any(String), {}]])
    for (const socket of server.clients) socket.send(JSON.stringify([5, 'x', 'FormatViolation', 'no', {}]))
    await expect.poll(() => problems.at(-1)).toMatch(/could not use an answer of this station: FormatViolation, no/)
  })
})

describe('OCPP21-E1: dynamic profiles (K28)', () => {
  it('the duration counts from the last update; at its end the lower profile counts, until an update comes', async () => {
    const { cp, ask, until } = await booted()
    const fallback = dynamic({ id: 10, stackLevel: 0, chargingProfileKind: 'Relative' })
    const [schedule] = fallback.chargingProfile.chargingSchedule
    const lower = { ...schedule, duration: undefined, chargingSchedulePeriod: [{ startPeriod: 0, limit: 7 }] }
    expect(
      await ask('SetChargingProfile', {
        ...fallback,
        chargingProfile: { ...fallback.chargingProfile, chargingSchedule: [JSON.parse(JSON.stringify(lower))] },
      }),
    ).toEqual({ status: 'Accepted' })
    expect(await ask('SetChargingProfile', dynamic())).toEqual({ status: 'Accepted' })
    await cp.plug(1, { soc: 20 })
    await cp.swipe(1, 'CARD-1')
    const amps = () => Math.round(cp.state.connectors[0]?.reading.offeredA ?? 0)
    await cp.wait(30)
    expect(amps()).toBe(10)
    const update = (limit: number) => ask('UpdateDynamicSchedule', { chargingProfileId: 11, scheduleUpdate: { limit } })
    expect(await update(12)).toEqual({ status: 'Accepted' })
    await until(amps).toBe(12)
    await cp.wait(40)
    expect(amps()).toBe(12)
    await cp.wait(30)
    expect(amps()).toBe(7)
    expect(await update(14)).toEqual({ status: 'Accepted' })
    await until(amps).toBe(14)
    const { chargingProfile: reported } = dynamic()
    expect(
      await ask('GetChargingProfiles', { requestId: 1, chargingProfile: { chargingProfileId: [reported.id] } }),
    ).toEqual({ status: 'Accepted' })
    await until(() => cp.state.online).toBe(true)
  })

  it.each([
    [
      'an update of one that is not dynamic',
      'UpdateDynamicSchedule',
      { chargingProfileId: 99, scheduleUpdate: { limit: 6 } },
      'InvalidProfile',
    ],
    [
      'two periods',
      'SetChargingProfile',
      dynamic(
        {},
        {
          chargingSchedulePeriod: [
            { startPeriod: 0, limit: 6 },
            { startPeriod: 60, limit: 9 },
          ],
        },
      ),
      'InvalidSchedule',
    ],
    ['a beginning', 'SetChargingProfile', dynamic({}, { startSchedule: isoTime(START) }), 'InvalidSchedule'],
  ] as const)('refuses %s', async (_name, method, request, reasonCode) => {
    const { ask } = await booted()
    expect(await ask(method, request as Payload)).toMatchObject({ status: 'Rejected', statusInfo: { reasonCode } })
  })

  it('refuses-dynamic-updates: takes the profile, and no update of it', async () => {
    const { ask } = await booted({ quirks: ['refuses-dynamic-updates'] })
    await ask('SetChargingProfile', dynamic())
    expect(await ask('UpdateDynamicSchedule', { chargingProfileId: 11, scheduleUpdate: { limit: 6 } })).toMatchObject({
      status: 'Rejected',
    })
  })

  it('asks for the limit as often as the profile says, and an answer renews it', async () => {
    const { cp, ask, said, until } = await booted({}, (method) =>
      method === 'PullDynamicScheduleUpdate' ? { status: 'Accepted', scheduleUpdate: { limit: 8 } } : undefined,
    )
    await cp.plug(1, { soc: 20 })
    await cp.swipe(1, 'CARD-1')
    expect(await ask('SetChargingProfile', dynamic({ dynUpdateInterval: 30 }))).toEqual({ status: 'Accepted' })
    await cp.wait(200)
    expect(said('PullDynamicScheduleUpdate').length).toBeGreaterThanOrEqual(6)
    await until(() => Math.round(cp.state.connectors[0]?.reading.offeredA ?? 0)).toBe(8)
  })
})

describe('OCPP21-E1: limits of a transaction (E16)', () => {
  const limits = [{ maxEnergy: 1000 }, { maxEnergy: 3000 }]
  it('a limit is confirmed once, ends the flow of energy alone, and a higher one lets it flow again', async () => {
    let next: Payload | undefined = { maxEnergy: 1000 }
    const { cp, triggers, events, until, charging } = await booted({}, (method) => {
      if (method !== 'TransactionEvent') return undefined
      const transactionLimit = next
      next = undefined
      return { ...(transactionLimit && { transactionLimit }), idTokenInfo: { status: 'Accepted' } }
    })
    await charging()
    await until(() => cp.state.connectors[0]?.status).toBe('SuspendedEVSE')
    const reached = events().find(({ triggerReason }) => triggerReason === 'EnergyLimitReached')
    expect(reached).toMatchObject({ eventType: 'Updated', transactionInfo: { chargingState: 'SuspendedEVSE' } })
    expect(triggers().filter((trigger) => trigger === 'LimitSet')).toHaveLength(1)
    expect(cp.charge(1).energyKwh).toBeGreaterThanOrEqual(1)
    expect(cp.charge(1).energyKwh).toBeLessThan(1.05)
    await cp.resume(1)
    expect(cp.state.connectors[0]?.status).toBe('SuspendedEVSE')
    next = limits[1]
    await until(() => cp.state.connectors[0]?.status).toBe('Charging')
    const confirmed = events().filter(({ triggerReason }) => triggerReason === 'LimitSet')
    expect(confirmed.map(({ transactionInfo }) => (transactionInfo as Payload).transactionLimit)).toEqual(limits)
    expect(cp.state.connectors[0]?.transaction).toBeDefined()
  })

  it.each([
    ['maxTime', { maxTime: 300 }, 'TimeLimitReached'],
    ['maxSoC', { maxSoC: 21 }, 'SoCLimitReached'],
    ['maxCost', { maxCost: 0.6 }, 'CostLimitReached'],
  ] as const)('the driver sets %s at the station', async (_kind, limit, trigger) => {
    const { cp, ask, triggers, until, charging } = await booted()
    await ask('SetDefaultTariff', { evseId: 0, tariff: TARIFF })
    await charging()
    await cp.limitCharge(1, limit)
    await until(triggers).toContain(trigger)
    expect(cp.state.connectors[0]?.transaction?.limitReached).toBe(_kind)
  })
})
