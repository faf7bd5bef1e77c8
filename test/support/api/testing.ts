import { randomBytes } from 'node:crypto'
import type { Server } from 'node:http'
import { afterAll } from 'vitest'
import type { Scope, TokenPrincipal } from '../../../src/api/access/access.ts'
import { createApi } from '../../../src/api/api.ts'
import type { ApiContext, ApiSettings } from '../../../src/api/api-parts.ts'
import { createCredential } from '../../../src/domain/accounts/credentials.ts'
import { LOG_EPOCH_MS, logIdAt } from '../../../src/domain/message-log/log-id.ts'
import type { Core, SendCommandOrder, StartSessionOrder } from '../../../src/domain/ports/core.ts'
import type { Session } from '../../../src/domain/ports/sessions.ts'
import type { Reads, Writes } from '../../../src/domain/ports/storage.ts'
import type { Command, Refusal } from '../../../src/domain/ports/storage-records.ts'
import { limitsInMemory } from '../../../src/limits/limits.ts'
import { systemClock } from '../../../src/server/system.ts'
import type { Store } from '../../../src/storage/database.ts'
import { listening } from '../../listening.ts'
import { type ManualClock, manualClock } from '../clock.ts'
import { openStore, temporaryDatabase } from '../storage/testing.ts'
import { responseChecker } from './response-checker.ts'

export const SECRET_KEY = randomBytes(32)

export const START = Date.UTC(2026, 7, 1, 12)

export interface RecordingCore {
  readonly core: ApiContext['core']
  readonly commands: SendCommandOrder[]
  readonly starts: StartSessionOrder[]
  readonly stops: string[]
  readonly disconnected: string[]
  readonly online: Set<string>
  answerCommand: (order: SendCommandOrder) => Command | Refusal
  answerStart: (order: StartSessionOrder) => Session | Refusal
  answerStop: (sessionId: string) => Session | Refusal
  statistics: () => Promise<Awaited<ReturnType<Core['statistics']>>>
}

export function command(id: number, change: Partial<Command> = {}): Command {
  return {
    id,
    chargePointId: 'CP1',
    direction: 'in',
    method: 'Heartbeat',
    messageId: `m${id}`,
    protocol: 'ocpp1.6',
    status: 'success',
    request: '{}',
    response: '{}',
    answeredAt: LOG_EPOCH_MS + Math.floor(id / 4096) + 2,
    ...change,
  }
}

export function session(id: string, change: Partial<Session> = {}): Session {
  return {
    id,
    accountId: 'acc1',
    chargePointId: 'CP1',
    state: 'charging',
    energyMilliWh: 1_234_500,
    createdAt: START,
    version: 1,
    flags: [],
    ...change,
  }
}

export function tokenOf(change: Partial<TokenPrincipal> = {}): TokenPrincipal {
  const grant = { accountId: 'acc1', userId: 'u', clientId: 'c', grantId: 'g' }
  return { kind: 'token', ...grant, scopes: [], chargePoints: 'all', ...change }
}

export function recordingCore({ writes }: Pick<Store, 'writes'>): RecordingCore {
  const recording: RecordingCore = {
    commands: [],
    starts: [],
    stops: [],
    disconnected: [],
    online: new Set(),
    answerCommand: (order) =>
      command(logIdAt(START), {
        chargePointId: order.chargePointId,
        direction: 'out',
        method: order.method,
        request: JSON.stringify(order.request),
        status: order.waitMs > 0 ? 'success' : 'pending',
      }),
    answerStart: (order) => session('s-new', { chargePointId: order.chargePointId, state: 'pending' }),
    answerStop: (id) => session(id, { state: 'finishing' }),
    statistics: async () => ({
      connections: 3,
      queued: 0,
      messages: 17,
      commits: 5,
      callErrors: 0,
      failedCommits: 0,
      malformedFrames: 1,
      repeatedMessages: 0,
      waitingChanges: 250,
      failedFlushes: 2,
    }),
    core: {
      async sendCommand(order) {
        recording.commands.push(order)
        return recording.answerCommand(order)
      },
      async startSession(order) {
        recording.starts.push(order)
        return recording.answerStart(order)
      },
      async stopSession(_, sessionId) {
        recording.stops.push(sessionId)
        return recording.answerStop(sessionId)
      },
      prepareAuthorities: async () => undefined,
      dropCommands: async () => undefined,
      decideBlock: async () => ({}),
      orderReport: async () => ({ id: 1 }),
      settleConfigurations: async () => undefined,
      configurationsChanged: async () => undefined,
      settle: async ({ sessionId }) => ({
        session: session(sessionId, { state: 'completed', settlementCount: 1 }),
        counted: true,
      }),
      connectivity: async (ids) =>
        ids.map((chargePointId) => ({
          chargePointId,
          online: recording.online.has(chargePointId),
          ...(recording.online.has(chargePointId) && { lastSeenAt: START, protocol: 'ocpp1.6' }),
        })),
      onlineChargePoints: async () => [...recording.online],
      limitViews: async () => [],
      networks: async () => [],
      async removeChargePoint(accountId, chargePointId) {
        recording.disconnected.push(chargePointId)
        const removed = await writes.deleteChargePoint(accountId, chargePointId)
        return removed ? { chargePointId } : { refused: true, status: 404, code: 'not_found', detail: 'Gone.' }
      },
      async disconnect(chargePointId) {
        recording.disconnected.push(chargePointId)
      },
      statistics: () => recording.statistics(),
    },
  }
  return recording
}

export interface Answer {
  readonly code: string
  readonly detail: string
  readonly migrateTo: string
  readonly errors: readonly [{ readonly pointer: string; readonly code: string; readonly message: string }]
  readonly data: readonly { readonly id: string; readonly messageId: string; readonly evseControllerId: string }[]
  readonly meta: {
    readonly nextCursor?: string
    readonly total?: { readonly value: number; readonly isExact: boolean }
  }
  readonly id: string
  readonly state: string
  readonly status: string
  readonly direction: string
  readonly name: string
  readonly password: string
  readonly protocols: readonly string[]
  readonly validation: string
  readonly disabled: boolean
  readonly connectors: readonly object[]
}

export type TestResponse = Omit<Response, 'json' | 'clone'> & {
  json<T = Answer>(): Promise<T>
  clone(): TestResponse
}

export interface TestApi {
  readonly url: string
  readonly server: Server
  readonly clock: ManualClock
  readonly store: Store
  readonly reads: Reads
  readonly recording: RecordingCore
  readonly credential: string
  readonly logged: { readonly level: string; readonly fields: object; readonly message: string }[]
  /** Calls the API with the account's credential; the answer is checked against `/openapi.json` (API-E3). */
  call(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<TestResponse>
  get<T = Answer>(path: string): Promise<T>
  newCredential(accountId: string, expiresAt?: number, scopes?: readonly Scope[]): Promise<string>
  addRows(rows: readonly Command[]): Promise<void>
  addSession(added: Session): Promise<void>
  close(): Promise<void>
}

export interface TestOptions {
  readonly settings?: Partial<ApiSettings>
  readonly parts?: Partial<ApiContext>
  readonly reads?: (reads: Reads) => Reads
  readonly writes?: (writes: Writes) => Writes
}

function recordingThrough(writes: Writes): Writes {
  return {
    ...writes,
    async recorded(event, operation, args) {
      const run = writes[operation as keyof Writes] as (...args: readonly unknown[]) => Promise<unknown>
      const value = await run(...args)
      await writes.audit(event)
      return { auditId: 0, value }
    },
  }
}

/** Of a whole test file: closed behind it. */
export async function apiOfTest(options: TestOptions = {}): Promise<TestApi> {
  const api = await startApi(options)
  afterAll(() => api.close())
  return api
}

/** Accounts `acc1` (with charge point CP1 and the credential) and `acc2` (with CP-OTHER). */
export async function startApi(options: TestOptions = {}): Promise<TestApi> {
  const database = temporaryDatabase()
  const store = openStore(database.path)
  const reads = options.reads?.(store.reads) ?? store.reads
  const writes = options.writes ? recordingThrough(options.writes(store.writes)) : store.writes
  const clock = manualClock(START)
  const recording = recordingCore(store)
  const logged: TestApi['logged'] = []
  const log = (level: string) => (fields: object, message: string) => {
    logged.push({ level, fields, message })
  }
  const newCredential: TestApi['newCredential'] = async (accountId, expiresAt, scopes) => {
    const made = createCredential(randomBytes, {
      accountId,
      name: 'test',
      createdAt: START,
      expiresAt,
      scopes,
    })
    await store.writes.createCredential(made.credential)
    return made.text
  }
  for (const [id, chargePointId] of [
    ['acc1', 'CP1'],
    ['acc2', 'CP-OTHER'],
  ] as const) {
    await store.writes.createAccount({ id, name: id, createdAt: START })
    await store.writes.createChargePoint({
      id: chargePointId,
      accountId: id,
      securityProfile: 0,
      registrationStatus: 'Accepted',
      createdAt: START,
    })
  }
  const credential = await newCredential('acc1')

  const app = createApi({
    reads,
    writes,
    core: recording.core,
    settings: {
      baseUrl: 'http://localhost:8080',
      secretKey: SECRET_KEY,
      rateV1: 0,
      rateV2: 0,
      rateApi: 0,
      voltage: 230,
      ...options.settings,
    },
    ...systemClock,
    now: clock.now,
    random: randomBytes,
    limits: limitsInMemory(clock.now),
    salt: store.salt,
    log: { info: log('info'), warn: log('warn'), error: log('error') },
    ...options.parts,
  })
  const { server, url } = await listening(app.fetch)
  const check = responseChecker(await (await fetch(`${url}/openapi.json`)).json())

  const call: TestApi['call'] = async (method, path, body, headers = {}) => {
    const response = await fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${credential}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    await check(method, path, response)
    return response as TestResponse
  }
  return {
    url,
    server,
    clock,
    store,
    reads,
    recording,
    credential,
    logged,
    call,
    get: async <T>(path: string) => (await call('GET', path)).json<T>(),
    newCredential,
    async addRows(rows) {
      const sorted = [...rows].sort((a, b) => a.id - b.id)
      const results = await store.core.commit(sorted.map((row) => ({ chargePointId: row.chargePointId, command: row })))
      for (const result of results) if (!result.ok) throw result.error
      await store.placing.all()
    },
    async addSession(added) {
      const [result] = await store.core.commit([{ chargePointId: added.chargePointId, sessions: [added] }])
      if (result && !result.ok) throw result.error
    },
    async close() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
      })
      store.close()
      database.remove()
    },
  }
}
