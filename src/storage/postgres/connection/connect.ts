/** Connections to the primary: which host it is, how a session is set up, and what a server must be like. */
import pg from 'pg'
import { asError, DatabaseRefused } from '../../storage-error.ts'
import type { PostgresAddress } from './address.ts'
import { isAway, isConflict } from './failures.ts'
import { fromDatabase, jsonFromDatabase } from './text.ts'

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
const FACTS = `SELECT current_setting('server_version_num')::int AS version, current_setting('fsync') AS fsync,
  current_setting('full_page_writes') AS "fullPageWrites", current_setting('synchronous_commit') AS "synchronousCommit",
  current_setting('transaction_isolation') AS isolation, current_setting('default_transaction_read_only') AS "readOnly",
  pg_is_in_recovery() AS "isStandby", current_setting('server_encoding') AS encoding,
  current_setting('standard_conforming_strings') AS "plainStrings", pg_backend_pid() AS pid`

interface Facts {
  readonly version: number
  readonly fsync: string
  readonly fullPageWrites: string
  readonly synchronousCommit: string
  readonly isolation: string
  readonly readOnly: string
  readonly isStandby: boolean
  readonly encoding: string
  readonly plainStrings: string
  readonly pid: number
}

export interface Connection {
  readonly client: pg.Client
  readonly pid: number
}

/** @throws DatabaseRefused for a server that must not be used; another error when no host is a primary */
export async function connect(address: PostgresAddress): Promise<Connection> {
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
  if (facts.version < OLDEST_VERSION) {
    refuse(
      `this is PostgreSQL ${Math.floor(facts.version / 10_000)}, and Pilotwire needs 15 or newer: upgrade the server.`,
    )
  }
  if (facts.isStandby) throw new NoPrimary(`${shown}: the server is a standby; the address must lead to the primary.`)
  if (facts.readOnly === 'on') {
    refuse('sessions are read-only here (default_transaction_read_only); turn that off for this user and database.')
  }
  if (facts.fsync !== 'on') refuse('fsync is off, so answered messages would be lost with the power: set fsync = on.')
  if (facts.fullPageWrites !== 'on') {
    refuse('full_page_writes is off, so a power cut would damage the database: set full_page_writes = on.')
  }
  if (facts.encoding !== 'UTF8') {
    refuse(`the database's encoding is ${facts.encoding}: create it with ENCODING 'UTF8' TEMPLATE template0.`)
  }
  const { synchronousCommit: commit, isolation } = facts
  if ((commit !== 'on' && commit !== 'remote_apply') || isolation !== 'read committed' || facts.plainStrings !== 'on') {
    refuse(
      `synchronous_commit, the isolation of transactions and standard_conforming_strings could not be set for this session (${commit}, ${isolation}, ${facts.plainStrings}): is there a pooler in transaction mode between? Connect to the server itself, or to a pooler in session mode.`,
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
