import { expect, it } from 'vitest'
import type { Kind } from '../../domain/resources/field.ts'
import { KINDS } from '../../domain/resources/field.ts'
import { tariff } from '../../domain/tariffs/tariff.ts'
import { RULES } from './kinds.ts'
import { readTyped, textOf } from './orders.ts'

it.each<[Kind, string, unknown]>([
  ['amount', '0.49', 490_000],
  ['amount', '0,5', 500_000],
  ['amount', '1000000000', 1e15],
  ['amount', '0.000001', 1],
  ['amount', '1000000001', undefined],
  ['amount', '0.1234567', undefined],
  ['amount', '-1', undefined],
  ['amount', '1e3', undefined],
  ['amount', '', undefined],
  ['currency', 'eur', 'EUR'],
  ['currency', 'UYW', 'UYW'],
  ['currency', 'XX', undefined],
  ['chargePoint', 'CP1', 'CP1'],
  ['word', 'A text', 'A text'],
  ['word', 'x'.repeat(256), undefined],
  ['integer', '1', undefined],
  ['time', '1', undefined],
  ['choice', '1', undefined],
])('ADMIN-H1: of %s, %j is %j', (kind, text, value) => {
  expect(RULES[kind].read(text, { kind })).toBe(value)
})

it('ADMIN-H1: what is required is missed, every fault is reported', () => {
  expect(readTyped(tariff, { currency: 'eur', perKwh: '0.5' }, true)).toEqual({
    ok: true,
    value: {
      currency: 'EUR',
      name: '',
      perKwhMicros: 500_000,
      perMinuteMicros: 0,
      perSessionMicros: 0,
      idlePerMinuteMicros: 0,
    },
  })
  const read = readTyped(tariff, { currency: 'XX', perMinute: 'x' }, true)
  expect(!read.ok && read.faults.map(({ pointer }) => pointer)).toEqual(['/currency', '/perKwh', '/perMinute'])
})

it.each<[Kind, unknown, string | undefined]>([
  ['amount', 490_000, '0.49'],
  ['amount', undefined, '0'],
  ['chargePoint', undefined, undefined],
  ['time', 0, '1970-01-01T00:00:00.000Z'],
])('ADMIN-H1: a stored %s %j is typed as %j', (kind, value, text) => {
  const row = { accountId: 'A', [`name${KINDS[kind].suffix}`]: value }
  expect(textOf(row, 'name', { kind })).toBe(text)
})
