import fc from 'fast-check'
import { expect, it } from 'vitest'
import { forAll } from '../../../test/support/property.ts'
import { csvRows, readCardFile } from './import.ts'

const owner = { accountId: 'A', createdAt: 1 }
const read = (text: string) => readCardFile(text, owner)
const faultsOf = (text: string) => {
  const result = read(text)
  return 'faults' in result ? result.faults.map(({ line, message }) => `${line}: ${message}`) : []
}

it('ADMIN-G1, ADMIN-G2: only the id is needed; the rest has its defaults', () => {
  expect(read('id\r\nAB12\r\n')).toEqual({
    tokens: [{ ...owner, id: 'AB12', type: 'ISO14443', status: 'Accepted' }],
    columns: ['id'],
  })
  const all = '\uFEFFstatus,id,type,expiresAt,groupId\nBlocked,"A,""1""",eMAID,2027-01-01T00:00:00Z,fleet\n\n'
  expect(read(all)).toEqual({
    tokens: [
      { ...owner, id: 'A,"1"', type: 'eMAID', status: 'Blocked', expiresAt: Date.UTC(2027, 0), groupId: 'fleet' },
    ],
    columns: ['status', 'id', 'type', 'expiresAt', 'groupId'],
  })
})

it('ADMIN-G2: a file with semicolons, as spreadsheets of many countries write it, is the same file', () => {
  const commas = 'id,status,groupId\r\nA1,Accepted,fleet\r\n"B;2",Blocked,\r\n'
  const semicolons = '\uFEFFid;status;groupId\r\nA1;Accepted;fleet\r\n"B;2";Blocked;\r\n'
  expect(read(semicolons)).toEqual(read(commas))
  expect(read('id;groupId\nA;"x, y"\n')).toMatchObject({ tokens: [{ id: 'A', groupId: 'x, y' }] })
  expect(read('id\nA;B\n')).toMatchObject({ tokens: [{ id: 'A;B' }] })
})

it('ADMIN-G2: every fault is told by its line, in all rows', () => {
  const text = ['id,status,expiresAt', 'A,Accepted,', ',Gone,soon', 'A,Blocked,', '"x', 'y",,', `${'9'.repeat(256)},,,`]
  expect(faultsOf(text.join('\n'))).toEqual([
    '3: id is missing',
    '3: status must be one of Accepted, Blocked, Expired, Invalid, NoCredit',
    '3: expiresAt must be an RFC 3339 time such as 2027-01-01T00:00:00Z',
    '4: the id A stands in line 2 with other attributes',
    '5: id must not contain control characters (U+000A)',
    '7: has 4 fields, the first line 3',
  ])
})

it.each([
  ['', /^1: is missing/],
  ['status\nAccepted', /^1: the column id is missing/],
  ['id,colour\nA,red', /^1: there is no column "colour"/],
  ['id,id\nA,B', /^1: the column id stands twice/],
  ['id\n"A', /^2: a quote is never closed/],
  ['id\n..', /^2: id cannot be a path segment/],
])('ADMIN-G2: %j is refused', (text, fault) => expect(faultsOf(text)[0]).toMatch(fault))

it('ADMIN-G2: the same row twice is one card', () => {
  const result = read('id,groupId\nab,g\nAB,g\n')
  expect('tokens' in result && result.tokens).toHaveLength(1)
})

it('RFC 4180: what is written with quotes is read back', () => {
  const field = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', ' ', 'ä') })
  forAll(fc.array(fc.array(field, { minLength: 2, maxLength: 4 }), { maxLength: 6 }), (rows) => {
    const text = rows.map((row) => row.map((one) => `"${one.replaceAll('"', '""')}"`).join(',')).join('\r\n')
    expect(csvRows(text).rows.map(({ fields }) => fields)).toEqual(rows)
  })
})
