/** For tests of the copy: a database file with rows in every table, and both databases' rows as they are read. */

import SqliteDatabase from 'better-sqlite3'
import { getTableConfig, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import { everyTable } from '../../../../scripts/record-tables.ts'
import { logIdAt } from '../../../../src/domain/message-log/log-id.ts'
import type { ChangeSet } from '../../../../src/domain/ports/storage-records.ts'
import type { WritingSide } from '../../../../src/storage/database.ts'
import {
  aChargePoint,
  aCommand,
  anEvent,
  anIdToken,
  aSession,
  aSubscription,
  aTransaction,
  aUser,
  changeSet,
  NOW,
} from '../../storage-contract/records.ts'
import { openStore } from '../testing.ts'

const SOURCES = everyTable().filter((table) => getTableConfig(table).name !== 'journal')

const ODD = 'odd \0 \\u0000 \\ud800 \t\n\r\\ \\N \u{10FFFE}m é\u{1F50C}'

function someChanges(): readonly ChangeSet[] {
  const session = (n: number, change: Parameters<typeof aSession>[0] = {}) =>
    aSession({ id: `S${n}`, createdAt: NOW + n, ...change })
  return [
    ...[0, 1, 40, 400].map((days, n) =>
      changeSet({
        command: aCommand(n, {
          id: logIdAt(NOW - days * 86_400_000 + n),
          transactionId: ['7', '007', 'T-1', '9'.repeat(300)][n] ?? '1',
          connectorId: [1, 1.5, 1e300, -0][n] ?? 0,
          request: JSON.stringify({ text: ODD, n }),
        }),
      }),
    ),
    changeSet({ command: aCommand(50, { schemaErrors: '["a fault"]', messageId: ODD, method: 'x'.repeat(9000) }) }),
    changeSet({ command: aCommand(51, { error: { code: 'GenericError', description: ODD, details: {} } }) }),
    changeSet({
      connectors: [{ connectorId: 1, status: 'Available', updatedAt: NOW }],
      status: { bootedAt: NOW, vendor: ODD },
      transactions: [
        aTransaction({ transactionId: '2', sessionId: 'S2', startKey: 'key' }),
        aTransaction({ transactionId: '1', sessionId: 'S1', open: false, connectorId: 2 }),
      ],
      sessions: [session(1, { state: 'completed', figuresDueAt: NOW + 9, idToken: 'Card' }), session(2)],
    }),
    changeSet({
      sessions: [
        session(3, {
          state: 'failed',
          endReason: 'expired',
          remoteStart: { remoteStartId: 77, virtualIdToken: 'Virtual', requestedAt: NOW } as never,
        }),
      ],
    }),
    ...[9, 3, 5].map((n) => changeSet({ events: [anEvent({ id: `E${n}`, time: NOW + n, data: `{"n":${n}}` })] })),
  ]
}

export async function fill({ core, writes }: Pick<WritingSide, 'core' | 'writes'>): Promise<void> {
  await writes.createAccount({ id: 'A', name: ODD, createdAt: NOW })
  await writes.createUser(aUser())
  await writes.createChargePoint(aChargePoint())
  await writes.createIdToken(anIdToken())
  await writes.createSubscription(aSubscription(), 10)
  await writes.putRecords('meta', [{ name: 'secret_key_check', value: '0123456789abcdef' }])
  for (const set of someChanges()) {
    const [result] = await core.commit([set])
    if (!result?.ok) throw result?.error
  }
  await core.reserveNumbers('transaction', 5)
}

export async function filledFile(path: string): Promise<void> {
  const store = openStore(path)
  await fill(store)
  // Acknowledged, and not in its table yet when the process ends: the copy puts it there.
  store.close()
  const db = new SqliteDatabase(path)
  db.pragma('foreign_keys = ON')
  for (const table of inOrder(SOURCES)) fillTable(db, table)
  db.close()
}

function fillTable(db: SqliteDatabase.Database, table: SQLiteTable): void {
  const { name, columns, foreignKeys } = getTableConfig(table)
  if (db.prepare(`SELECT 1 FROM "${name}"`).get() || ['journal', 'commands_search'].includes(name)) return
  const parents = new Map(
    foreignKeys.map((key) => {
      const { columns: from, foreignTable, foreignColumns } = key.reference()
      const value = db
        .prepare(`SELECT "${foreignColumns[0]?.name}" FROM "${getTableConfig(foreignTable as SQLiteTable).name}"`)
        .pluck()
        .get()
      return [from[0]?.name, value]
    }),
  )
  for (const n of [1, 2]) {
    const values = columns.map((column) => {
      if (parents.has(column.name)) return parents.get(column.name)
      if (!column.notNull && !column.primary && n === 2) return null
      return column.getSQLType() === 'integer' ? 2 ** 52 + n : `${n} ${ODD}`.replaceAll('\0', '\u0001')
    })
    const places = columns.map(() => '?').join(', ')
    db.prepare(
      `INSERT OR IGNORE INTO "${name}" (${columns.map((column) => `"${column.name}"`).join(', ')}) VALUES (${places})`,
    ).run(values)
  }
}

function inOrder(tables: readonly SQLiteTable[]): readonly SQLiteTable[] {
  const placed = new Set<SQLiteTable>()
  const place = (table: SQLiteTable): void => {
    if (placed.has(table)) return
    for (const key of getTableConfig(table).foreignKeys) place(key.reference().foreignTable as SQLiteTable)
    placed.add(table)
  }
  for (const table of tables) place(table)
  return [...placed]
}
