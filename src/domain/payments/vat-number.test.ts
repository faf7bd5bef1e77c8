import { expect, it } from 'vitest'
import { hasVatNumberForm, readVatNumberCheck } from './vat-number.ts'

it.each([
  ['DE123456789', true],
  ['de 123.456-789', true],
  ['ATU12345678', true],
  ['123', false],
  ['DEUTSCHLAND', false],
  ['', false],
])('OCPP21-C8: %s has the form of a VAT number: %s', (vatNumber, expected) => {
  expect(hasVatNumberForm(vatNumber)).toBe(expected)
})

const COMPANY = { name: 'Example Ltd', address1: 'Main Street 1', city: 'Berlin', country: 'Germany' }

it.each<[string, unknown, object]>([
  ['yes', { valid: true }, { verdict: 'valid', company: undefined }],
  ['yes with a company', { valid: true, company: COMPANY }, { verdict: 'valid', company: COMPANY }],
  [
    'a company with more than fits',
    { valid: true, company: { ...COMPANY, name: 'x'.repeat(60), postalCode: ' 10115 ', phone: '1', address2: '' } },
    { company: { ...COMPANY, name: 'x'.repeat(50), postalCode: '10115' } },
  ],
  ['a company without a city', { valid: true, company: { ...COMPANY, city: ' ' } }, { company: undefined }],
  ['a company that is a text', { valid: true, company: 'Example Ltd' }, { company: undefined }],
  ['no', { valid: false, company: COMPANY }, { verdict: 'invalid' }],
  ['a word for yes', { valid: 'true' }, { verdict: 'unknown' }],
  ['nothing', undefined, { verdict: 'unknown' }],
  ['null', null, { verdict: 'unknown' }],
  ['a list', [true], { verdict: 'unknown' }],
])('OCPP21-C8: the service answers %s', (_, answer, expected) => {
  expect(readVatNumberCheck(answer)).toMatchObject(expected)
})
