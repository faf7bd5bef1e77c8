import { afterEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/server/system.ts'
import { type CentralSystem, startCentralSystem } from '../central-system.ts'
import { type ChargePoint, createChargePoint } from '../charge-point.ts'
import { cleanUp, tidy } from '../network.testing.ts'
import { stayOnline } from './stay.ts'

afterEach(tidy)

interface House {
  readonly system: CentralSystem
  readonly chargePoint: ChargePoint
  readonly methods: string[]
  readonly steps: string[]
  readonly end: () => Promise<void>
  /** Resolves once the story came to this step so many times. */
  reached(step: string, times?: number): Promise<void>
}

async function staying(protocol: 'ocpp1.6' | 'ocpp2.0.1', energyWh: number): Promise<House> {
  const methods: string[] = []
  const steps: string[] = []
  const waiting: (() => void)[] = []
  const system = await startCentralSystem({ received: ({ method }) => methods.push(method) })
  cleanUp.push(() => system.close())
  const chargePoint = createChargePoint({ protocol, url: system.url, id: 'STAY', sampleIntervalMs: 200 })
  cleanUp.push(() => chargePoint.powerOff())
  let end = (): void => undefined
  const until = new Promise<void>((resolve) => {
    end = resolve
  })
  const reported = (step: string): void => {
    steps.push(step)
    for (const look of waiting) look()
  }
  const over = stayOnline(chargePoint, { clock: systemClock, durationMs: 1000, energyWh, until, step: reported })
  return {
    system,
    chargePoint,
    methods,
    steps,
    end: () => {
      end()
      return over
    },
    reached: (step, times = 1) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (steps.filter((one) => one === step).length >= times) resolve()
        }
        waiting.push(look)
        look()
      }),
  }
}

const START = {
  'ocpp1.6': ['RemoteStartTransaction', { idTag: 'APP' }],
  'ocpp2.0.1': ['RequestStartTransaction', { remoteStartId: 1, idToken: { idToken: 'APP', type: 'Central' } }],
} as const

describe.each(['ocpp1.6', 'ocpp2.0.1'] as const)('a station that stays online, %s', (protocol) => {
  it('charges when it is started from afar, ends when it is told to, and is free for the next', async () => {
    const house = await staying(protocol, 50_000)
    await house.reached('waiting for orders')
    expect(house.methods).not.toContain('Authorize')
    const [method, request] = START[protocol]
    expect(await house.system.call('STAY', method, request)).toMatchObject({ status: 'Accepted' })
    await house.reached('charging')
    const transactionId = house.chargePoint.snapshot().connectors[0]?.transaction?.transactionId
    const stopped =
      protocol === 'ocpp1.6'
        ? house.system.call('STAY', 'RemoteStopTransaction', { transactionId: Number(transactionId) })
        : house.system.call('STAY', 'RequestStopTransaction', { transactionId })
    expect(await stopped).toMatchObject({ status: 'Accepted' })
    await house.reached('waiting for orders', 2)
    expect(house.chargePoint.snapshot().connectors[0]).toMatchObject({ plugged: false, status: 'Available' })
    expect(await house.system.call('STAY', method, request)).toMatchObject({ status: 'Accepted' })
    await house.reached('charging', 2)
    await house.end()
    expect(house.chargePoint.snapshot()).toMatchObject({ queuedMessages: 0, connectors: [{ plugged: false }] })
    expect(house.system.violations).toEqual([])
  })

  it('a car that has what it wants stops drawing and stays until it is told to go', async () => {
    const house = await staying(protocol, 2000)
    await house.reached('waiting for orders')
    const [method, request] = START[protocol]
    await house.system.call('STAY', method, request)
    await house.reached('suspended')
    const connector = house.chargePoint.snapshot().connectors[0]
    expect(connector?.reading.powerW).toBe(0)
    expect(connector?.transaction?.energyWh).toBeGreaterThanOrEqual(2000)
    await house.end()
    expect(house.system.violations).toEqual([])
  })
})
