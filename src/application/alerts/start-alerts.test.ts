import { expect, it } from 'vitest'
import { manualClock } from '../../../test/support/clock.ts'
import { type AlertContext, startAlerts } from './start-alerts.ts'

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
}

// STORE-N14: of several servers one keeps watch
it('looks while it is the one, and not while another one is', async () => {
  const clock = manualClock(1_700_000_000_000)
  let isOurs = false
  let looked = 0
  const look = async (): Promise<readonly []> => {
    looked++
    return []
  }
  const reads = new Proxy({}, { get: () => look })
  const alerts = startAlerts({
    clock,
    reads,
    intervalMs: 1_000,
    isKeeper: async () => isOurs,
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    core: { statistics: async () => ({}) },
  } as unknown as AlertContext)
  const pass = async (): Promise<number> => {
    const before = looked
    clock.advance(1_000)
    await turns()
    return looked - before
  }
  expect(await pass()).toBe(0)
  isOurs = true
  expect(await pass()).toBeGreaterThan(0)
  isOurs = false
  expect(await pass()).toBe(0)
  await alerts.stop()
})
