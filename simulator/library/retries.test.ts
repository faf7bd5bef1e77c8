/** What a station does when it is answered with an error: it says it again (1.6 §3.7.1, 2.0.1 E13, B01). */
import { afterEach, describe, expect, it } from 'vitest'
import { type CentralSystem, type ReceivedCall, startCentralSystem } from '../central-system.ts'
import { ChargePoint, SimulatedClock } from '../index.ts'
import { cleanUp, tidy } from '../network.testing.ts'

afterEach(tidy)

interface World {
  readonly cp: ChargePoint
  readonly central: CentralSystem
  readonly clock: SimulatedClock
  readonly calls: ReceivedCall[]
  /** When each of them came, in simulated seconds. */
  readonly times: number[]
}

async function worldThat(
  ocpp: '1.6' | '2.0.1',
  refuses: (call: ReceivedCall, world: { readonly calls: readonly ReceivedCall[] }) => boolean,
  problems: string[] = [],
): Promise<World> {
  const calls: ReceivedCall[] = []
  const times: number[] = []
  const clock = new SimulatedClock({ startAt: 0 })
  const central = await startCentralSystem({
    received(call) {
      calls.push(call)
      times.push(clock.now() / 1000)
    },
    refuses: (call) => refuses(call, { calls }),
  })
  cleanUp.push(() => central.close())
  const problem = (text: string) => void problems.push(text)
  const cp = await ChargePoint.connect({ url: central.url, id: 'RETRY', ocpp, clock, sampleSeconds: 60, problem })
  cleanUp.push(() => cp.close())
  return { cp, central, clock, calls, times }
}

const isStart = ({ method, request }: ReceivedCall) =>
  method === 'StartTransaction' || (method === 'TransactionEvent' && request.eventType === 'Started')
const isEnd = ({ method, request }: ReceivedCall) =>
  method === 'StopTransaction' || (method === 'TransactionEvent' && request.eventType === 'Ended')

async function charged(cp: ChargePoint): Promise<void> {
  await cp.boot()
  await cp.plug(1)
  await cp.swipe(1, 'CARD')
  await cp.wait(300)
  await cp.swipe(1, 'CARD')
  await cp.unplug(1)
}

describe.each(['1.6', '2.0.1'] as const)('SIM-A11: a transaction message that is refused, OCPP %s', (ocpp) => {
  it.each([
    ['start', isStart],
    ['end', isEnd],
  ])('the %s is said again, later each time, and the run goes on', async (_name, isSelected) => {
    const { cp, calls, times } = await worldThat(
      ocpp,
      (call, world) => isSelected(call) && world.calls.filter(isSelected).length <= 2,
    )
    await charged(cp)
    expect(calls.filter(isSelected)).toHaveLength(3)
    const [first = 0, ...again] = times.filter((_time, at) => calls[at] && isSelected(calls[at]))
    expect(again).toEqual([first + 10, first + 30])
    expect(cp.state.queuedMessages).toBe(0)
    expect(calls.filter(isEnd).length).toBeGreaterThanOrEqual(1)
  })

  it('one that is refused for good is thrown away, and what waited behind it is said', async () => {
    const { cp, calls } = await worldThat(ocpp, isStart)
    await charged(cp)
    expect(calls.filter(isStart)).toHaveLength(3)
    expect(calls.filter(isEnd)).toHaveLength(1)
    expect(cp.state.queuedMessages).toBe(0)
    expect(cp.station.finished[0]?.transaction.lostMessages).toBe(1)
  })

  it('samples and heartbeats go on while it waits for its next try', async () => {
    const { cp, calls, clock } = await worldThat(
      ocpp,
      (call, world) => isEnd(call) && world.calls.filter(isEnd).length <= 2,
    )
    await cp.boot()
    await cp.plug(1)
    await cp.swipe(1, 'CARD')
    await cp.wait(290)
    const before = clock.now()
    await cp.swipe(1, 'CARD')
    expect(clock.now() - before).toBe(30_000)
    expect(calls.some(({ method }) => method === 'Heartbeat')).toBe(true)
  })

  it('one whose connection is lost before its next try waits for the connection, and the station can be closed', async () => {
    const { cp, calls, clock } = await worldThat(
      ocpp,
      (call, world) => isEnd(call) && world.calls.filter(isEnd).length === 1,
    )
    await cp.boot()
    await cp.plug(1)
    await cp.swipe(1, 'CARD')
    clock.after(15_000, () => cp.offline())
    await cp.wait(10)
    const ended = cp.swipe(1, 'CARD')
    await expect.poll(() => cp.state.online).toBe(false)
    await ended
    expect(cp.state.queuedMessages).toBe(1)
    await cp.online()
    expect(calls.filter(isEnd)).toHaveLength(2)
    clock.stop()
    await cp.station.disconnect()
  })
})

describe.each(['1.6', '2.0.1'] as const)('SIM-A12: a BootNotification that is refused, OCPP %s', (ocpp) => {
  const isBoot = ({ method }: ReceivedCall) => method === 'BootNotification'

  it('with an error is said again after a while', async () => {
    const { cp, calls } = await worldThat(ocpp, (call, world) => isBoot(call) && world.calls.filter(isBoot).length <= 2)
    await expect(cp.boot()).rejects.toThrow('BootNotification was answered InternalError')
    expect(cp.state.registered).toBe(false)
    await cp.wait(25)
    expect(calls.filter(isBoot)).toHaveLength(3)
    expect(cp.state.registered).toBe(true)
  })

  it('is said again on the next connection where the first one was lost meanwhile', async () => {
    const { cp, calls } = await worldThat(
      ocpp,
      (call, world) => isBoot(call) && world.calls.filter(isBoot).length === 1,
    )
    await expect(cp.boot()).rejects.toThrow('InternalError')
    await cp.offline()
    await cp.wait(60)
    await cp.online()
    await expect.poll(() => cp.state.registered).toBe(true)
    expect(calls.filter(isBoot)).toHaveLength(2)
  })
})
