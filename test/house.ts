/** The whole server for the tests of this folder, seen only as its clients see it: sockets and HTTP. */
import { randomBytes } from 'node:crypto'
import { afterAll, expect, vi } from 'vitest'
import { loadConfig } from '../src/config/read-settings.ts'
import { startServer } from '../src/server/app.ts'
import { firstStart } from '../src/server/first-start.ts'
import type { FileStore } from '../src/storage/database.ts'
import { startCli, testInstallation } from './support/server/cli/testing.ts'
import { openStore } from './support/storage/testing.ts'

export type Environment = Readonly<Record<string, string>>
export type Json = Readonly<Record<string, unknown>>

export interface ApiAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: Json
}

/** What partners see of a server. */
export interface Partner {
  request(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<ApiAnswer>
  /** The members of a list that is asked for, or of its first page. */
  list(path: string): Promise<readonly Json[]>
  session(id: string): Promise<Json>
  /** Newest first. */
  sessions(chargePointId: string): Promise<readonly Json[]>
  /** The one that there is. */
  onlySession(chargePointId: string): Promise<Json>
  /** Every row of the log that the search finds, newest first. */
  rows(chargePointId: string, filter?: Json): Promise<readonly Json[]>
}

/** Waits for a condition; generous, because the machine may be busy with other tests. */
export async function until(condition: () => boolean | Promise<boolean>, timeout = 200_000): Promise<void> {
  await vi.waitUntil(condition, { timeout, interval: 10 })
}

/**
 * Waits until so many are there, as long as they go on coming: with a disk that takes a second for each sync a flood
 * takes half a minute, and is nothing the worse for it.
 */
export async function untilCounted(count: () => number, desired: number): Promise<void> {
  while (count() < desired) {
    const before = count()
    await until(() => count() > before)
  }
}

const EVERYTHING_FROM = '2020-01-01T00:00:00Z'
const MAX_PAGE_LENGTH = 500

export function partner(url: string, credential: string): Partner {
  const request: Partner['request'] = async (method, path, body, headers) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${credential}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, body: text ? (JSON.parse(text) as Json) : {} }
  }
  const found = async (method: string, path: string, body?: unknown): Promise<Json> => {
    const answer = await request(method, path, body)
    if (answer.status !== 200) throw new Error(`${method} ${path} was answered ${answer.status}: ${answer.text}`)
    return answer.body
  }
  const session: Partner['session'] = (id) => found('GET', `/sessions/${id}`)
  const sessions: Partner['sessions'] = async (chargePointId) => {
    const list = await found('GET', `/2/sessions?evseControllerId=${encodeURIComponent(chargePointId)}`)
    return list.data as readonly Json[]
  }
  return {
    request,
    list: async (path) => (await request('GET', path)).body.data as readonly Json[],
    session,
    sessions,
    async onlySession(chargePointId) {
      const all = await sessions(chargePointId)
      expect(all).toHaveLength(1)
      return session(String(all[0]?.id))
    },
    async rows(chargePointId, filter = {}) {
      const path = `/2/evse-controllers/${encodeURIComponent(chargePointId)}/commands/search`
      const rows: Json[] = []
      let search: Json = { from: EVERYTHING_FROM, limit: MAX_PAGE_LENGTH, ...filter }
      for (;;) {
        const page = (await found('POST', path, search)) as unknown as {
          readonly data: readonly Json[]
          readonly meta: { readonly nextCursor?: string }
        }
        rows.push(...page.data)
        if (page.meta.nextCursor === undefined) return rows
        search = { ...search, cursor: page.meta.nextCursor }
      }
    },
  }
}

/** No test of this folder is about rates, and few expect to be asked for their variables. */
const SETTINGS: Environment = {
  PILOTWIRE_RATE_V1: '0',
  PILOTWIRE_RATE_V2: '0',
  PILOTWIRE_RATE_API: '0',
  PILOTWIRE_OCPP_REPORTS: 'manual',
}

/** Charge points and id tokens must be known; the address stays on this machine. */
export const PRODUCTION: Environment = { PILOTWIRE_MODE: 'production', PILOTWIRE_HOST: '127.0.0.1' }

export interface House extends Partner {
  readonly url: string
  readonly port: number
  /** Of /metrics, where that is another one. */
  readonly metricsPort: number | undefined
  /** Path of the database file. */
  readonly database: string
  /** Without the identity. */
  readonly ocppUrl: string
  readonly credential: string
  /** Every address that is answered, as a pattern. */
  readonly routes: readonly { readonly path: string; readonly method: string }[]
  /** Resolves when a thread of the server died. */
  readonly failed: Promise<Error>
  /** Messages that the server logged as errors. */
  readonly errors: readonly string[]
  /** Runs a command line tool on the same database. */
  cli(args: readonly string[]): Promise<Json>
  close(): Promise<void>
  /** The same of one that logged no error. */
  closeClean(): Promise<void>
}

/** A server in this process, on any free port and a database that has nothing but what `seed` puts there. */
export async function openHouse(
  environment: Environment = {},
  seed?: (store: FileStore) => Promise<void>,
): Promise<House> {
  const installation = testInstallation()
  const settings = { ...installation.environment, ...SETTINGS, ...environment }
  const { config } = loadConfig(settings, randomBytes)
  const store = openStore(installation.database)
  const { first } = await firstStart(store.reads, store.writes, config, 'house', randomBytes, Date.now())
  await seed?.(store)
  store.close()
  if (!first) throw new Error('The first start made no credential.')
  const errors: string[] = []
  const server = await startServer(config, {
    info: () => undefined,
    warn: () => undefined,
    error: (fields, message) => errors.push(`${message} ${JSON.stringify(fields)}`),
  })
  const close = async (): Promise<void> => {
    await server.stop()
    installation.remove()
  }
  return {
    ...partner(server.url, first.credential),
    url: server.url,
    port: server.port,
    metricsPort: server.metricsPort,
    database: installation.database,
    ocppUrl: `${server.url.replace('http', 'ws')}/ocpp`,
    credential: first.credential,
    routes: server.routes,
    failed: server.failed,
    errors,
    cli: (args) => installation.json(args, settings),
    close,
    async closeClean() {
      expect(errors).toEqual([])
      await close()
    },
  }
}

/** The one of a file of tests: it is closed after them, with its stations, and must have logged no error. */
export async function houseOfFile(...of: Parameters<typeof openHouse>): Promise<House> {
  const house = await openHouse(...of)
  afterAll(() => house.closeClean())
  return house
}

/** A server in a process of its own, which can be killed and comes back on the same port with the same database. */
export interface HouseProcess extends Partner {
  readonly url: string
  readonly ocppUrl: string
  readonly credential: string
  readonly pid: number
  /** Path of the database file. */
  readonly database: string
  /** Runs a command line tool on the same database. */
  cli(args: readonly string[]): Promise<Json>
  /** SIGTERM; resolves with the exit code. */
  terminate(): Promise<number>
  /** SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>
  /** After one of them. */
  startAgain(): Promise<void>
  close(): Promise<void>
}

export async function spawnHouse(environment: Environment = {}): Promise<HouseProcess> {
  const installation = testInstallation()
  let settings: Environment = { ...installation.environment, ...SETTINGS, ...environment }
  const start = async () => {
    const child = startCli(['serve', '--json'], settings, installation.folder)
    const ready = JSON.parse(await child.firstLine) as { url: string; firstStart?: { credential: string } }
    return { child, ...ready }
  }
  const first = await start()
  const { url, firstStart: { credential } = { credential: '' } } = first
  settings = { ...settings, PILOTWIRE_PORT: new URL(url).port }
  let { child } = first
  const end = async (signal: NodeJS.Signals): Promise<number> => {
    child.process.kill(signal)
    return (await child.ended).code
  }
  return {
    ...partner(url, credential),
    url,
    credential,
    ocppUrl: `${url.replace('http', 'ws')}/ocpp`,
    get pid() {
      return child.process.pid ?? 0
    },
    database: installation.database,
    cli: (args) => installation.json(args, settings),
    terminate: () => end('SIGTERM'),
    async kill() {
      await end('SIGKILL')
    },
    async startAgain() {
      child = (await start()).child
    },
    async close() {
      await end('SIGKILL')
      installation.remove()
    },
  }
}
