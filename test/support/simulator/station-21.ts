/** A 2.1 station beside the central system of the tests; every frame of its own is held against ocpp-rpc's schemas. */
import { afterEach, expect } from 'vitest'
import { startCentralSystem } from '../../../simulator/central-system.ts'
import { ChargePoint, type ConnectOptions, type Frame, SimulatedClock } from '../../../simulator/index.ts'
import { validatorFor } from '../../../src/ocpp/schema/validators.ts'
import type { Payload } from '../../../src/ocpp/translate/payload.ts'

export const START = Date.parse('2026-01-05T08:00:00Z')
export const cleanUp: (() => Promise<unknown>)[] = []
/** For each file that calls `booted`: hooks at the top of a module that files share would be the first file's alone. */
export function closesStations(): void {
  afterEach(async () => {
    for (const undo of cleanUp.splice(0).reverse()) await undo()
  })
}

/** The answers say what `respond` says, and else what the central system does. */
/** `isRight`: no frame may break its schema. */
export async function booted(
  options: Partial<ConnectOptions> = {},
  respond: (method: string) => Payload | undefined = () => undefined,
  isRight = true,
) {
  const frames: Frame[] = []
  const asked = new Map<unknown, string>()
  const faults: string[] = []
  const check = (action: string, side: 'req' | 'conf', payload: unknown): void => {
    const isValid = validatorFor('ocpp2.1', action, side, 'outgoing')
    if (!isValid?.(payload)) faults.push(`${action} ${JSON.stringify(isValid?.errors)}`)
  }
  const calls: { readonly method: string; readonly request: Payload }[] = []
  const central = await startCentralSystem({
    respond: ({ method }) => respond(method),
    received: (call) => void calls.push(call),
  })
  const clock = new SimulatedClock({ startAt: START })
  const cp = await ChargePoint.connect({
    url: central.url,
    id: 'NEW-1',
    ocpp: '2.1',
    clock,
    seed: 1,
    ...options,
    frame(direction, frame) {
      const [type, id, method, payload] = frame
      if (direction === 'out' && type === 2) asked.set(id, String(method))
      if (direction === 'in') frames.push(frame)
      if (direction === 'in' && (type === 2 || type === 6)) check(String(method), 'req', payload)
      if (direction === 'in' && type === 3) check(asked.get(id) ?? '', 'conf', method)
    },
  })
  cleanUp.push(async () => {
    await cp.station.powerOff()
    await central.close()
    if (isRight) expect([...central.violations, ...faults]).toEqual([])
  })
  await cp.boot()
  const said = (method: string) =>
    frames.filter((frame) => frame[2] === method).map(([, , , payload]) => payload as Payload)
  const received = { requests: (method: string) => calls.filter((call) => call.method === method) }
  const events = () => said('TransactionEvent')
  const tariffId = () => (events().at(-1)?.transactionInfo as Payload | undefined)?.tariffId
  const triggers = () => events().map(({ triggerReason }) => triggerReason)
  const ask = (method: string, request: Payload) => central.call('NEW-1', method, request)
  const until = (look: () => unknown) =>
    expect.poll(async () => {
      await cp.wait(5)
      return look()
    })
  const charging = async () => {
    await cp.plug(1, { soc: 20 })
    await cp.swipe(1, 'CARD-1')
    await cp.wait(60)
    return String(cp.charge(1).transactionId)
  }
  return { cp, frames, received, said, events, tariffId, triggers, ask, until, charging }
}

export const variable = (component: string, name: string, instance?: string) => ({
  component: { name: component },
  variable: { name, ...(instance !== undefined && { instance }) },
})
export const TARIFF = {
  tariffId: 'DAY-1',
  currency: 'EUR',
  energy: { prices: [{ priceKwh: 0.5 }], taxRates: [{ type: 'VAT', tax: 20 }] },
}
export const dynamic = (more: Payload = {}, schedule: Payload = {}) => ({
  evseId: 1,
  chargingProfile: {
    id: 11,
    stackLevel: 3,
    chargingProfilePurpose: 'TxDefaultProfile',
    chargingProfileKind: 'Dynamic',
    chargingSchedule: [
      {
        id: 1,
        duration: 60,
        chargingRateUnit: 'A',
        chargingSchedulePeriod: [{ startPeriod: 0, limit: 10, numberPhases: 3 }],
        ...schedule,
      },
    ],
    ...more,
  },
})
