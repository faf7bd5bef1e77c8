import { defineConfig } from 'vitest/config'

/**
 * `npm run test:browser`: needs Chromium (CHROMIUM_PATH, otherwise /usr/bin/chromium), so it is no part of `npm test`.
 */
export default defineConfig({
  test: {
    include: ['test/browser/**/*.browser.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
})
