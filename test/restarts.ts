/**
 * Tests that share a server and its restarts, as starting one takes seconds of a core: each of them is a generator that
 * yields where the server has to start anew. They go one by one, in their order, until each has come that far; then the
 * server does so for all of them. Their charge points have names of their own.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Environment, type HouseProcess, spawnHouse } from './house.ts'

export type AcrossRestarts = (house: HouseProcess) => AsyncGenerator<void, void>

/** @returns what declares a test, as `it` does. */
export function acrossRestarts(
  end: 'SIGTERM' | 'SIGKILL',
  environment: Environment = {},
): (name: string, test: AcrossRestarts) => void {
  const tests = new Map<string, AcrossRestarts>()
  const failures = new Map<string, unknown>()
  let house: HouseProcess

  async function restart(): Promise<void> {
    if (end === 'SIGKILL') await house.kill()
    else expect(await house.terminate()).toBe(0)
    await house.startAgain()
  }

  beforeAll(async () => {
    house = await spawnHouse(environment)
    let running = [...tests].map(([name, test]) => [name, test(house)] as const)
    while (running.length > 0) {
      const waiting: typeof running = []
      for (const [name, steps] of running) {
        try {
          if (!(await steps.next()).done) waiting.push([name, steps])
        } catch (error) {
          failures.set(name, error)
        }
      }
      if (waiting.length > 0) await restart()
      running = waiting
    }
  })

  afterAll(() => house.close())

  return (name, test) => {
    tests.set(name, test)
    it(name, () => {
      if (failures.has(name)) throw failures.get(name)
    })
  }
}
