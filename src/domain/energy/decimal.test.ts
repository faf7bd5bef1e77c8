import fc from 'fast-check'
import { expect, it } from 'vitest'
import { forAll, forRuns } from '../../../test/support/property.ts'
import { scaledInteger } from './decimal.ts'

const LIMIT = 1e15

it.each([
  ['0.1', 6, 100_000],
  ['12345.678', 3, 12_345_678],
  ['1.005', 2, 101],
  ['1.0049', 2, 100],
  ['0.0004', 3, 0],
  ['.5', 0, 1],
  ['5.', 0, 5],
  ['+7', 3, 7000],
  ['-2.5', 0, -3],
  ['-0', 3, 0],
  ['1.5e3', 0, 1500],
  ['15E-1', 0, 2],
  [' 42 ', 0, 42],
  ['007', 0, 7],
  ['1000000000000', 3, LIMIT],
  ['0.1', -5, 0],
])('ENERGY-N1: %j times 10^%i is %i exactly', (text, power, expected) => {
  expect(scaledInteger(text, power, LIMIT)).toBe(expected)
})

it.each([
  '',
  ' ',
  '.',
  '-',
  'NaN',
  'Infinity',
  '0x1F',
  '1F',
  'OCMF|{"FV":"1.0"}|{}',
  '12,5',
  '1 2',
  '1e',
  '1000000000001',
  '1e400',
  '9'.repeat(65),
])('ENERGY-N1: %j is no number', (text) => {
  expect(scaledInteger(text, 3, LIMIT)).toBeUndefined()
})

it('ENERGY-N1: any decimal text of milli-units comes back as it was written', () => {
  forAll(fc.integer({ min: 0, max: 1e12 }), (milli) => {
    const digits = String(milli).padStart(4, '0')
    expect(scaledInteger(`${digits.slice(0, -3)}.${digits.slice(-3)}`, 3, LIMIT)).toBe(milli)
  })
})

it('ENERGY-N1: a number of so many digits and places is scaled as exactly as on paper', () => {
  const digits = fc.stringMatching(/^\d{1,20}$/)
  forRuns(1000)(digits, fc.option(fc.stringMatching(/^\d{0,6}$/)), fc.nat(9), (whole, fraction, power) => {
    const places = fraction?.length ?? 0
    fc.pre(places <= power)
    const exact = BigInt(`${whole}${fraction ?? ''}`) * 10n ** BigInt(power - places)
    const text = fraction === null ? whole : `${whole}.${fraction}`
    expect(scaledInteger(text, power, LIMIT)).toBe(exact <= LIMIT ? Number(exact) : undefined)
  })
})
