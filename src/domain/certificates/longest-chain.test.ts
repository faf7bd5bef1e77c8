import { expect, it } from 'vitest'
import { longestChain } from './certificates.ts'

const KEY = 'securitycTrlr.maxcertificatechainsize'.toLowerCase()
const row = (value: string | undefined, key = KEY, gone = false) => ({ key, value, gone })

it.each([
  [[], 10_000],
  [[row('5600')], 5600],
  [[row('2000', 'chargepoint.certificatesignedmaxchainsize')], 2000],
  [[row('20000')], 10_000],
  [[row('5600', KEY, true)], 10_000],
  [[row('0'), row('-1'), row('many'), row('1.5'), row(undefined), row('')], 10_000],
  [[row('5', 'other.key')], 10_000],
])('CERT-C10: of %j a chain has at most %i characters', (rows, most) => {
  expect(longestChain(rows)).toBe(most)
})
