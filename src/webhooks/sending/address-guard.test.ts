import { expect, it } from 'vitest'
import { isPublicAddress, literalAddress, mayReach, urlFault } from './address-guard.ts'

const LOOPBACK = ['127.0.0.0/8', '::1/128']

// HOOK-X6: the address guard
it.each([
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '127.0.0.1',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.1',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '::7f00:1',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b:1::1',
  '100::1',
  '2001::1',
  '2001:db8::1',
  '2002:7f00:1::1',
  '3fff::1',
  'fc00::1',
  'fd12::1',
  'fe80::1',
  'ff02::1',
  '4000::1',
  'not an address',
])('HOOK-X4: %s is not public', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

it.each(['1.1.1.1', '8.8.8.8', '172.32.0.1', '192.0.1.1', '100.128.0.1', '2606:4700::1111', '2a00:1450::1'])(
  'HOOK-X4: %s is public',
  (address) => {
    expect(isPublicAddress(address)).toBe(true)
  },
)

it.each([
  ['https://2130706433/', '127.0.0.1'],
  ['https://0x7f.1/', '127.0.0.1'],
  ['https://0177.0.0.1/', '127.0.0.1'],
  ['https://127.1/', '127.0.0.1'],
  ['https://①②⑦.0.0.1/', '127.0.0.1'],
  ['https://127.0.0.1./', '127.0.0.1'],
  ['https://0/', '0.0.0.0'],
  ['https://[::ffff:127.0.0.1]/', '::ffff:7f00:1'],
])('HOOK-X3: %s is judged as %s', (text, address) => {
  const url = new URL(text)
  expect(literalAddress(url)).toBe(address)
  expect(mayReach(url, [address], [])).toBe(false)
})

it('HOOK-X3: localhost. stays a name', () => {
  expect(literalAddress(new URL('https://localhost./'))).toBeUndefined()
})

it.each([
  ['nonsense', 'not_a_url'],
  ['/relative', 'not_a_url'],
  ['ftp://example.com/', 'scheme'],
  ['file:///etc/passwd', 'scheme'],
  ['https://user:secret@example.com/', 'user_info'],
  ['https://example.com/#top', 'fragment'],
  ['https://example.com/#', 'fragment'],
  ['https://example.com/hook?x=1', undefined],
])('HOOK-X1: %s', (text, fault) => {
  expect(urlFault(text)).toBe(fault)
})

it('HOOK-X1: https to public addresses, anything else only where every address is allowed', () => {
  const https = new URL('https://example.com/')
  const http = new URL('http://example.com/')
  expect(mayReach(https, ['1.1.1.1', '2606:4700::1111'], [])).toBe(true)
  expect(mayReach(https, ['1.1.1.1', '10.0.0.1'], [])).toBe(false)
  expect(mayReach(https, ['1.1.1.1', '10.0.0.1'], ['10.0.0.0/8'])).toBe(false)
  expect(mayReach(https, [], [])).toBe(false)
  expect(mayReach(http, ['1.1.1.1'], [])).toBe(false)
  expect(mayReach(http, ['127.0.0.1', '::1'], LOOPBACK)).toBe(true)
  expect(mayReach(http, ['127.0.0.1', '1.1.1.1'], LOOPBACK)).toBe(false)
  expect(mayReach(http, ['10.0.0.1'], ['10.0.0.1'])).toBe(true)
})
