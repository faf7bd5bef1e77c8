import { expect, it } from 'vitest'
import { runKills } from '../../bench/power-cut.ts'

// The power cut itself needs a C compiler and stands in the bench (BENCH-B10).
it('OCPP-DR5: a process killed with SIGKILL under load loses nothing that was acknowledged', async () => {
  const result = await runKills({ kills: 2 })
  expect(result.acknowledged).toBeGreaterThan(100)
  expect(result.lost).toBe(0)
})
