import { expect, it } from 'vitest'
import { consentOf } from './consent.ts'

it.each([
  ['our origin', { allowedOrigin: 'charging.example.com' }, { given: true }],
  ['in another case', { allowedOrigin: ' Charging.Example.COM ' }, { given: true }],
  ['anybody', { allowedOrigin: '*' }, { given: true }],
  ['a rate', { allowedOrigin: '*', allowedRate: '120' }, { given: true, ratePerMinute: 120 }],
  ['no limit of the rate', { allowedOrigin: '*', allowedRate: '*' }, { given: true }],
  ['nothing, with a good status', { status: 200 }, { given: false, missing: 'origin' }],
  ['somebody else', { allowedOrigin: 'example.com' }, { given: false, missing: 'origin' }],
  ['a suffix of ours', { allowedOrigin: 'example.com.evil' }, { given: false, missing: 'origin' }],
  ['a list', { allowedOrigin: 'charging.example.com, example.com' }, { given: false, missing: 'origin' }],
  ['an empty text', { allowedOrigin: '' }, { given: false, missing: 'origin' }],
  ['a rate without an origin', { allowedRate: '120' }, { given: false, missing: 'origin' }],
  ['no deliveries at all', { allowedOrigin: '*', allowedRate: '0' }, { given: false, missing: 'rate' }],
  ['a negative rate', { allowedOrigin: '*', allowedRate: '-1' }, { given: false, missing: 'rate' }],
  ['a broken rate', { allowedOrigin: '*', allowedRate: '1.5' }, { given: false, missing: 'rate' }],
  ['a rate beyond integers', { allowedOrigin: '*', allowedRate: '9'.repeat(400) }, { given: false, missing: 'rate' }],
  ['words', { allowedOrigin: '*', allowedRate: 'many' }, { given: false, missing: 'rate' }],
])('HOOK-S6: allowing %s', (_, answered, expected) => {
  expect(consentOf('charging.example.com', answered)).toEqual(expected)
})

it('HOOK-S6: the status decides nothing, neither way', () => {
  expect(consentOf('a.example', { status: 405, error: 'status', allowedOrigin: 'a.example' })).toEqual({
    given: true,
  })
  expect(consentOf('a.example', { status: 204 })).toEqual({ given: false, missing: 'origin' })
})
