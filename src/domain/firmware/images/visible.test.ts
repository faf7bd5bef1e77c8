import { expect, it } from 'vitest'
import { knowledgeOf } from '../images.ts'

it.each([
  ['the account', undefined, 'its own', undefined, 'own'],
  ['the account', undefined, 'an application’s', 'g1', 'own'],
  ['an application', 'g1', 'its own', 'g1', 'own'],
  ['an application', 'g1', 'the account’s', undefined, 'name'],
  ['an application', 'g1', 'another application’s', 'g2', undefined],
] as const)('FIRMWARE-I5: of %s (%s) %s image (%s) is known as %s', (_, asking, __, grantId, known) => {
  expect(knowledgeOf({ grantId }, asking)).toBe(known)
})
