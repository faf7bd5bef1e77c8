/**
 * A server that was never killed, in this process: it is sent what stands in another one's log, in the order in which
 * that decided, each message at its time.
 */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { loadConfig } from '../../src/config/read-settings.ts'
import { type CoreSettings, coreSettings } from '../../src/core/core-settings.ts'
import { createCore } from '../../src/core/create-core.ts'
import { logIdTime } from '../../src/domain/message-log/log-id.ts'
import type { Protocol } from '../../src/domain/ports/core.ts'
import { databaseFile } from '../../src/storage/open.ts'
import { nextTurn } from '../../src/threads/next-turn.ts'
import { type ManualClock, manualClock } from '../../test/support/clock.ts'

/** A message of a station, or the begin of a connection: then it has no text. */
interface Happened {
  readonly id: number
  readonly chargePointId: string
  readonly protocol: Protocol
  readonly text: string | null
}

export interface Twin {
  /** The database of the twin. */
  readonly file: string
  /** Lets it have what the other server logged since, and end and begin again when that one did. */
  follow(databaseFile: string): Promise<void>
}

/** @param settings those of the other server; as they are where none are given */
export function createTwin(directory: string, settings = usualSettings()): Twin {
  const file = join(directory, 'twin.db')
  let last = 0
  return {
    file,
    async follow(other) {
      const log = readLog(other, last)
      last = log.happened.at(-1)?.id ?? last
      await play({ file, settings }, log, log.happened)
      await play({ file, settings }, log, [], log.restartedAt)
    },
  }
}

interface OtherLog {
  readonly account: { readonly id: string; readonly name: string; readonly createdAt: number }
  /** When which charge point was seen first. */
  readonly registered: readonly { readonly id: string; readonly protocol: Protocol; readonly createdAt: number }[]
  readonly happened: readonly Happened[]
  /** When it began again. */
  readonly restartedAt: number
}

function readLog(file: string, after: number): OtherLog {
  const db = new SqliteDatabase(file, { readonly: true })
  try {
    const messages = db.prepare<[number], Happened>(`SELECT commands.id, station.name AS chargePointId,
        protocol.name AS protocol, '[2,' || json_quote(message_id) || ',' || json_quote(method.name) || ',' || request || ']' AS text
      FROM commands JOIN log_charge_points station ON station.key = charge_point
        JOIN log_methods method ON method.key = commands.method
        JOIN log_protocols protocol ON protocol.key = commands.protocol
      WHERE direction = 0 AND commands.id > ?`)
    const openings = db.prepare<[number], Happened>(`SELECT id, charge_point_id AS chargePointId,
        details ->> 'protocol' AS protocol, NULL AS text
      FROM connection_history WHERE kind = 'connected' AND id > ?`)
    const registered = db.prepare<[], OtherLog['registered'][number]>(`SELECT id, created_at AS createdAt,
        (SELECT details ->> 'protocol' FROM connection_history WHERE charge_point_id = charge_points.id
          AND kind = 'connected' LIMIT 1) AS protocol
      FROM charge_points ORDER BY created_at`)
    const account = db.prepare<[], OtherLog['account']>('SELECT id, name, created_at AS createdAt FROM accounts').get()
    if (!account) throw new Error('The server made no account.')
    return {
      account,
      registered: registered.all(),
      happened: [...messages.all(after), ...openings.all(after)].sort((one, other) => one.id - other.id),
      restartedAt: db
        .prepare<[], number>("SELECT max(at) FROM connection_history WHERE kind = 'disconnected'")
        .pluck()
        .get() as number,
    }
  } finally {
    db.close()
  }
}

interface Process {
  readonly file: string
  readonly settings: CoreSettings
}

/** One process: it begins, has its messages, puts everything in place and is gone. */
async function play(
  { file, settings }: Process,
  { account, registered }: OtherLog,
  happened: readonly Happened[],
  at = logIdTime(happened[0]?.id ?? 0),
): Promise<void> {
  const store = databaseFile(file).openStore()
  try {
    if ((await store.core.defaultAccountId()) === undefined) await store.writes.createAccount(account)
    const clock = manualClock(at)
    const core = await coreOn(settings, store, clock)
    for (const one of registered) {
      if (await store.reads.findChargePoint(one.id)) continue
      clock.set(one.createdAt)
      await core.admit(one.id, one.protocol)
    }
    clock.set(at)
    for (const one of happened) {
      clock.advance(logIdTime(one.id) - clock.now())
      await core.has(one)
      await store.placing.all()
    }
    await core.isQuiet()
    await store.placing.all()
  } finally {
    store.close()
  }
}

function usualSettings(): CoreSettings {
  const key = Buffer.alloc(32, 7).toString('base64')
  const settings = { PILOTWIRE_BASE_URL: 'http://localhost:8080', PILOTWIRE_SECRET_KEY: key }
  const { config } = loadConfig(settings, randomBytes)
  return coreSettings(config)
}

async function coreOn(
  settings: CoreSettings,
  store: ReturnType<ReturnType<typeof databaseFile>['openStore']>,
  clock: ManualClock,
) {
  const connections = new Map<string, number>()
  let processed: () => void = () => undefined
  let groups = 0
  const { core } = await createCore({
    store: {
      ...store.core,
      registrationsVersion: () => {
        groups++
        return store.core.registrationsVersion()
      },
    },
    writes: store.writes,
    salt: store.salt,
    settings,
    clock,
    log: { info: () => undefined, warn: () => undefined, error: (fields, message) => console.error(message, fields) },
    random: randomBytes,
    behind: () => ({ waitingChanges: 0, failedFlushes: 0 }),
    sockets: { send: () => undefined, close: () => undefined, setLimits: () => undefined, done: () => processed() },
  })
  let number = 0
  const admit = async (identity: string, protocol: Protocol): Promise<void> => {
    const admission = await core.admit({ identity, offered: [protocol], remoteAddress: '127.0.0.1', secure: false })
    if (!admission.ok) throw new Error(`The twin refused ${identity}: ${admission.reason}`)
  }
  const opened = async ({ chargePointId, protocol }: Happened): Promise<void> => {
    await admit(chargePointId, protocol)
    connections.set(chargePointId, ++number)
    core.opened(number, chargePointId, protocol)
    await nextTurn()
  }
  return {
    admit,
    /** What follows from messages, and needs no time, is done. */
    async isQuiet(): Promise<void> {
      for (let before = -1; before !== groups; ) {
        before = groups
        for (let turn = 0; turn < 50; turn++) await nextTurn()
      }
    },
    async has(one: Happened): Promise<void> {
      const { text } = one
      if (text === null) return opened(one)
      const connection = connections.get(one.chargePointId) ?? 0
      const done = new Promise<void>((resolve) => {
        processed = resolve
      })
      core.submit(connection, text)
      await done
    },
  }
}
