import { expect, it } from 'vitest'
import { consentOf } from './consent.ts'

it.each([
  ['our origin', { 'webhook-allowed-origin': 'charging.example.com' }, { given: true }],
  ['in another case', { 'webhook-allowed-origin': ' Charging.Example.COM ' }, { given: true }],
  ['anybody', { 'webhook-allowed-origin': '*' }, { given: true }],
  ['a rate', { 'webhook-allowed-origin': '*', 'webhook-allowed-rate': '120' }, { given: true, ratePerMinute: 120 }],
  ['no limit of the rate', { 'webhook-allowed-origin': '*', 'webhook-allowed-rate': '*' }, { given: true }],
  ['nothing', {}, { given: false, missing: 'origin' }],
  ['somebody else', { 'webhook-allowed-origin': 'example.com' }, { given: false, missing: 'origin' }],
  ['a suffix of ours', { 'webhook-allowed-origin': 'example.com.evil' }, { given: false, missing: 'origin' }],
  ['a list', { 'webhook-allowed-origin': 'charging.example.com, example.com' }, { given: false, missing: 'origin' }],
  ['an empty text', { 'webhook-allowed-origin': '' }, { given: false, missing: 'origin' }],
  ['a rate without an origin', { 'webhook-allowed-rate': '120' }, { given: false, missing: 'origin' }],
  [
    'no deliveries at all',
    { 'webhook-allowed-origin': '*', 'webhook-allowed-rate': '0' },
    { given: false, missing: 'rate' },
  ],
  [
    'a negative rate',
    { 'webhook-allowed-origin': '*', 'webhook-allowed-rate': '-1' },
    { given: false, missing: 'rate' },
  ],
  [
    'a broken rate',
    { 'webhook-allowed-origin': '*', 'webhook-allowed-rate': '1.5' },
    { given: false, missing: 'rate' },
  ],
  [
    'a rate beyond integers',
    { 'webhook-allowed-origin': '*', 'webhook-allowed-rate': '9'.repeat(400) },
    { given: false, missing: 'rate' },
  ],
  ['words', { 'webhook-allowed-origin': '*', 'webhook-allowed-rate': 'many' }, { given: false, missing: 'rate' }],
])('HOOK-S6: allowing %s', (_, answered, expected) => {
  expect(consentOf('charging.example.com', { headers: answered })).toEqual(expected)
})

it('HOOK-S6: the status decides nothing, neither way', () => {
  const refused = { status: 405, error: 'status' as const }
  expect(consentOf('a.example', { ...refused, headers: { 'webhook-allowed-origin': 'a.example' } })).toEqual({
    given: true,
  })
  const taken = { status: 204, headers: {} }
  expect(consentOf('a.example', taken)).toEqual({ given: false, missing: 'origin' })
})
