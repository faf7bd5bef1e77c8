import { describe, expect, it } from 'vitest'
import { booted, closesStations, VERSIONS } from './testing.ts'

closesStations()

describe.each(VERSIONS)('the library over OCPP %s', (ocpp) => {
  it('SIM-A2: two hours of charging take no time, and every number agrees with the others', async () => {
    const problems: string[] = []
    const { cp, calls } = await booted(ocpp, { seed: 7, problem: (text) => problems.push(text) })
    expect(cp.state.registered).toBe(true)
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
    const samples = calls.filter(({ request }) => request.meterValue !== undefined)
    expect(samples.length).toBeGreaterThanOrEqual(119)
    const stamps = calls.map(({ request }) => String(request.timestamp ?? '')).filter(Boolean)
    expect(stamps.at(-1)?.startsWith('2026-01-05T10:00:00')).toBe(true)
    expect(problems).toEqual([])
  })

  it('SIM-A3: the same seed gives the same frames, another seed others', async () => {
    const framesOf = async (seed: number): Promise<readonly string[]> => {
      const frames: string[] = []
      const frame = (direction: string, text: unknown) => {
        if (direction === 'in') frames.push(JSON.stringify(text))
      }
      const { cp } = await booted(ocpp, { seed, frame })
      await cp.plug(1)
      await cp.swipe(1, 'CARD-1')
      await cp.wait(900)
      await cp.offline()
      await cp.wait(300)
      await cp.online()
      await cp.swipe(1, 'CARD-1')
      return frames
    }
    const first = await framesOf(1)
    expect(first.length).toBeGreaterThan(20)
    expect(await framesOf(1)).toEqual(first)
    expect(await framesOf(2)).not.toEqual(first)
  })

  it('SIM-A4: a fault stops the flow and not the transaction; a full car stops drawing by itself', async () => {
    const { cp, calls } = await booted(ocpp, { vehicle: 'touring' })
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
    expect(JSON.stringify(calls)).toContain('GroundFailure')
  })

  it('SIM-A8: offline, a card that was good before charges, and an unknown one as the settings say', async () => {
    const { cp, ask } = await booted(ocpp)
    const unknownOffline = async (value: string): Promise<unknown> => {
      if (ocpp === '1.6') return ask('ChangeConfiguration', { key: 'AllowOfflineTxForUnknownId', value })
      const [component, variable] = [{ name: 'AuthCtrlr' }, { name: 'OfflineTxForUnknownIdEnabled' }]
      const setVariableData = [{ component, variable, attributeValue: value }]
      const answer = await ask('SetVariables', { setVariableData })
      return { status: (answer.setVariableResult as { attributeStatus: string }[])[0]?.attributeStatus }
    }
    const swipedOffline = async (card: string): Promise<string> => {
      await cp.offline()
      const outcome = await cp.swipe(1, card)
      if (outcome === 'started') await cp.swipe(1, card)
      await cp.online()
      return outcome
    }
    await cp.plug(1)
    expect(await swipedOffline('STRANGER')).toBe('started')
    expect(await unknownOffline('maybe')).toEqual({ status: 'Rejected' })
    expect(await unknownOffline('false')).toEqual({ status: 'Accepted' })
    expect(await swipedOffline('SOMEBODY')).toBe('refused')
    expect(cp.refusal).toContain('not known')
    expect(await cp.swipe(1, 'SOMEBODY')).toBe('started')
    await cp.swipe(1, 'SOMEBODY')
    expect(await swipedOffline('somebody')).toBe('started')
    expect(await ask('ClearCache', {})).toEqual({ status: 'Accepted' })
    expect(await swipedOffline('SOMEBODY')).toBe('refused')
  })
})

it('without a clock the machine’s time drives it', async () => {
  const { cp, calls } = await booted('1.6', { clock: undefined, speed: 3600, sampleSeconds: 600 })
  await cp.plug(1)
  await cp.swipe(1, 'CARD-1')
  while (!calls.some(({ method }) => method === 'MeterValues')) await new Promise((resolve) => setImmediate(resolve))
  expect(cp.charge(1).energyKwh).toBeGreaterThan(1)
})
