import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { forRuns } from '../../../../test/support/property.ts'
import { temporaryDatabase } from '../../../../test/support/storage/testing.ts'
import { aCommand, changeSet } from '../../../../test/support/storage-contract/records.ts'
import { LOG_EPOCH_MS, logIdAt } from '../../../domain/message-log/log-id.ts'
import type { SearchFilter } from '../../../domain/ports/search-filter.ts'
import type { Command } from '../../../domain/ports/storage-records.ts'
import { allSteps, type Steps } from '../../../threads/turns.ts'
import { connectReader } from '../files/connection.ts'
import { openSqlite } from '../writer.ts'
import { logSteps } from './log-steps.ts'
import { logSlices, type Part } from './slices.ts'

const { path, remove } = temporaryDatabase()
const writer = openSqlite(path)
const db = connectReader(path)
afterAll(() => {
  db.close()
  writer.close()
  remove()
})

const DAY_MS = 24 * 3600_000
const ROWS = 6000
/** Two years with a silent one between them; the older half came within a minute. */
const rows: readonly Command[] = Array.from({ length: ROWS }, (_, n) => {
  const at = LOG_EPOCH_MS + (n < ROWS / 2 ? n * 20 : 365 * DAY_MS + n * 3600_000)
  const status = n % 5 === 0 ? 'error' : 'success'
  return aCommand(n, { id: logIdAt(at) + (n % 3), method: ['A', 'B', 'C'][n % 3] ?? 'A', connectorId: n % 7, status })
})
const newest = rows.at(-1)?.id ?? 0
const query = { chargePointId: 'CP1', fromId: 0, toId: newest + 1 }

beforeAll(async () => {
  for (let n = 0; n < ROWS; n += 1000) {
    await writer.core.commit(rows.slice(n, n + 1000).map((command) => changeSet({ command })))
  }
  await writer.placing.all()
})

/** A clock that says of each statement that it took so long. */
function stopwatchOf(durations: readonly number[]): () => number {
  let calls = 0
  let now = 0
  return () => {
    now += durations[calls++ % durations.length] ?? 0
    return now
  }
}

function countSteps(steps: Steps<unknown>): number {
  let count = 0
  while (!steps.next().done) count++
  return count
}

const FILTERS: readonly SearchFilter[] = [
  {},
  { methods: ['B'] },
  { methods: ['Nobody'] },
  { connectorId: [{ op: 'in', values: [3] }], status: [{ op: 'in', values: ['error'] }] },
  { connectorId: [{ op: 'gt', value: 90 }] },
]
const isHit = (filter: SearchFilter) => (row: Command) =>
  (filter.methods?.includes(row.method) ?? true) &&
  (filter.connectorId ?? []).every((one) => (one.op === 'in' ? one.values.includes(row.connectorId ?? -1) : false)) &&
  (filter.status === undefined || row.status === 'error')

const durations = fc.array(fc.constantFrom(0, 0, 1, 4, 50, 3000), { minLength: 1, maxLength: 7 })

it('SEARCH-Q12: every row of the window is in exactly one part, whatever the parts took', () => {
  forRuns(50)(durations, fc.nat(newest), fc.nat(newest), (taken, one, other) => {
    const window = { fromId: Math.min(one, other), below: Math.max(one, other) }
    const parts: Part[] = []
    const slices = logSlices(db, stopwatchOf(taken))
    allSteps(slices.walk(1, window, (part) => parts.push(part) && part.fromId))
    let below = window.below
    for (const part of parts) {
      expect(part.below).toBeLessThanOrEqual(below)
      expect(part.fromId).toBeLessThan(part.below)
      below = part.fromId
    }
    expect(below).toBeGreaterThanOrEqual(window.fromId)
    const inWindow = rows.filter(({ id }) => id >= window.fromId && id < window.below)
    const inParts = inWindow.filter(({ id }) => parts.some((part) => id >= part.fromId && id < part.below))
    expect(inParts).toHaveLength(inWindow.length)
  })
})

it('SEARCH-Q12: years without a message, and before the first one, are not walked through', () => {
  let parts = 0
  const slices = logSlices(db, stopwatchOf([0]))
  const window = { fromId: 0, below: logIdAt(LOG_EPOCH_MS + 60 * 365 * DAY_MS) }
  allSteps(slices.walk(1, window, ({ fromId }) => ++parts && fromId))
  expect(parts).toBeLessThan(25)
})

it('SEARCH-Q12: pages, counts and exports find the same in many parts as in one', () => {
  forRuns(40)(durations, fc.constantFrom(...FILTERS), fc.nat(300), fc.nat(3000), (taken, filter, limit, offset) => {
    const steps = logSteps(db, stopwatchOf(taken), writer.salt)
    const expected = rows.filter(isHit(filter)).reverse()
    const found = allSteps(steps.searchCommands({ ...query, filter, limit, offset }))
    expect(found.map(({ id }) => id)).toEqual(expected.slice(offset, offset + limit).map(({ id }) => id))
    const count = (scanLimit?: number) => allSteps(steps.countCommands({ ...query, filter, limit: 0 }, scanLimit))
    expect(count()).toEqual({ value: expected.length, isExact: true })
    expect(count(ROWS)).toEqual({ value: expected.length, isExact: true })
    if (filter.connectorId) {
      const scanned = [...rows]
        .reverse()
        .slice(0, offset + 1)
        .filter(isHit(filter)).length
      expect(count(offset + 1)).toEqual({ value: scanned, isExact: false })
    }
    let exported = 0
    let belowId: number | undefined
    do {
      const from = { ...query, filter, limit: limit + 1, belowId }
      const chunk = allSteps(steps.exportCommands(from, 'ndjson'))
      exported += chunk.rows
      belowId = chunk.lastId
    } while (belowId !== undefined && exported < 1000)
    expect(exported).toBeLessThanOrEqual(expected.length)
    if (belowId === undefined) expect(exported).toBe(expected.length)
    const methods = allSteps(steps.commandMethods('CP1', 0, newest + 1))
    expect(methods).toEqual(['A', 'B', 'C'].map((method) => ({ method, count: ROWS / 3 })))
  })
})

it('SEARCH-Q12: a filter that nothing matches is many steps where statements are slow', () => {
  const filter = { methods: ['A'], connectorId: [{ op: 'gt', value: 90 } as const] }
  const slow = () => logSteps(db, stopwatchOf([0, 40]), writer.salt)
  for (const steps of [
    slow().searchCommands({ ...query, filter, limit: 100 }),
    slow().countCommands({ ...query, filter, limit: 0 }),
    slow().countCommands({ ...query, filter, limit: 0 }, ROWS),
    slow().exportCommands({ ...query, filter, limit: 1000 }, 'csv'),
    slow().commandMethods('CP1', 0, newest + 1),
  ]) {
    expect(countSteps(steps)).toBeGreaterThan(20)
  }
})

it('SEARCH-Q12: a step fetches a bounded number of rows, however many are wanted', () => {
  const steps = logSteps(db, stopwatchOf([0]), writer.salt)
  expect(countSteps(steps.searchCommands({ ...query, filter: {}, limit: 4000 }))).toBeGreaterThan(30)
})

it('SEARCH-Q12: exports that take turns do not mix their lines', () => {
  const steps = logSteps(db, stopwatchOf([0]), writer.salt)
  const chunks = ['A', 'B'].map((method) =>
    steps.exportCommands({ ...query, filter: { methods: [method] }, limit: 1000 }, 'ndjson'),
  )
  const texts: string[] = []
  while (texts.length < chunks.length) {
    for (const chunk of chunks) {
      const { done, value } = chunk.next()
      if (done && value) texts.push(Buffer.from(value.text).toString())
    }
  }
  const methodsOf = (text = '') => [
    ...new Set(
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).method),
    ),
  ]
  expect(texts.map(methodsOf)).toEqual([['A'], ['B']])
})

it('SEARCH-Q12: an export that is stopped leaves nothing behind for the next', () => {
  const steps = logSteps(db, stopwatchOf([0]), writer.salt)
  const stopped = steps.exportCommands({ ...query, filter: {}, limit: 1000 }, 'csv')
  stopped.next()
  stopped.return({ text: new Uint8Array(0), rows: 0 })
  const next = allSteps(steps.exportCommands({ ...query, filter: {}, limit: 1 }, 'csv'))
  expect(Buffer.from(next.text).toString().split('\r\n')).toHaveLength(2)
})
