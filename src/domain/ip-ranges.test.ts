import { expect, it } from 'vitest'
import { ipRanges, parseIpRange, plainAddress } from './ip-ranges.ts'

it.each([
  ['10.0.0.0/8', { address: '10.0.0.0', length: 8 }],
  ['192.0.2.7', { address: '192.0.2.7', length: 32 }],
  ['::1', { address: '::1', length: 128 }],
  ['2001:db8::/0', { address: '2001:db8::', length: 0 }],
  ['10.0.0.0/33', undefined],
  ['::/129', undefined],
  ['10.0.0.0/', undefined],
  ['10.0.0.0/8/8', undefined],
  ['10.0.0.0/+8', undefined],
  ['fe80::1%eth0', undefined],
  ['example.org', undefined],
  ['', undefined],
])('%j is read as %j', (text, range) => {
  expect(parseIpRange(text)).toEqual(range)
})

it.each([
  ['10.9.8.7', true],
  ['11.0.0.1', false],
  ['::1', true],
  ['::2', false],
  ['', false],
  ['example.org', false],
])('10.0.0.0/8 and ::1 include %j: %j', (address, isIncluded) => {
  expect(ipRanges(['10.0.0.0/8', ' ::1 ']).includes(address)).toBe(isIncluded)
})

it('names the one that is none', () => {
  expect(() => ipRanges(['10.0.0.0/8', 'ten'])).toThrow('"ten"')
})

it.each([
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::FFFF:192.0.2.1', '192.0.2.1'],
  ['2001:db8::1', '2001:db8::1'],
])('%s is %s', (address, plain) => {
  expect(plainAddress(address)).toBe(plain)
})
