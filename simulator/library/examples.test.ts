/** What the documentation shows is run as it stands there, against a central system on plain ocpp-rpc. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { startCentralSystem } from '../central-system.ts'
import { ChargePoint, SimulatedClock } from '../index.ts'

const AsyncFunction = Object.getPrototypeOf(async () => undefined).constructor as new (
  ...parts: string[]
) => (...args: unknown[]) => Promise<unknown>

/** Examples in comments and blocks of TypeScript, as far as they are about a station. */
function examples(): readonly (readonly [string, string])[] {
  const files = ['simulator/library/charge-point.ts', 'simulator/time/simulated-time.ts']
  const inComments = files.flatMap((path) => {
    const text = readFileSync(path, 'utf8')
    return [...text.matchAll(/@example\n((?: \* .*\n)+)/g)].map(
      ([, block = '']) => [path, block.replaceAll(/^ \* /gm, '')] as const,
    )
  })
  const readme = readFileSync('simulator/README.md', 'utf8')
  const blocks = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, block = '']) => ['README', block] as const)
  return [...inComments, ...blocks]
}

describe('SIM-A7: the examples', () => {
  it.each(examples())('of %s run', async (_path, code) => {
    const central = await startCentralSystem()
    const body = code.replaceAll(/^import .*\n/gm, '').replaceAll(/console\.log\((.*)\)/g, 'shown.push($1)')
    const shown: unknown[] = []
    const run = new AsyncFunction('ChargePoint', 'SimulatedClock', 'url', 'shown', body)
    await run(ChargePoint, SimulatedClock, central.url, shown)
    expect(central.violations).toEqual([])
    if (code.includes('console.log(cp.charge')) expect(shown[0]).toMatchObject({ energyKwh: expect.any(Number) })
    await central.close()
  })
})
