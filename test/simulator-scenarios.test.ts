/** Every scenario of the simulator against the whole server, in every version that it is made for. */
import { describe, expect, it } from 'vitest'
import { createApiClient } from '../simulator/cli/api-client.ts'
import { SimulatedClock } from '../simulator/index.ts'
import { allScenarios } from '../simulator/scenarios/engine/collection.ts'
import { parseScenario } from '../simulator/scenarios/engine/parse.ts'
import { runScenario } from '../simulator/scenarios/engine/run.ts'
import { houseOfFile } from './house.ts'

const house = await houseOfFile({ PILOTWIRE_OCPP_VERSIONS: '1.6,2.0.1,2.1' })

const scenarios = allScenarios()
const cases = scenarios.flatMap((scenario) => scenario.versions.map((ocpp) => ({ ...scenario, ocpp, scenario })))

describe('SIM-C1: the scenarios of the simulator', () => {
  it('are at least 25, each with a title of its own within its version', () => {
    expect(scenarios.length).toBeGreaterThanOrEqual(25)
    const titles = cases.map(({ title, ocpp }) => `${title} ${ocpp}`)
    expect(new Set(titles).size).toBe(titles.length)
  })

  it.each(cases)('$name over OCPP $ocpp: $title', async ({ scenario, name, ocpp }) => {
    const problems: string[] = []
    const { assertions, station } = await runScenario(scenario, {
      connect: {
        url: house.ocppUrl,
        id: `SC-${name}-${ocpp}`,
        ocpp,
        clock: new SimulatedClock(),
        seed: 1,
        problem: (text) => problems.push(text),
      },
      api: createApiClient(house.url, house.credential),
      apiUrl: house.url,
      patienceMs: 100_000,
      now: Date.now,
      pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    })
    await station.close()
    expect(assertions.filter(({ ok }) => !ok)).toEqual([])
    expect(assertions.length).toBe(scenario.steps.length)
    if (name !== 'unreadable-frames' && name !== 'unknown-action') expect(problems).toEqual([])
  })
})

it('SIM-C1: what never becomes true ends a scenario after its patience, and says what was there instead', async () => {
  const scenario = parseScenario(
    'title: Never\nsteps:\n  - boot\n  - connectorIs: { status: Charging }\n',
    'never.yaml',
    'never',
  )
  const { assertions, station } = await runScenario(scenario, {
    connect: { url: house.ocppUrl, id: 'SC-never', clock: new SimulatedClock() },
    apiUrl: house.url,
    patienceMs: 50,
    now: Date.now,
    pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  })
  await station.close()
  expect(assertions.at(-1)).toMatchObject({
    ok: false,
    detail: 'connector 1 is Available, expected "Charging" (waited 0.05 s)',
  })
})
