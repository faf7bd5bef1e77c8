import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isVirtualIdToken, newVirtualIdToken } from './virtual-id-token.ts'

describe('virtual id tokens', () => {
  it('A5: fit into an idTag and are recognised in any case', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), (bytes) => {
        const token = newVirtualIdToken(() => bytes)
        expect(token.length).toBeLessThanOrEqual(20)
        expect([token, token.toLowerCase()].map(isVirtualIdToken)).toEqual([true, true])
      }),
    )
  })

  it.each(['', 'CARD', 'PW', 'PW0000000000000000', 'PWABCDEFGHJKLMNPQ', 'PWABCDEFGHJKLMNPQRS'])(
    'A5: %j is the token of a person',
    (id) => expect(isVirtualIdToken(id)).toBe(false),
  )
})
