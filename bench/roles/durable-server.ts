/**
 * BENCH-B1's limit: what a good engineer writes with the same packages and the same promise. The in-memory server with
 * two rows per call in SQLite, committed with synchronous=FULL before the answer leaves, all calls of one turn of the
 * event loop in one transaction. No sessions, no search.
 */
import SqliteDatabase from 'better-sqlite3'
import { type ReceivedCall, startCentralSystem } from '../../simulator/central-system.ts'
import { playRole } from './role.ts'

interface Kept {
  readonly call: ReceivedCall
  readonly answer: object
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

export function playDurableServer(): void {
  playRole({
    listen: async ({ database }: { readonly database: string }) =>
      (await startCentralSystem({ keep: keeperIn(database) })).url,
    cpu: async () => {
      const { user, system } = process.cpuUsage()
      return (user + system) / 1000
    },
  })
}

export function keeperIn(file: string): (call: ReceivedCall, answer: object) => Promise<void> {
  const db = new SqliteDatabase(file)
  db.pragma('journal_mode = WAL')
  // After journal_mode: better-sqlite3 is compiled to run NORMAL in WAL mode.
  db.pragma('synchronous = FULL')
  db.exec(`CREATE TABLE messages (id INTEGER PRIMARY KEY, charge_point TEXT NOT NULL, method TEXT NOT NULL,
    type INTEGER NOT NULL, at INTEGER NOT NULL, payload TEXT NOT NULL)`)
  const put = db.prepare('INSERT INTO messages (charge_point, method, type, at, payload) VALUES (?, ?, ?, ?, ?)')
  const commit = db.transaction((group: readonly Kept[]) => {
    const at = Date.now()
    for (const { call, answer } of group) {
      put.run(call.chargePointId, call.method, 2, at, JSON.stringify(call.request))
      put.run(call.chargePointId, call.method, 3, at, JSON.stringify(answer))
    }
  })
  let waiting: Kept[] = []
  const flush = (): void => {
    const group = waiting
    waiting = []
    try {
      commit.immediate(group)
    } catch (error) {
      for (const { reject } of group) reject(error)
      return
    }
    for (const { resolve } of group) resolve()
  }
  return (call, answer) =>
    new Promise((resolve, reject) => {
      if (waiting.push({ call, answer, resolve, reject }) === 1) setImmediate(flush)
    })
}
