import { mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

/** They start processes, PostgreSQL, or both, and wait for restarts: `npm run test:all` has them. */
const SLOW = [
  'src/server/cli/**/*.test.ts',
  'src/storage/postgres/**/*.test.ts',
  'src/storage/sqlite/files/server-lock.test.ts',
  'src/webhooks/sending/samples.test.ts',
  'src/api/search-guide.test.ts',
]

/** Hold the sources against what is written about them. */
const WRITTEN = ['architecture', 'glossary', 'rules', 'style'].map((name) => `test/${name}.test.ts`)

const common = {
  globalSetup: ['test/global-setup.ts'],
  testTimeout: 40_000,
  hookTimeout: 60_000,
  // A condition is waited for as long as a busy machine needs; a second, as by default, is not that.
  expect: { poll: { timeout: 15_000 } },
}

/**
 * Where temporary databases lie that no test kills a process over: in memory where there is room, as half the time was
 * spent on waiting for the disk. Undefined: where the system has them.
 */
function folderInMemory(): string | undefined {
  const memory = '/dev/shm'
  try {
    const { bavail, bsize } = statfsSync(memory)
    if (bavail * bsize < 4 * 1024 ** 3) return undefined
  } catch {
    return undefined
  }
  const folder = mkdtempSync(join(memory, 'pilotwire-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const folder = folderInMemory()

/**
 * `npm test` runs `quick`, `npm run test:all` all of them and the browser's. Nearly a third of the time was spent on
 * starting a process for each file and on importing the same modules again, so files share their worker's modules: no
 * test mocks a module or leaves an environment behind.
 */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...common,
          name: 'quick',
          ...(folder !== undefined && { env: { TMPDIR: folder } }),
          include: ['src/**/*.test.{ts,tsx}', 'simulator/**/*.test.ts', 'bench/**/*.test.ts', ...WRITTEN],
          exclude: SLOW,
          pool: 'threads',
          isolate: false,
          maxWorkers: 2,
        },
      },
      {
        test: {
          ...common,
          name: 'house',
          // Behind `quick`: another number of workers is another group.
          sequence: { groupOrder: 1 },
          include: ['test/**/*.test.ts', ...SLOW],
          exclude: WRITTEN,
          pool: 'forks',
          // Of two cores a third is idle with two: many tests wait for a restart or a lease.
          maxWorkers: 3,
        },
      },
    ],
  },
})
