import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import pg from 'pg'
import { asError, DatabaseRefused } from '../../storage-error.ts'
import { ConnectionLost, isAway, isConflict, type PostgresAddress } from './address.ts'
import { type Bound, fromDatabase, jsonFromDatabase } from './text.ts'

export interface Result<Row> {
  readonly rows: readonly Row[]
  readonly changes: number
}

/** A server keeps each prepared statement of each connection, which rare ones are not worth. */
const PREPARED = 400

export class Session {
  readonly pid: number
  readonly #client: pg.Client
  readonly #names = new Map<string, string>()
  #isBroken = false
  #isDoubtful = false

  private constructor(client: pg.Client, pid: number) {
    this.#client = client
    this.pid = pid
    client.on('error', () => {
      this.#isBroken = true
    })
    client.on('end', () => {
      this.#isBroken = true
    })
    // The commit is on this server's disk alone: its durability is unknown.
    client.on('notice', ({ message }) => {
      if (message?.includes('canceling wait for synchronous replication')) this.#isDoubtful = true
    })
  }

  static async open(address: PostgresAddress): Promise<Session> {
    const { client, pid } = await connect(address)
    return new Session(client, pid)
  }

  static async during<T>(address: PostgresAddress, work: (session: Session) => Promise<T>): Promise<T> {
    const session = await Session.open(address)
    try {
      return await work(session)
    } finally {
      await session.end()
    }
  }

  get isBroken(): boolean {
    return this.#isBroken
  }

  /** Called with the notified channel; with none when the session ends. */
  onNotification(heard: (channel?: string) => void): void {
    this.#client.on('notification', ({ channel }) => heard(channel))
    this.#client.on('end', () => heard())
  }

  rows<Row>(text: string, values: readonly Bound[] = []): Promise<Result<Row>> {
    return this.#query<Row>(text, values, undefined)
  }

  arrays(text: string, values: readonly Bound[] = []): Promise<Result<readonly unknown[]>> {
    return this.#query<readonly unknown[]>(text, values, 'array')
  }

  async value<T>(text: string, values: readonly Bound[] = []): Promise<T | undefined> {
    const { rows } = await this.arrays(text, values)
    return rows[0]?.[0] as T | undefined
  }

  async run(text: string): Promise<void> {
    await this.#sent(() => this.#client.query(text))
  }

  /** @param next the next piece of rows in COPY's text; undefined at the end */
  async copyIn(text: string, next: () => string | undefined): Promise<void> {
    await this.#sent(() => this.#client.query(new CopyIn(text, next)).done)
  }

  async end(): Promise<void> {
    this.#isBroken = true
    await this.#client.end().catch(() => undefined)
  }

  async #query<Row>(text: string, values: readonly Bound[], rowMode: 'array' | undefined): Promise<Result<Row>> {
    const name = this.#nameOf(text)
    const config = { text, values: values as Bound[], name, rowMode }
    const { rows, rowCount } = await this.#sent(() => this.#client.query(config as pg.QueryConfig))
    return { rows: rows as Row[], changes: rowCount ?? 0 }
  }

  async #sent<T>(send: () => Promise<T>): Promise<T> {
    if (this.#isBroken) throw new ConnectionLost('The connection to the database has ended.')
    try {
      const answer = await send()
      if (!this.#isDoubtful) return answer
      await this.end()
      throw new ConnectionLost('The database stopped waiting for its standby.')
    } catch (error) {
      if (!isAway(error)) throw error
      this.#isBroken = true
      throw new ConnectionLost('The connection to the database ended before it answered.', { cause: error })
    }
  }

  #nameOf(text: string): string | undefined {
    const known = this.#names.get(text)
    if (known !== undefined || this.#names.size >= PREPARED) return known
    const name = `p${this.#names.size}`
    this.#names.set(text, name)
    return name
  }
}

/** Members of the driver's connection that its types lack. */
interface CopyConnection {
  readonly stream: Writable
  query(text: string): void
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
  sendCopyFail(message: string): void
}

class CopyIn implements pg.Submittable {
  readonly done: Promise<void>
  readonly #text: string
  readonly #next: () => string | undefined
  #isOver = false
  #failure: unknown
  #resolve: () => void = () => undefined
  #reject: (error: unknown) => void = () => undefined

  constructor(text: string, next: () => string | undefined) {
    this.#text = text
    this.#next = next
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
  }

  submit(connection: unknown): void {
    const { query } = connection as CopyConnection
    query.call(connection, this.#text)
  }

  handleCopyInResponse(connection: CopyConnection): void {
    void this.#feed(connection)
  }

  handleCommandComplete(): void {
    this.#isOver = true
  }

  handleError(error: unknown): void {
    this.#isOver = true
    this.#reject(this.#failure ?? error)
  }

  handleReadyForQuery(): void {
    this.#resolve()
  }

  async #feed(connection: CopyConnection): Promise<void> {
    try {
      for (let piece = this.#next(); piece !== undefined && !this.#isOver; piece = this.#next()) {
        connection.sendCopyFromChunk(Buffer.from(piece, 'utf8'))
        // Yields to the socket: the server works on this piece while the next one is made.
        if (connection.stream.writableNeedDrain) await Promise.race([once(connection.stream, 'drain'), this.done])
        else await setImmediate()
      }
      if (!this.#isOver) connection.endCopyFrom()
    } catch (error) {
      this.#failure = error
      if (!this.#isOver) connection.sendCopyFail('The rows could not be read.')
    }
  }
}

/** A silent host must not keep the next one waiting. */
const CONNECT_TIMEOUT_MS = 5_000
const OLDEST_VERSION = 150_000

const INT8 = 20
const TEXT_TYPES: ReadonlySet<number> = new Set([25, 1043])
const JSON_TYPE = 114
const asText = (text: string): string => fromDatabase(text)

/** Integers are below 2^53; texts come back unchanged. */
const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === INT8) return Number
    if (TEXT_TYPES.has(oid)) return asText
    if (oid === JSON_TYPE) return jsonFromDatabase
    return pg.types.getTypeParser(oid, format as 'text')
  },
} as unknown as pg.CustomTypesConfig

/** A session that answered no is set up anew rather than used: its promises hold for its whole life. */
const SETUP = `SELECT set_config('synchronous_commit', CASE current_setting('synchronous_commit')
    WHEN 'remote_apply' THEN 'remote_apply' ELSE 'on' END, false),
  set_config('default_transaction_isolation', 'read committed', false),
  set_config('idle_in_transaction_session_timeout', '60000', false),
  set_config('statement_timeout', '0', false), set_config('lock_timeout', '0', false), set_config('jit', 'off', false)`

/** `transaction_read_only` may still be on where a standby is promoted between BEGIN and the question. */
const SETTINGS = [
  ...['server_version_num', 'fsync', 'full_page_writes', 'synchronous_commit', 'transaction_isolation'],
  ...['default_transaction_read_only', 'server_encoding', 'standard_conforming_strings'],
]
const FACTS = `SELECT pg_is_in_recovery() AS "isStandby", pg_backend_pid() AS pid,
  ${SETTINGS.map((name) => `current_setting('${name}') AS ${name}`).join(', ')}`

interface Facts extends Readonly<Record<string, unknown>> {
  readonly isStandby: boolean
  readonly pid: number
}

/** @throws DatabaseRefused for a server that must not be used; another error when no host is a primary */
export async function connect(address: PostgresAddress): Promise<{ readonly client: pg.Client; readonly pid: number }> {
  let last: unknown = new Error('The address names no host.')
  for (const { host, port } of address.hosts) {
    const { user, database, ssl } = address
    const client = new pg.Client({
      host,
      port,
      user,
      database,
      ssl,
      types,
      password: address.password,
      application_name: 'pilotwire',
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: 5_000,
    })
    // Reported to waiting callers; without a listener it would end the process.
    client.on('error', () => undefined)
    try {
      await client.connect()
      const pid = await prepared(client, address)
      return { client, pid }
    } catch (error) {
      await client.end().catch(() => undefined)
      const refusal = refused(error, address)
      if (refusal) throw refusal
      last = error
    }
  }
  throw last
}

class NoPrimary extends Error {
  readonly code = '25006'
}

async function prepared(client: pg.Client, { shown }: PostgresAddress): Promise<number> {
  const answers = (await client.query(`${SETUP}; ${FACTS}`)) as unknown as readonly pg.QueryResult<Facts>[]
  const facts = answers[1]?.rows[0] as Facts
  const refuse = (why: string): never => {
    throw new DatabaseRefused(`${shown}: ${why}`)
  }
  const version = Number(facts.server_version_num)
  if (version < OLDEST_VERSION) {
    refuse(`this is PostgreSQL ${Math.floor(version / 10_000)}, and Pilotwire needs 15 or newer: upgrade the server.`)
  }
  if (facts.isStandby) throw new NoPrimary(`${shown}: the server is a standby; the address must lead to the primary.`)
  if (facts.default_transaction_read_only === 'on') {
    refuse('sessions are read-only here (default_transaction_read_only); turn that off for this user and database.')
  }
  if (facts.fsync !== 'on') refuse('fsync is off, so answered messages would be lost with the power: set fsync = on.')
  if (facts.full_page_writes !== 'on') {
    refuse('full_page_writes is off, so a power cut would damage the database: set full_page_writes = on.')
  }
  if (facts.server_encoding !== 'UTF8') {
    refuse(`the database's encoding is ${facts.server_encoding}: create it with ENCODING 'UTF8' TEMPLATE template0.`)
  }
  const { synchronous_commit: commit, transaction_isolation: isolation, standard_conforming_strings: strings } = facts
  if ((commit !== 'on' && commit !== 'remote_apply') || isolation !== 'read committed' || strings !== 'on') {
    refuse(
      `synchronous_commit, the isolation of transactions and standard_conforming_strings could not be set for this session (${commit}, ${isolation}, ${strings}): is there a pooler in transaction mode between? Connect to the server itself, or to a pooler in session mode.`,
    )
  }
  return facts.pid
}

/** Permanent faults. */
function refused(error: unknown, { shown, user, database }: PostgresAddress): DatabaseRefused | undefined {
  if (error instanceof DatabaseRefused) return error
  if (isAway(error) || isConflict(error)) return undefined
  const { code = '' } = error as { readonly code?: string | undefined }
  const sentence: Readonly<Record<string, string>> = {
    '28P01': `the password of ${user} is wrong; check PILOTWIRE_DATABASE_URL.`,
    '28000': `the server does not let ${user} in (pg_hba.conf); allow this host, or use TLS with sslmode=require.`,
    '3D000': `there is no database ${database}; create it: CREATE DATABASE "${database}" OWNER "${user}".`,
  }
  const advice = sentence[code]
  return new DatabaseRefused(`${shown}: ${advice ?? `the connection failed: ${asError(error).message}.`}`, {
    cause: error,
  })
}
