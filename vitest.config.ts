import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.{ts,tsx}', 'simulator/**/*.test.ts', 'bench/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/global-setup.ts'],
    pool: 'forks',
    // Of two cores a third is idle with two: many tests wait for a restart or a lease.
    maxWorkers: 3,
    testTimeout: 40_000,
    hookTimeout: 60_000,
  },
})
