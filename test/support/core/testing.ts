/** For tests: the core on a real database file, with arrays as sockets and a clock that the test moves. */

import { randomBytes } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach } from 'vitest'
import type { CoreSettings } from '../../../src/core/core-settings.ts'
import { createCore } from '../../../src/core/create-core.ts'
import type {
  AskPartner,
  CheckVatNumber,
  Protocol,
  ShownAtLogin,
  SocketEvents,
} from '../../../src/domain/ports/core.ts'
import type { CoreStore } from '../../../src/domain/ports/storage.ts'
import type { SessionSettings } from '../../../src/domain/sessions/decision.ts'
import type { FileStore } from '../../../src/storage/database.ts'
import { placeInTime } from '../../../src/storage/placing.ts'
import { nextTurn } from '../../../src/threads/next-turn.ts'
import { type ManualClock, manualClock } from '../clock.ts'
import { openStore } from '../storage/testing.ts'

export const START = Date.UTC(2026, 10, 21, 12)

export const SESSIONS: SessionSettings = {
  voltage: 230,
  timeZone: 'UTC',
  remoteStartTimeoutMs: 180_000,
  orphanTimeoutMs: 900_000,
  silenceTimeoutMs: 48 * 3600_000,
  refuseConcurrentTransactions: false,
}

export const START_TRANSACTION = {
  connectorId: 1,
  idTag: 'CARD-1',
  meterStart: 1000,
  timestamp: new Date(START).toISOString(),
}

export interface TestStation {
  readonly connection: number
  readonly frames: unknown[][]
  readonly closes: [code: number, reason: string][]
  send(text: string): void
  /** Sends a CALL and resolves with the frame that answers it. */
  call(action: string, payload: unknown, messageId?: string): Promise<unknown[]>
  /** Resolves with the first frame that fits, sent before or later. */
  frame(fits: (frame: unknown[]) => boolean): Promise<unknown[]>
  calls(method: string): unknown[][]
  /** Resolves with the first of them, or another one, sent before or later. */
  asked(method: string, nth?: number): Promise<unknown[]>
  answer(call: unknown[], payload: unknown): void
  answered(method: string, payload: unknown, nth?: number): Promise<unknown>
}

const BOOT_OF_2 = { reason: 'PowerUp', chargingStation: { vendorName: 'Acme', model: 'Two' } }

export const BOOT = {
  'ocpp1.6': { chargePointVendor: 'Acme', chargePointModel: 'One' },
  'ocpp2.0.1': BOOT_OF_2,
  'ocpp2.1': BOOT_OF_2,
}

interface TestCoreOptions {
  readonly settings?: Partial<CoreSettings>
  readonly path?: string
  readonly store?: FileStore
  readonly now?: number
  readonly clock?: ManualClock
  readonly sockets?: SocketEvents
  readonly checkVatNumber?: CheckVatNumber
  readonly askPartner?: AskPartner
}

export type TestCore = Awaited<ReturnType<typeof testCore>>

/** Within a `describe`: starts cores that are closed after each of its tests, alone or with their first station. */
export function coresOfTests(always: TestCoreOptions = {}) {
  const open: TestCore[] = []
  afterEach(async () => {
    for (const each of open.splice(0)) await each.close()
  })
  const start = async (options?: TestCoreOptions): Promise<TestCore> => {
    const created = await testCore({ ...always, ...options })
    open.push(created)
    return created
  }
  const withStation =
    <Method extends 'connect' | 'booted' | 'boot16' | 'boot201'>(method: Method) =>
    async (...station: Parameters<TestCore[Method]>) => {
      const house = await start()
      const begin = house[method] as (...station: Parameters<TestCore[Method]>) => Promise<TestStation>
      return { ...house, house, station: await begin(...station) }
    }
  return Object.assign(start, {
    connect: withStation('connect'),
    booted: withStation('booted'),
    boot16: withStation('boot16'),
    boot201: withStation('boot201'),
  })
}

export async function testCore(options: TestCoreOptions = {}) {
  const path = options.path ?? join(mkdtempSync(join(tmpdir(), 'pilotwire-core-')), 'test.db')
  const clock = options.clock ?? manualClock(options.now ?? START)
  const store = options.store ?? openStore(path)
  if (!(await store.core.defaultAccountId())) {
    await store.writes.createAccount({ id: 'account-1', name: 'Test', createdAt: clock.now() })
  }
  const stations = new Map<number, TestStation & { waiting: ((frame: unknown[]) => void)[] }>()
  const done = new Map<number, number>()
  const limitsSet: [connection: number, isUnaccepted: boolean][] = []
  const logged: { level: string; message: string }[] = []
  const logAt = (level: string) => (_: object, message: string) => logged.push({ level, message })
  const log = { info: logAt('info'), warn: logAt('warn'), error: logAt('error') }
  const placed = placeInTime(store, clock.after, log, () => undefined, nextTurn)
  const coreStore: CoreStore = { ...placed.core }
  const settings: CoreSettings = {
    secretKey: Buffer.alloc(32, 7),
    baseUrl: 'http://localhost:8080',
    unknownChargePoints: 'accept',
    unknownIdTokens: 'accept',
    validation: 'lenient',
    versions: ['1.6', '2.0.1', '2.1'],
    protocolOrder: 'client',
    tolerantProtocols: false,
    callTimeoutMs: 30_000,
    heartbeatIntervalSeconds: 300,
    bootRetrySeconds: 60,
    figuresIntervalMs: 30_000,
    asksForReports: false,
    mostVariables: 50_000,
    sessions: SESSIONS,
    ...options.settings,
  }
  const { core, registrationsChanged } = await createCore({
    store: coreStore,
    writes: store.writes,
    salt: store.salt,
    clock,
    behind: placed.behind,
    random: randomBytes,
    log,
    checkVatNumber: options.checkVatNumber,
    askPartner: options.askPartner,
    sockets: options.sockets ?? {
      send(connection, text) {
        const station = stations.get(connection)
        const frame = JSON.parse(text) as unknown[]
        station?.frames.push(frame)
        for (const wait of station?.waiting.splice(0) ?? []) wait(frame)
      },
      close: (connection, code, reason) => stations.get(connection)?.closes.push([code, reason]),
      done: (connection) => done.set(connection, (done.get(connection) ?? 0) + 1),
      setLimits: (connection, isUnaccepted) => limitsSet.push([connection, isUnaccepted]),
    },
    settings,
  })
  let connections = 0
  let messageIds = 0

  async function connect(
    identity: string,
    protocol: Protocol = 'ocpp1.6',
    authorization?: string,
    shown?: ShownAtLogin,
  ): Promise<TestStation> {
    const admission = await core.admit({
      identity,
      offered: [protocol],
      remoteAddress: '127.0.0.1',
      secure: false,
      authorization,
    })
    if (!admission.ok) throw new Error(`refused: ${admission.status} ${admission.reason}`)
    const connection = ++connections
    const waiting: ((frame: unknown[]) => void)[] = []
    const frames: unknown[][] = []
    const station = {
      connection,
      frames,
      closes: [] as [number, string][],
      waiting,
      send: (text: string) => core.submit(connection, text),
      async call(action: string, payload: unknown, messageId = `m${++messageIds}`) {
        const sent = frames.length
        core.submit(connection, JSON.stringify([2, messageId, action, payload]))
        return station.frame((frame) => frame[1] === messageId && frame[0] !== 2 && frames.indexOf(frame) >= sent)
      },
      frame: (fits: (frame: unknown[]) => boolean) =>
        new Promise<unknown[]>((resolve) => {
          const found = frames.find(fits)
          if (found) return resolve(found)
          const wait = (frame: unknown[]): void => {
            if (fits(frame)) resolve(frame)
            else waiting.push(wait)
          }
          waiting.push(wait)
        }),
      calls: (method: string) => frames.filter((frame) => frame[0] === 2 && frame[2] === method),
      asked: (method: string, nth = 0) => station.frame((frame) => station.calls(method).indexOf(frame) === nth),
      answer: ([, id]: unknown[], payload: unknown) => station.send(JSON.stringify([3, id, payload])),
      async answered(method: string, payload: unknown, nth?: number) {
        const call = await station.asked(method, nth)
        station.answer(call, payload)
        return call[3]
      },
    }
    stations.set(connection, station)
    core.opened(connection, admission.chargePointId, admission.protocol, shown)
    return station
  }

  async function booted(identity: string, protocol: keyof typeof BOOT): Promise<TestStation> {
    const station = await connect(identity, protocol)
    await station.call('BootNotification', BOOT[protocol])
    return station
  }

  return {
    core,
    clock,
    store,
    coreStore,
    settings,
    path,
    logged,
    done,
    limitsSet,
    connect,
    registrationsChanged,
    booted,
    boot16: (identity: string) => booted(identity, 'ocpp1.6'),
    boot201: (identity: string) => booted(identity, 'ocpp2.0.1'),
    boot21: (identity: string) => booted(identity, 'ocpp2.1'),
    async intentStates() {
      const all = await store.reads.listRecords('intents', { where: { chargePointId: 'CP1' }, limit: 100 })
      return Object.fromEntries(
        all.map(({ key, state, reason }) => [key, reason === undefined ? state : [state, reason]]),
      )
    },
    async settled() {
      for (let turn = 0; turn < 3; turn++) await core.drain()
    },
    sessionOf: async (chargePointId: string) =>
      (await store.reads.listSessions({ accountId: 'account-1', chargePointIds: [chargePointId], limit: 1 }))[0],
    commands: (chargePointId: string) =>
      store.reads.searchCommands({
        chargePointId,
        fromId: 0,
        toId: Number.MAX_SAFE_INTEGER,
        filter: {},
        limit: 500,
      }),
    async close() {
      await core.drain()
      store.close()
    },
  }
}
