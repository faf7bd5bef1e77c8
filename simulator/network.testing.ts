/** A simulated station and a central system that is not Pilotwire, for the tests of a station under management. */
import { vi } from 'vitest'
import type { Payload } from '../src/ocpp/translate/payload.ts'
import { type CentralSystem, type ReceivedCall, startCentralSystem } from './central-system.ts'
import { ChargePoint, type ConnectOptions, SimulatedClock } from './index.ts'

export const cleanUp: (() => Promise<unknown>)[] = []

/** After each test. */
export async function tidy(): Promise<void> {
  for (const undo of cleanUp.splice(0).reverse()) await undo()
}

/** Generous, because the machine may be busy with other tests. */
export const eventually = <T>(check: () => T | Promise<T>): Promise<T> => vi.waitFor(check, { timeout: 60_000 })

export interface House {
  readonly system: CentralSystem
  readonly cp: ChargePoint
  readonly calls: ReceivedCall[]
  readonly problems: string[]
  readonly ask: (method: string, request: Payload) => Promise<Payload>
  readonly reported: (method: string) => readonly Payload[]
}

export async function booted(
  ocpp: '1.6' | '2.0.1',
  options: Partial<ConnectOptions> = {},
  refused: readonly string[] = [],
) {
  const calls: ReceivedCall[] = []
  const problems: string[] = []
  const system = await startCentralSystem({
    received: (call) => void calls.push(call),
    tokenStatus: (token) => (refused.includes(token) ? 'Invalid' : 'Accepted'),
  })
  cleanUp.push(() => system.close())
  const cp = await ChargePoint.connect({
    url: system.url,
    id: 'NET-1',
    ocpp,
    clock: new SimulatedClock(),
    seed: 1,
    problem: (problem) => void problems.push(problem),
    ...options,
  })
  cleanUp.push(() => cp.close())
  await cp.boot()
  const house: House = {
    system,
    cp,
    calls,
    problems,
    ask: (method, request) => system.call('NET-1', method, request),
    reported: (method) => calls.filter((call) => call.method === method).map(({ request }) => request),
  }
  return house
}
