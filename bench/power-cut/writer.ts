/**
 * The process that is about to die: commits groups of log rows, each with a newer version of its charge point's
 * session, as the server does, and notes, after each commit and not before, which ids were acknowledged. Arguments:
 * database file, acknowledgement file, FULL or NORMAL (the control that must lose rows).
 */

import { openSync, writeSync } from 'node:fs'
import type { ChangeSet } from '../../src/domain/ports/storage-records.ts'
import { sqliteCoreStore } from '../../src/storage/sqlite/core-store.ts'
import { connectWriter } from '../../src/storage/sqlite/files/connection.ts'
import { migrateDatabase } from '../../src/storage/sqlite/files/migrate.ts'
import { logNames } from '../../src/storage/sqlite/journal/apply-change-set.ts'
import { documentWriters } from '../../src/storage/sqlite/journal/document-writers.ts'
import { openJournal } from '../../src/storage/sqlite/journal/journal.ts'

const ROWS_PER_GROUP = 10
const GROUPS_PER_FOLD = 40
const REQUEST = JSON.stringify({ connectorId: 1, meterValue: 'x'.repeat(250) })

const [databaseFile = '', acknowledgementFile = '', synchronous = 'FULL'] = process.argv.slice(2)
const db = connectWriter(databaseFile)
migrateDatabase(db)
if (synchronous === 'NORMAL') db.pragma('synchronous = NORMAL')
const journal = openJournal(db, documentWriters(db))
const core = sqliteCoreStore(db, logNames(db), journal)
const acknowledgements = openSync(acknowledgementFile, 'a')

let last = await core.lastCommandId()
for (let groups = 1; ; groups++) {
  const group = Array.from({ length: ROWS_PER_GROUP }, () => row(++last))
  const results = await core.commit(group)
  const acknowledged = group.filter((_, position) => results[position]?.ok)
  writeSync(acknowledgements, acknowledged.map(({ command }) => `${command.id}\n`).join(''))
  if (groups % GROUPS_PER_FOLD === 0) journal.flush()
}

function row(id: number): ChangeSet & { readonly command: { readonly id: number } } {
  const chargePointId = `CP${id % 50}`
  const command = {
    id,
    chargePointId,
    direction: 'in',
    method: 'MeterValues',
    messageId: String(id),
    protocol: 'ocpp1.6',
    status: 'success',
    request: REQUEST,
    response: '{}',
  } as const
  const session = {
    id: chargePointId,
    accountId: 'bench',
    chargePointId,
    state: 'charging',
    energyMilliWh: id,
    createdAt: 0,
    version: id,
    flags: [],
  } as const
  return { chargePointId, command, sessions: [session] }
}
