/** What the operator's service knows of a VAT number (OCPP21-C8). Pure. */

import type { VatNumberCheck } from './records.ts'

const LENGTHS = { name: 50, address1: 100, address2: 100, city: 100, postalCode: 20, country: 50 }
const NEEDED = ['name', 'address1', 'city', 'country']

/** As the registry of the European Union takes them: a country, then 2 to 12 characters, a digit among them. */
const FORM = /^[A-Z]{2}(?=.*\d)[0-9A-Z+*]{2,12}$/

export function hasVatNumberForm(vatNumber: string): boolean {
  return FORM.test(vatNumber.replaceAll(/[\s.-]/g, '').toUpperCase())
}

/** @param answer parsed JSON of anyone */
export function readVatNumberCheck(answer: unknown): VatNumberCheck {
  const { valid, company } = membersOf(answer)
  if (typeof valid !== 'boolean') return { verdict: 'unknown', reason: 'answered without `valid`' }
  return valid ? { verdict: 'valid', company: companyOf(membersOf(company)) } : { verdict: 'invalid' }
}

/** Undefined where a member is missing that charge points need. */
function companyOf(said: Readonly<Record<string, unknown>>): VatNumberCheck['company'] {
  const known = Object.entries(LENGTHS).flatMap(([name, length]) => {
    const text = typeof said[name] === 'string' ? said[name].trim() : ''
    return text === '' ? [] : [[name, [...text].slice(0, length).join('')] as const]
  })
  const company = Object.fromEntries(known)
  return NEEDED.every((name) => name in company) ? company : undefined
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
}
