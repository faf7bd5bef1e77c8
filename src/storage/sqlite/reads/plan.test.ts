import SqliteDatabase from 'better-sqlite3'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { temporaryDatabase } from '../../../../test/support/storage/testing.ts'
import { aCommand, changeSet } from '../../../../test/support/storage-contract/records.ts'
import type { Condition, SearchFilter } from '../../../domain/ports/search-filter.ts'
import type { Command } from '../../../domain/ports/storage-records.ts'
import { connectReader } from '../files/connection.ts'
import { openSqlite } from '../writer.ts'
import {
  boundedCountSql,
  countSql,
  filterSql,
  hitsSql,
  methodsSql,
  networkHitsSql,
  pageSql,
  rowsSql,
} from './filter-sql.ts'
import { logReads, logSteps } from './log-steps.ts'

const { path, remove } = temporaryDatabase()
const writer = openSqlite(path)
const db = connectReader(path)
afterAll(() => {
  db.close()
  writer.close()
  remove()
})

const numbers: readonly Condition<number>[][] = [
  [],
  [{ op: 'in', values: [1] }],
  [{ op: 'in', values: [1, 2] }],
  [{ op: 'nin', values: [1] }],
  [{ op: 'gt', value: 1 }],
  [{ op: 'exists', value: false }],
]
const transactionIds: readonly Condition<string>[][] = [
  [],
  [{ op: 'in', values: ['1'] }],
  [{ op: 'nin', values: ['1', '2'] }],
  [{ op: 'nin', values: ['1', 'a'] }],
  [{ op: 'in', values: ['1', '2'] }],
  [{ op: 'lte', value: 1 }],
  [{ op: 'exists', value: true }],
]
const statuses: readonly Condition<string>[][] = [
  [],
  [{ op: 'in', values: ['error'] }],
  [{ op: 'nin', values: ['success', 'error'] }],
]
const methods: readonly Pick<SearchFilter, 'methods' | 'excludeMethods'>[] = [
  {},
  { methods: ['a'] },
  { methods: ['a', 'b'] },
  { methods: [] },
  { excludeMethods: ['a'] },
]

const filters: readonly SearchFilter[] = methods.flatMap((method) =>
  numbers.flatMap((connectorId) =>
    transactionIds.flatMap((transactionId) =>
      statuses.flatMap((status) =>
        [{}, { schemaErrors: true }, { schemaErrors: false }].map((schemaErrors) => ({
          ...method,
          connectorId,
          transactionId,
          status,
          ...schemaErrors,
        })),
      ),
    ),
  ),
)

const WINDOW = 'SEARCH commands_search USING PRIMARY KEY (charge_point=? AND id>? AND id<?)'

function plan(sql: string): readonly string[] {
  const rows = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...Array(sql.split('?').length - 1).fill(1))
  return (rows as { readonly detail: string }[]).map(({ detail }) => detail)
}

it('SEARCH-Q15: of a network each part is a range of the index for each charge point, and no other scan', () => {
  for (const filter of filters) {
    const { where } = filterSql(filter, () => 1) ?? { where: '1' }
    const scans = plan(networkHitsSql(where)).filter((step) => step.includes('commands_search'))
    expect([where, scans]).toEqual([where, [WINDOW]])
  }
})

it(`SEARCH-Q11: each of ${filters.length} filter combinations is one bounded scan of the covering index`, () => {
  for (const filter of filters) {
    const { where } = filterSql(filter, () => 1) ?? { where: '1' }
    for (const sql of [hitsSql(where), countSql(where), boundedCountSql(where)]) {
      const steps = plan(sql)
      expect(
        steps.filter((step) => /commands(_search)?\b/.test(step)),
        sql,
      ).toEqual([WINDOW])
      // Only entries older than the column are looked up in the log, each by its key.
      const lookUps = steps.filter((step) => step.includes('logged'))
      const byKey = !where.includes('logged') ? [] : ['SEARCH logged USING INTEGER PRIMARY KEY (rowid=?)']
      expect(lookUps, sql).toEqual(byKey)
      expect(
        steps.filter((step) => /SCAN (?!hit|json_each|\(subquery)/.test(step)),
        sql,
      ).toEqual([])
    }
  }
})

it('SEARCH-Q11: rows of a page are then fetched by id, without sorting', () => {
  for (const sql of [pageSql(), rowsSql()]) {
    const steps = plan(sql)
    expect(steps).toContain('SEARCH command USING INTEGER PRIMARY KEY (rowid=?)')
    expect(steps.filter((step) => step.includes('TEMP B-TREE'))).toEqual([])
  }
  expect(plan(pageSql())).toContain(WINDOW)
})

it('SEARCH-Q9: the methods of a window come from the same index', () => {
  expect(plan(methodsSql)).toContain(WINDOW)
})

const rows: Command[] = []
const search = logReads(logSteps(db, () => performance.now(), writer.salt))
const value = {
  connector: fc.integer({ min: 0, max: 4 }),
  transaction: fc.constantFrom('1', '2', '02', '-3', '-', '', 'a1', '1a', '99999999999999999999'),
}
const names = ['A', 'B', 'C']
const known = ['pending', 'success', 'error', 'timeout', 'dropped'] as const

beforeAll(async () => {
  const transactions = [
    undefined,
    '1',
    '02',
    '-3',
    '-',
    '',
    'a1',
    '1a',
    '99999999999999999999',
    '--4',
    '5 ',
    '+6',
    '1.5',
  ]
  for (let n = 0; n < 400; n++) {
    const transactionId = transactions[n % transactions.length]
    const connectorId = n % 6
    rows.push(
      aCommand(n, {
        method: names[n % 3] ?? 'A',
        status: known[n % 5] ?? 'success',
        ...(connectorId < 5 && { connectorId }),
        transactionId,
        ...(n % 7 === 0 && { schemaErrors: '/a is required' }),
      }),
    )
  }
  await writer.core.commit(rows.map((command) => changeSet({ command })))
  await writer.placing.all()
})

const list = <T>(items: fc.Arbitrary<T>) => fc.array(items, { maxLength: 3 })
const condition = <T>(items: fc.Arbitrary<T>, ranges: boolean): fc.Arbitrary<Condition<T>> =>
  fc.oneof(
    fc.record({ op: fc.constantFrom('in' as const, 'nin' as const), values: list(items) }),
    fc.record({ op: fc.constant('exists' as const), value: fc.boolean() }),
    ...(ranges
      ? [
          fc.record({
            op: fc.constantFrom('gt' as const, 'gte' as const, 'lt' as const, 'lte' as const),
            value: fc.integer({ min: -4, max: 4 }),
          }),
        ]
      : []),
  )
const anyFilter: fc.Arbitrary<SearchFilter> = fc.record(
  {
    methods: list(fc.constantFrom(...names, 'Nobody')),
    excludeMethods: list(fc.constantFrom(...names, 'Nobody')),
    connectorId: fc.array(condition(value.connector, true), { maxLength: 2 }),
    transactionId: fc.array(condition<string>(value.transaction, true), { maxLength: 2 }),
    status: fc.array(condition<string>(fc.constantFrom(...known, 'odd'), false), { maxLength: 2 }),
    schemaErrors: fc.boolean(),
  },
  { requiredKeys: [] },
)

it('SEARCH-Q2: finds and counts exactly the rows that a plain reading of the filter finds', async () => {
  const window = { chargePointId: 'CP1', fromId: 0, toId: Number.MAX_SAFE_INTEGER }
  await fc.assert(
    fc.asyncProperty(anyFilter, async (filter) => {
      const expected = rows.filter((row) => matches(row, filter)).map(({ id }) => id)
      const found = await search.searchCommands({ ...window, filter, limit: 1000 })
      expect(found.map(({ id }) => id)).toEqual(expected.reverse())
      const exact = { value: expected.length, isExact: true }
      expect(await search.countCommands({ ...window, filter, limit: 1 })).toEqual(exact)
      expect(await search.countCommands({ ...window, filter, limit: 1 }, 400)).toEqual(exact)
    }),
    { numRuns: 200 },
  )
})

it('SEARCH-Q2: entries written before they said whether there are schema errors are found and counted all the same', async () => {
  const window = { chargePointId: 'CP1', fromId: 0, toId: Number.MAX_SAFE_INTEGER }
  const old = new SqliteDatabase(path)
  old.exec('UPDATE commands_search SET has_schema_errors = NULL WHERE id % 8192 = 0')
  old.close()
  for (const schemaErrors of [true, false]) {
    const expected = rows.filter((row) => (row.schemaErrors !== undefined) === schemaErrors).map(({ id }) => id)
    const found = await search.searchCommands({ ...window, filter: { schemaErrors }, limit: 1000 })
    expect(found.map(({ id }) => id)).toEqual(expected.reverse())
    const exact = { value: expected.length, isExact: true }
    expect(await search.countCommands({ ...window, filter: { schemaErrors }, limit: 1 })).toEqual(exact)
    expect(await search.countCommands({ ...window, filter: { schemaErrors }, limit: 1 }, 400)).toEqual(exact)
  }
})

/** The filter read aloud, without SQL. */
function matches(row: Command, filter: SearchFilter): boolean {
  return (
    (filter.methods?.includes(row.method) ?? true) &&
    !filter.excludeMethods?.includes(row.method) &&
    (filter.connectorId ?? []).every((one) => holds(one, row.connectorId, row.connectorId)) &&
    (filter.transactionId ?? []).every((one) => holds(one, row.transactionId, integerOf(row.transactionId))) &&
    (filter.status ?? []).every((one) => holds<string>(one, row.status, undefined)) &&
    (filter.schemaErrors === undefined || filter.schemaErrors === (row.schemaErrors !== undefined))
  )
}

function integerOf(text: string | undefined): number | undefined {
  return text !== undefined && /^-?[0-9]+$/.test(text) ? Number(text) : undefined
}

function holds<T>(condition: Condition<T>, value: T | undefined, number: number | undefined): boolean {
  switch (condition.op) {
    case 'in':
      return value !== undefined && condition.values.includes(value)
    case 'nin':
      return value === undefined || !condition.values.includes(value)
    case 'exists':
      return (value !== undefined) === condition.value
    case 'gt':
      return number !== undefined && number > condition.value
    case 'gte':
      return number !== undefined && number >= condition.value
    case 'lt':
      return number !== undefined && number < condition.value
    case 'lte':
      return number !== undefined && number <= condition.value
  }
}
