import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { sealedBox } from './sealed-box.ts'

const KEY = Buffer.alloc(32, 7)
const PURPOSES = ['signingKeys', 'repeatedTokens', 'webhookSecrets', 'keptAnswers', 'outgoingCalls'] as const

it.each(PURPOSES)('OIDC-D8, HOOK-W4: what is sealed as %s opens for the same owner and key only', (purpose) => {
  const box = sealedBox(KEY, purpose, randomBytes)
  fc.assert(
    fc.property(fc.string(), fc.string(), (text, owner) => {
      expect(box.open(box.seal(text, owner), owner)).toBe(text)
    }),
  )
  const sealed = box.seal('secret', 'one')
  expect(sealed).not.toContain('secret')
  expect(sealed).not.toBe(box.seal('secret', 'one'))
  expect(box.open(sealed, 'other')).toBeUndefined()
  expect(box.open(sealed)).toBeUndefined()
  expect(sealedBox(Buffer.alloc(32, 8), purpose, randomBytes).open(sealed, 'one')).toBeUndefined()
  expect(box.open('')).toBeUndefined()
  for (const changed of changes(sealed)) expect(box.open(changed, 'one')).toBeUndefined()
})

it('HOOK-W4: what is sealed for one purpose does not open for another', () => {
  for (const made of PURPOSES) {
    // The next test has the exception: answers that were kept before they had a key of their own.
    const sealed = sealedBox(KEY, made, randomBytes).seal('secret')
    for (const other of PURPOSES.filter((one) => one !== made)) {
      const former = made === 'webhookSecrets' && other === 'keptAnswers'
      if (!former) expect(sealedBox(KEY, other, randomBytes).open(sealed), `${made}, ${other}`).toBeUndefined()
    }
  }
})

it.each([
  ['signingKeys', 'CQkJCQkJCQkJCQkJb9iTaYshTCboxKTTyDGH5jmtkIUNzwQbEC-fL0I', undefined, 'a private key'],
  ['repeatedTokens', 'CQkJCQkJCQkJCQkJoNxbwMU9tLkSxLK1p60bZ8Qoqn3_5IVD_7JBX2mNPOY', undefined, 'a pair of tokens'],
  ['webhookSecrets', 'CQkJCQkJCQkJCQkJIVpFJ6UX-wqRoGXHBPHcHnQz9DeYTpQ', 'wh_1', 'whsec_x'],
  ['keptAnswers', 'CQkJCQkJCQkJCQkJLRBFNqc89iCdacCJBEA-IiItwNW9S_XMsAJH6L-K', 'name', '{"status":201}'],
] as const)('OIDC-D8, HOOK-W4: what an older version sealed as %s still opens', (purpose, sealed, owner, text) => {
  expect(sealedBox(KEY, purpose, randomBytes).open(sealed, owner)).toBe(text)
})

/** One character changed, at each place. The last one may hold bits that belong to no byte. */
function changes(sealed: string): readonly string[] {
  return [...sealed.slice(0, -1)].map(
    (old, at) => sealed.slice(0, at) + (old === 'A' ? 'B' : 'A') + sealed.slice(at + 1),
  )
}
