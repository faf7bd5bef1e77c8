/**
 * A PostgreSQL and its standby, for tests that let one take the other's place. The standby's line goes through a gate,
 * so that it can fall behind. A new standby is copied from the primary while that works, as `pg_basebackup` would do.
 */
import { execFile } from 'node:child_process'
import { chownSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { freePort } from '../free-port.ts'
import { rowsOf, statement } from './databases.ts'
import { type Gate, gateTo } from './gate.ts'
import { isRunning, startServer } from './server.ts'

/** What a commit waits for. */
export type PairKind = 'synchronous' | 'asynchronous'

interface Member {
  readonly folder: string
  readonly port: number
  readonly pid: number
  readonly url: string
}

const NAME = 'standby'
const FOLLOW_LIMIT_MS = 60_000
/** Nothing that a new standby still needs is thrown away, and one that lost its line looks for it again soon. */
const SETTINGS = { wal_keep_size: '1GB', wal_retrieve_retry_interval: '200ms' }

export class PostgresPair {
  /** Of the database, with both hosts: whichever is the primary. */
  readonly url: string
  readonly #kind: PairKind
  readonly #database: string
  #primary: Member
  #standby: Member | undefined
  #gate: Gate | undefined

  private constructor(primary: Member, standbyPort: number, database: string, kind: PairKind) {
    this.#primary = primary
    this.#kind = kind
    this.#database = database
    this.url = `postgres://pilotwire@127.0.0.1:${primary.port},127.0.0.1:${standbyPort}/${database}`
  }

  /** @param folder of which two are made, that somebody without rights may pass through */
  static async open(folder: string, database: string, kind: PairKind): Promise<PostgresPair> {
    const primary = await member(`${folder}-1`, undefined, settingsOf(kind))
    // There is no standby yet that could confirm it.
    await withClient(primary.url, async (client) => {
      await client.query('SET synchronous_commit = local')
      await client.query(`CREATE DATABASE ${database}`)
    })
    const port = await freePort()
    const pair = new PostgresPair(primary, port, database, kind)
    await pair.#follow({ folder: `${folder}-2`, port })
    return pair
  }

  /** Of the database, at the present primary alone. */
  get primaryUrl(): string {
    return this.#primary.url.replace(/postgres$/, this.#database)
  }

  /** The standby gets nothing any more, and nobody is told so. */
  stallStandby(): void {
    this.#gate?.stall()
  }

  async stopStandby(): Promise<void> {
    if (this.#standby) await stopped(this.#standby.pid, 'SIGQUIT')
  }

  /** The one that was stopped, with what it had; resolves when it follows. */
  async startStandby(): Promise<void> {
    const { folder, port } = this.#present()
    this.#standby = await member(folder, port, this.#standbySettings())
    await this.#untilItFollows()
  }

  /** The primary is killed, the standby takes its place, and gets a standby of its own in the place of the dead one. */
  async failOver(): Promise<void> {
    const [dead, next] = [this.#primary, this.#present()]
    await stopped(dead.pid, 'SIGQUIT')
    await this.#gate?.close()
    await statement(next.url, 'SELECT pg_promote(true, 60)')
    this.#primary = next
    this.#standby = undefined
    await this.#follow(dead)
  }

  async close(): Promise<void> {
    for (const one of [this.#standby, this.#primary]) if (one) await stopped(one.pid, 'SIGQUIT')
    await this.#gate?.close()
  }

  #present(): Member {
    if (!this.#standby) throw new Error('There is no standby.')
    return this.#standby
  }

  #standbySettings(): Readonly<Record<string, string>> {
    const port = new URL(this.#gate?.url ?? '').port
    const primary_conninfo = `host=127.0.0.1 port=${port} user=pilotwire application_name=${NAME}`
    return { ...settingsOf(this.#kind), primary_conninfo }
  }

  async #follow({ folder, port }: Pick<Member, 'folder' | 'port'>): Promise<void> {
    await copyOf(this.#primary, folder)
    this.#gate = await gateTo(this.#primary.url)
    this.#standby = await member(folder, port, this.#standbySettings())
    await this.#untilItFollows()
  }

  async #untilItFollows(): Promise<void> {
    const state = this.#kind === 'synchronous' ? 'sync' : 'async'
    const follows = `SELECT 1 FROM pg_stat_replication WHERE state = 'streaming' AND sync_state = '${state}'`
    const end = Date.now() + FOLLOW_LIMIT_MS
    while ((await rowsOf(this.#primary.url, follows)).length === 0) {
      if (Date.now() > end) throw new Error('The standby does not follow.')
      await wait(50)
    }
  }
}

function settingsOf(kind: PairKind): Readonly<Record<string, string>> {
  return { ...SETTINGS, synchronous_standby_names: kind === 'synchronous' ? NAME : '' }
}

async function member(
  folder: string,
  port: number | undefined,
  settings: Readonly<Record<string, string>>,
): Promise<Member> {
  const { url, pid } = await startServer(folder, port, settings)
  return { folder, url, pid, port: Number(new URL(url).port) }
}

async function stopped(pid: number, signal: NodeJS.Signals): Promise<void> {
  if (isRunning(pid)) process.kill(pid, signal)
  while (isRunning(pid)) await wait(20)
}

/** In the place of whatever was in that folder. Files may change and vanish meanwhile; the log mends that. */
async function copyOf(primary: Member, folder: string): Promise<void> {
  const { uid, gid } = statSync(primary.folder)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { mode: 0o700 })
  chownSync(folder, uid, gid)
  await withClient(primary.url, async (client) => {
    await client.query(`SELECT pg_backup_start('standby', true)`)
    const pack = `tar --create --warning=none --exclude=./data/pg_wal/* --exclude=./data/postmaster.* ./data`
    await promisify(execFile)('sh', ['-c', `${pack} | tar --extract --directory "$0"`, folder], { cwd: primary.folder })
    const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(false)')
    for (const [name, text] of [
      ['backup_label', rows[0]?.labelfile ?? ''],
      ['standby.signal', ''],
    ] as const) {
      const path = join(folder, 'data', name)
      writeFileSync(path, text)
      chownSync(path, uid, gid)
    }
  })
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
