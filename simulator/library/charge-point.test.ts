import { afterEach, describe, expect, it } from 'vitest'
import { type CentralSystem, type ReceivedCall, startCentralSystem } from '../central-system.ts'
import { ChargePoint, SimulatedClock } from '../index.ts'

const cleanUp: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const undo of cleanUp.splice(0).reverse()) await undo()
})

async function central(calls: ReceivedCall[] = []): Promise<CentralSystem> {
  const system = await startCentralSystem({ received: (call) => void calls.push(call) })
  cleanUp.push(() => system.close())
  return system
}

describe.each(['1.6', '2.0.1'] as const)('the library over OCPP %s', (ocpp) => {
  it('SIM-A2: two hours of charging take no time, and every number agrees with the others', async () => {
    const calls: ReceivedCall[] = []
    const problems: string[] = []
    const system = await central(calls)
    const clock = new SimulatedClock({ startAt: Date.parse('2026-01-05T08:00:00Z') })
    const cp = await ChargePoint.connect({
      url: system.url,
      id: 'LIB-1',
      ocpp,
      clock,
      seed: 7,
      problem: (text) => problems.push(text),
    })
    expect(await cp.boot()).toBe('Accepted')
    await cp.plug(1, { soc: 20 })
    expect(await cp.swipe(1, 'CARD-1')).toBe('started')
    await cp.wait(2 * 3600)
    const running = cp.charge(1)
    expect(running.energyKwh).toBeGreaterThan(21)
    expect(running.energyKwh).toBeLessThan(22.1)
    expect(running.socPercent).toBeGreaterThan(50)
    expect(await cp.swipe(1, 'CARD-1')).toBe('stopped')
    await cp.unplug(1)
    expect(cp.state.connectors[0]).toMatchObject({ status: 'Available', plugged: false })
    await cp.close()
    const samples = calls.filter(({ request }) => request.meterValue !== undefined)
    expect(samples.length).toBeGreaterThanOrEqual(119)
    const stamps = calls.map(({ request }) => String(request.timestamp ?? '')).filter(Boolean)
    expect(stamps.at(-1)?.startsWith('2026-01-05T10:00:00')).toBe(true)
    expect(problems).toEqual([])
    expect(system.violations).toEqual([])
  })

  it('SIM-A3: the same seed gives the same frames, another seed others', async () => {
    const framesOf = async (seed: number): Promise<readonly string[]> => {
      const frames: string[] = []
      const system = await central()
      const clock = new SimulatedClock({ startAt: 0 })
      const frame = (direction: string, text: unknown) => {
        if (direction === 'in') frames.push(JSON.stringify(text))
      }
      const cp = await ChargePoint.connect({ url: system.url, id: 'LIB-2', ocpp, clock, seed, frame })
      await cp.boot()
      await cp.plug(1)
      await cp.swipe(1, 'CARD-1')
      await cp.wait(900)
      await cp.offline()
      await cp.wait(300)
      await cp.online()
      await cp.swipe(1, 'CARD-1')
      await cp.close()
      return frames
    }
    const first = await framesOf(1)
    expect(first.length).toBeGreaterThan(20)
    expect(await framesOf(1)).toEqual(first)
    expect(await framesOf(2)).not.toEqual(first)
  })

  it('the card may come before the cable, and a card that came too early is forgotten', async () => {
    const system = await central()
    const clock = new SimulatedClock()
    const cp = await ChargePoint.connect({ url: system.url, id: 'LIB-3', ocpp, clock })
    await cp.boot()
    expect(await cp.swipe(1, 'CARD-1')).toBe('waiting')
    await cp.plug(1)
    expect(cp.charge(1).energyKwh).toBe(0)
    await cp.unplug(1)
    expect(await cp.swipe(1, 'CARD-1')).toBe('waiting')
    await cp.wait(61)
    await cp.plug(1)
    expect(cp.state.connectors[0]?.transaction).toBeUndefined()
    await cp.close()
  })

  it('SIM-A4: a fault stops the flow and not the transaction; a full car stops drawing by itself', async () => {
    const calls: ReceivedCall[] = []
    const system = await central(calls)
    const cp = await ChargePoint.connect({
      url: system.url,
      id: 'LIB-4',
      ocpp,
      clock: new SimulatedClock(),
      vehicle: 'touring',
    })
    await cp.boot()
    await cp.plug(1, { soc: 60 })
    await cp.swipe(1, 'CARD-1')
    await cp.wait(60)
    await cp.fault(1, 'GroundFailure')
    const before = cp.charge(1)
    await cp.wait(30)
    expect(cp.charge(1)).toMatchObject({ powerKw: 0, energyKwh: before.energyKwh })
    expect(cp.state.connectors[0]).toMatchObject({ status: 'Faulted', fault: 'GroundFailure' })
    await cp.clearFault(1)
    await cp.wait(300)
    expect(cp.charge(1).powerKw).toBeGreaterThan(50)
    await cp.wait(3 * 3600)
    expect(cp.state.connectors[0]?.status).toBe('SuspendedEV')
    expect(cp.charge(1).socPercent).toBe(100)
    await cp.close()
    expect(JSON.stringify(calls)).toContain('GroundFailure')
    expect(system.violations).toEqual([])
  })

  it('SIM-A5: after a power cut the station boots and ends what was open', async () => {
    const calls: ReceivedCall[] = []
    const system = await central(calls)
    const cp = await ChargePoint.connect({ url: system.url, id: 'LIB-5', ocpp, clock: new SimulatedClock() })
    await cp.boot()
    await cp.plug(1)
    await cp.swipe(1, 'CARD-1')
    await cp.wait(600)
    await cp.powerCut()
    calls.length = 0
    await cp.wait(120)
    await cp.powerUp()
    expect(calls[0]?.method).toBe('BootNotification')
    expect(JSON.stringify(calls)).toContain('PowerLoss')
    await cp.close()
    expect(system.violations).toEqual([])
  })
  it('SIM-A8: offline, a card that was good before charges, and an unknown one as the settings say', async () => {
    const system = await central()
    const cp = await ChargePoint.connect({ url: system.url, id: 'LIB-7', ocpp, clock: new SimulatedClock() })
    const unknownOffline = async (value: string): Promise<unknown> => {
      if (ocpp === '1.6')
        return system.call('LIB-7', 'ChangeConfiguration', { key: 'AllowOfflineTxForUnknownId', value })
      const [component, variable] = [{ name: 'AuthCtrlr' }, { name: 'OfflineTxForUnknownIdEnabled' }]
      const setVariableData = [{ component, variable, attributeValue: value }]
      const answer = await system.call('LIB-7', 'SetVariables', { setVariableData })
      return { status: (answer.setVariableResult as { attributeStatus: string }[])[0]?.attributeStatus }
    }
    const swipedOffline = async (card: string): Promise<string> => {
      await cp.offline()
      const outcome = await cp.swipe(1, card)
      if (outcome === 'started') await cp.swipe(1, card)
      await cp.online()
      return outcome
    }
    await cp.boot()
    await cp.plug(1)
    expect(await swipedOffline('STRANGER')).toBe('started')
    expect(await unknownOffline('maybe')).toEqual({ status: 'Rejected' })
    expect(await unknownOffline('false')).toEqual({ status: 'Accepted' })
    expect(await swipedOffline('SOMEBODY')).toBe('refused')
    expect(cp.refusal).toContain('not known')
    expect(await cp.swipe(1, 'SOMEBODY')).toBe('started')
    await cp.swipe(1, 'SOMEBODY')
    expect(await swipedOffline('somebody')).toBe('started')
    expect(await system.call('LIB-7', 'ClearCache', {})).toEqual({ status: 'Accepted' })
    expect(await swipedOffline('SOMEBODY')).toBe('refused')
    await cp.close()
    expect(system.violations).toEqual([])
  })
})

it('without a clock the machine’s time drives it', async () => {
  const calls: ReceivedCall[] = []
  const system = await central(calls)
  const cp = await ChargePoint.connect({ url: system.url, id: 'LIB-6', speed: 3600, sampleSeconds: 600 })
  await cp.boot()
  await cp.plug(1)
  await cp.swipe(1, 'CARD-1')
  while (!calls.some(({ method }) => method === 'MeterValues')) await new Promise((resolve) => setImmediate(resolve))
  expect(cp.charge(1).energyKwh).toBeGreaterThan(1)
  await cp.close()
})
