import { expect, it } from 'vitest'
import { namesNewcomer, type SubjectCheck } from './issue.ts'

it.each([
  ['CP1', undefined, 'contains', true],
  ['CP1', 'SN1', 'exact', true],
  ['SN1', 'SN1', 'exact', true],
  ['Acme SN1', 'SN1', 'contains', true],
  ['Acme SN1', 'SN1', 'exact', false],
  ['CP10', undefined, 'contains', false],
  ['SN-CP1', undefined, 'contains', false],
  ['CP2', 'SN1', 'contains', false],
  ['CP2', '', 'contains', false],
  ['CP2', undefined, 'off', false],
  [undefined, 'SN1', 'contains', false],
] as readonly (readonly [string | undefined, string | undefined, SubjectCheck, boolean])[])(
  'CERT-C28: %s for CP1, which has never booted, expecting %s (%s): %s',
  (commonName, expectedSerialNumber, check, names) => {
    expect(namesNewcomer(commonName, { identity: 'CP1', expectedSerialNumber }, check)).toBe(names)
  },
)
