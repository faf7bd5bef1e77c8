import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { connectReader } from '../src/storage/sqlite/files/connection.ts'
import { temporaryDatabase } from '../test/support/storage/testing.ts'
import { generate } from './generate.ts'
import { type LogShape, logRows } from './generate-rows.ts'

const shape: LogShape = {
  rows: 40_000,
  chargePoints: 6,
  fromMs: Date.UTC(2026, 0, 1),
  toMs: Date.UTC(2026, 1, 1),
  seed: 1,
}

const rows = [...logRows(shape)]

it('has as many rows as asked for, in rising order, of every charge point', () => {
  expect(rows).toHaveLength(shape.rows)
  expect(rows.every(({ id }, position) => position === 0 || id > (rows[position - 1]?.id ?? 0))).toBe(true)
  expect(new Set(rows.map(({ chargePointId }) => chargePointId)).size).toBe(6)
})

it('mixes methods, directions and outcomes, with payloads that are JSON', () => {
  expect(new Set(rows.map(({ method }) => method)).size).toBeGreaterThan(10)
  expect(new Set(rows.map(({ status }) => status))).toEqual(new Set(['success', 'error', 'timeout', 'dropped']))
  for (const { method, request, response } of rows) {
    expect(method).toMatch(/^[A-Z][A-Za-z]+$/)
    expect(() => [JSON.parse(request), JSON.parse(response ?? '{}')], request).not.toThrow()
  }
})

it('is the same for the same seed', () => {
  expect([...logRows(shape)]).toEqual(rows)
})

const { path, remove } = temporaryDatabase()
afterEach(remove)

it('writes the rows into the real schema, with its search, and refuses to touch a file that exists', async () => {
  await generate({ rows: 2000, chargePoints: 3, out: path })
  const db = connectReader(path)
  for (const table of ['commands', 'commands_search']) {
    expect(db.prepare(`SELECT count(*) FROM ${table}`).pluck().get()).toBe(2000)
  }
  expect(db.pragma('journal_mode', { simple: true })).toBe('wal')
  db.close()
  const other = join(dirname(path), 'other')
  writeFileSync(other, 'x')
  await expect(generate({ rows: 1, chargePoints: 1, out: other })).rejects.toThrow(/exists/)
})
