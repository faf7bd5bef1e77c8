import fc from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import { forRuns } from '../../../../test/support/property.ts'
import { temporaryDatabase } from '../../../../test/support/storage/testing.ts'
import { connectReader } from '../files/connection.ts'
import { openSqlite } from '../writer.ts'
import { isListedText } from './filter-sql.ts'

const { path, remove } = temporaryDatabase()
openSqlite(path).close()
const db = connectReader(path)
afterAll(() => {
  db.close()
  remove()
})

it.each([
  ['numbers', ['7', '12', '-3'], 'CAST(t AS INTEGER) IN'],
  ['texts that begin with different numbers', ['7a', '12b', '9'], 'CAST(t AS INTEGER) IN'],
  ['texts that begin alike', ['EV-01-100001', 'EV-01-100002', 'EV-01-100003'], 't BETWEEN ? AND ?'],
  ['random texts', ['f3a', 'b9e', 'c0d', 'd1f'], '(t IN'],
  ['the empty text and others', ['', 'a'], '(t IN'],
])('BENCH-B3: %s are looked for by what tells them apart', (_, values, sql) => {
  expect(`(${isListedText('t', values).sql}`).toContain(sql)
})

it('SEARCH-Q2: holds for exactly the listed texts, and is NULL for an absent one', () => {
  const text = fc.oneof(
    fc.string(),
    fc.constantFrom('1', '01', '+1', ' 1', '1.0', '', 'EV-1', 'EV-2', 'EV-10', '9999999999999999999999', '-'),
    fc.integer().map(String),
    fc.nat(3000).map((number) => `EV-01-${number}`),
    fc.constantFrom('é1', 'é2', 'é\u{ff5e}', 'é\u{1f50c}'),
  )
  forRuns(500)(fc.array(text, { minLength: 2, maxLength: 20 }), fc.array(text), (values, others) => {
    const listed = isListedText('t.value', values)
    const asked = [...values, ...others, null]
    const found = db
      .prepare<string[], number | null>(`SELECT ${listed.sql} FROM json_each(?) AS t ORDER BY t.key`)
      .pluck()
      .all(...listed.values, JSON.stringify(asked))
    const expected = asked.map((one) => (one === null ? null : Number(values.includes(one))))
    expect(found).toEqual(expected)
  })
})
