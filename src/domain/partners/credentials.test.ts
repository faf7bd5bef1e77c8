import fc from 'fast-check'
import { expect, it } from 'vitest'
import { forAll } from '../../../test/support/property.ts'
import { accepted, given, MAX_GIVEN, mayCall, used, withdrawn } from './credentials.ts'
import type { GivenToken } from './records.ts'

const hashes = (tokens: readonly GivenToken[] | undefined): string => (tokens ?? []).map(({ hash }) => hash).join(' ')
const token = (hash: string, more: Partial<GivenToken> = {}): GivenToken => ({ hash, at: 1, ...more })

it('OCPI-A1: an older token ends when a newer one was used, and not before', () => {
  const both = given([token('A')], token('B'))
  expect(hashes(both)).toBe('B A')
  expect(hashes(used(both, 'A', 2, true))).toBe('B A')
  expect(used(both, 'B', 2, true)).toEqual([token('B', { usedAt: 2 })])
  expect(used(used(both, 'B', 2, true) ?? [], 'A', 3, true)).toBeUndefined()
})

it('OCPI-A1: an offered token that was only tried ends nothing, until it was accepted or adopted', () => {
  const offered = given([token('A')], token('B', { kind: 'offered' }))
  const tried = used(offered, 'B', 2, false) ?? []
  expect(hashes(tried)).toBe('B A')
  expect(hashes(withdrawn(tried, 'B'))).toBe('A')
  expect(hashes(used(accepted(tried, 'B'), 'B', 3, false))).toBe('B')
  expect(used(tried, 'B', 3, true)).toEqual([token('B', { usedAt: 2 })])
  expect(hashes(withdrawn(accepted(tried, 'B'), 'B'))).toBe('B A')
  expect(hashes(withdrawn([token('B', { kind: 'offered' })], 'B'))).toBe('B')
})

it('OCPI-A1: an unchanged list is the same one: nothing is written for it', () => {
  const tokens = [token('A', { usedAt: 1 })]
  expect(used(tokens, 'A', 5, true)).toBe(tokens)
})

it.each([
  ['invited', 'A', 'POST', true],
  ['invited', 'A', 'PUT', false],
  ['invited', 'A', 'DELETE', false],
  ['registered', 'A', 'POST', true],
  ['registered', 'B', 'POST', false],
  ['registered', 'B', 'PUT', true],
  ['registered', 'B', 'DELETE', true],
] as const)('OCPI-A1: of an %s partner with token %s, %s: %s', (state, hash, method, may) => {
  const tokenHashes = [token('B'), token('A', { kind: 'invitation' })]
  expect(mayCall({ state, tokenHashes }, method, hash)).toBe(may)
})

it('OCPI-A1: with whom we register, and whose answer was lost, may go on with our token', () => {
  const partner = {
    state: 'invited',
    versionsUrl: 'https://x',
    tokenHashes: [token('B', { kind: 'offered' })],
  } as const
  expect(mayCall(partner, 'PUT', 'B')).toBe(true)
  expect(mayCall(partner, 'POST', 'B')).toBe(true)
})

it.each(['removed', 'suspended'] as const)(
  'OCPI-A1: one that was %s while its endpoints were read stays so',
  (state) => {
    for (const method of ['POST', 'PUT', 'DELETE'] as const) {
      expect(mayCall({ state, versionsUrl: 'https://x', tokenHashes: [token('B')] }, method, 'B')).toBe(false)
      expect(mayCall({ state, versionsUrl: 'https://x', tokenHashes: [] }, method, 'B')).toBe(false)
    }
  },
)

/** What may happen to a token on its way to a partner, who goes on with the one that it has. */
const steps = fc.constantFrom(
  'answered',
  'answer lost',
  'accepted',
  'tried and refused',
  'refused',
  'taken, answer lost',
  'use',
)

it('OCPI-A1: whatever is lost or refused, the token that the partner has is valid, and few are kept', () => {
  forAll(fc.array(steps, { maxLength: 40 }), (happened) => {
    let count = 0
    let held = 'T0'
    let tokens: readonly GivenToken[] = [token(held)]
    const use = (hash: string, isProof = true): void => {
      const after = used(tokens, hash, 1, isProof)
      expect(after, `${hash} of ${hashes(tokens)}`).toBeDefined()
      tokens = after ?? tokens
    }
    for (const step of happened) {
      if (step === 'use') {
        use(held)
        continue
      }
      const fresh = `T${++count}`
      const isOurs = step !== 'answered' && step !== 'answer lost'
      if (!isOurs) use(held)
      tokens = given(tokens, token(fresh, isOurs ? { kind: 'offered' } : {}))
      if (isOurs && step !== 'refused') use(fresh, false)
      if (step === 'accepted') tokens = accepted(tokens, fresh)
      if (step === 'refused' || step === 'tried and refused') tokens = withdrawn(tokens, fresh)
      if (step === 'answered' || step === 'accepted' || step === 'taken, answer lost') held = fresh
      expect(
        tokens.some(({ hash }) => hash === held),
        `${held} of ${hashes(tokens)}`,
      ).toBe(true)
      expect(tokens.length).toBeLessThanOrEqual(MAX_GIVEN)
    }
    use(held)
    expect(hashes(tokens).split(' ').at(-1)).toBe(held)
  })
})
