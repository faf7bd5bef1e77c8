import { mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** They start processes, PostgreSQL, or both, and wait for restarts: `npm run test:all` has them. */
const SLOW = [
  'src/server/cli/**/*.test.ts',
  'src/storage/postgres/**/*.test.ts',
  'src/storage/sqlite/files/server-lock.test.ts',
  'src/webhooks/sending/samples.test.ts',
  'src/api/search-guide.test.ts',
]

/** Hold the sources against what is written about them. */
const WRITTEN = ['architecture', 'glossary', 'rules', 'style', 'weight'].map((name) => `test/${name}.test.ts`)

/**
 * Begun last, one of these would run alone in the end, so they begin first, longest first, those that wait beside those
 * that do not. The others go by their size.
 */
const LONGEST = [
  'test/postgres/cluster.test.ts',
  'test/contract/addresses.test.ts',
  'test/postgres/nodes.test.ts',
  'test/postgres/limit-groups.test.ts',
  'src/server/cli/serve.test.ts',
  'test/postgres/failover.test.ts',
  'test/package.test.ts',
  'test/postgres/adoption.test.ts',
  'test/restart.test.ts',
  'test/postgres/mailbox.test.ts',
  'test/disk.test.ts',
  'test/station-network.test.ts',
  'test/simulator-quirks.test.ts',
  'test/postgres/killed.test.ts',
  'test/shared-line.test.ts',
  'test/older-database.test.ts',
  'test/fleet-settings.test.ts',
  'test/client-certificates.test.ts',
]

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const longest = LONGEST.flatMap((name) => sorted.filter(({ moduleId }) => moduleId.endsWith(`/${name}`)))
    return [...longest, ...sorted.filter((file) => !longest.includes(file))]
  }
}

const common = {
  globalSetup: ['test/global-setup.ts'],
  // What takes a second here takes a minute beside a load of 20; only what hangs is meant.
  testTimeout: 600_000,
  hookTimeout: 600_000,
  expect: { poll: { timeout: 200_000 } },
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
 * `npm test` runs `quick`, `npm run test:all` all of them and the browser's. Importing the same modules again for each
 * file was nearly a third of the time of `quick`, and half of what the cores did in `house`, so files share their
 * worker's modules: no test mocks a module or leaves an environment behind.
 */
export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
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
          isolate: false,
          // Of two cores a part is idle with three: many tests wait for a restart or a lease.
          maxWorkers: 4,
        },
      },
    ],
  },
})
