import { defineConfig } from 'vitest/config'

/**
 * `npm run test:browser`: needs Chromium (CHROMIUM_PATH, otherwise /usr/bin/chromium), so it is no part of `npm test`.
 */
export default defineConfig({
  test: {
    include: ['test/browser/**/*.browser.ts'],
    pool: 'forks',
    maxWorkers: 2,
    // What takes a second here takes a minute on a busy machine; only what hangs is meant.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 200_000 } },
  },
})
