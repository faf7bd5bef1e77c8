import { expect, it } from 'vitest'
import { aCall } from '../../../test/support/records.ts'
import { flag, integer, json, optional, type RecordOf, record, since, text } from './record.ts'
import { recordOf, rowOf } from './record-row.ts'
import { RecordsOfChargePoint } from './records.ts'

const bays = record('bays', {
  key: ['siteId', 'number'],
  columns: {
    siteId: text(),
    number: integer(),
    isFree: flag(),
    side: since(2, text<'left' | 'right'>()),
    note: optional(text()),
    hours: since(3, json<readonly number[]>()),
  },
  indexes: [['side', 'number']],
  upgrades: [
    (older) => ({ ...older, side: Number(older.number) % 2 === 0 ? 'right' : 'left' }),
    ({ side, ...older }) => ({ ...older, side, hours: side === 'left' ? [8, 20] : [] }),
  ],
})

const BAY: RecordOf<typeof bays> = { siteId: 'S', number: 7, isFree: true, side: 'left', hours: [] }

it('RECORD-D3: a declared record: its version follows from its upgrades, and each row says which one wrote it', () => {
  expect(bays.version).toBe(3)
  const row = rowOf(bays, BAY)
  expect(row).toEqual([3, 'S', 7, 1, 'left', null, '[]'])
  expect(recordOf(bays, row)).toEqual(BAY)
})

it('RECORD-D3: a declared record: a row of an older version is brought to the newest one step by step', () => {
  expect(recordOf(bays, [1, 'S', 7, 0, null, 'wet', null])).toEqual({
    siteId: 'S',
    number: 7,
    isFree: false,
    note: 'wet',
    side: 'left',
    hours: [8, 20],
  })
  expect(recordOf(bays, [2, 'S', 7, 0, 'right', null, null])).toMatchObject({ side: 'right', hours: [] })
  expect(() => recordOf(bays, [4, 'S', 7, 0, 'right', null, null])).toThrow('newer version')
})

it.each([
  [{ ...BAY, number: Number.NaN }, 'not a whole number'],
  [{ ...BAY, number: 2 ** 53 }, 'not a whole number'],
  [{ ...BAY, siteId: undefined }, 'needs its siteId'],
])('RECORD-D1: a declared record: what no row can hold is refused: %o', (members, fault) => {
  expect(() => rowOf(bays, members)).toThrow(fault)
})

it.each([
  ['no key', () => record('x', { key: [], columns: { a: text() } })],
  ['an optional column', () => record('x', { key: ['a'], columns: { a: optional(text()) } })],
  ['JSON', () => record('x', { key: ['a'], columns: { a: text(), b: json() }, indexes: [['b']] })],
  ['chargePointId', () => record('x', { key: ['a'], columns: { a: text() }, loadedWith: 'chargePoint' })],
  [
    'part of the state',
    () =>
      record('x', {
        key: ['chargePointId'],
        columns: { chargePointId: text() },
        loadedWith: 'chargePoint',
        writtenOnce: true,
      }),
  ],
  [
    'a',
    () => record('x', { key: ['a'], columns: { a: text(), b: integer(), c: text() }, indexes: [['c', 'b']], age: 'b' }),
  ],
  ['no upgrade', () => record('x', { key: ['a'], columns: { a: text(), b: since(2, text()) } })],
])('a declared record: a declaration that contradicts itself fails at once: %s', (part, declare) => {
  expect(declare).toThrow(part)
})

it('RECORD-D2: the records of a charge point in memory: are found by their key, as the last change left them', () => {
  const call = aCall()
  const records = new RecordsOfChargePoint([{ kind: 'outgoing_calls', put: call }])
  records.apply([
    { kind: 'outgoing_calls', put: { ...call, id: 2 } },
    { kind: 'outgoing_calls', put: { ...call, sentAt: 5 } },
  ])
  expect(records.find('outgoing_calls', { chargePointId: 'CP1', id: 1 })).toEqual({ ...call, sentAt: 5 })
  records.apply([{ kind: 'outgoing_calls', remove: { chargePointId: 'CP1', id: 1 } }])
  expect(records.all('outgoing_calls')).toEqual([{ ...call, id: 2 }])
})
