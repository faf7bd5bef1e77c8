import SqliteDatabase from 'better-sqlite3'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { forRuns } from '../../../test/support/property.ts'
import { SEARCH_ENTRY, searchedTransaction } from './command-row.ts'

it('SEARCH-Q2: a filter spells a transaction id as the search does', () => {
  const db = new SqliteDatabase(':memory:')
  const entry = db.prepare<[string], [number, number, number, number, string | number, number, 0 | 1]>(
    `SELECT ${SEARCH_ENTRY} FROM (SELECT 1 AS charge_point, 2 AS id, 3 AS method, 4 AS connector_id, ? AS transaction_id, 5 AS status, NULL AS schema_errors)`,
  )
  const odd = [
    '',
    '-',
    '0',
    '-0',
    '00',
    '007',
    '+7',
    ' 7',
    '7 ',
    '7\n',
    '1.0',
    '1e3',
    '٣',
    '9'.repeat(15),
    '9'.repeat(16),
  ]
  const id = fc.oneof(fc.constantFrom(...odd), fc.string(), fc.maxSafeInteger().map(String), fc.nat().map(String))
  forRuns(500)(id, (transactionId) => {
    // A text ends for SQLite's casts at its first NUL.
    fc.pre(!transactionId.includes('\0'))
    expect(entry.raw().get(transactionId)?.[4]).toBe(searchedTransaction(transactionId))
  })
  db.close()
})
