import fc from 'fast-check'
import { expect, it } from 'vitest'
import { forAll } from '../../../../test/support/property.ts'
import { isVirtualIdToken, newVirtualIdToken } from './virtual-id-token.ts'

it('SESSION-A5, 1.6 §3.9: look like a card, because stations refused letters beyond F and garbled 20 characters, and are recognised in any case', () => {
  forAll(fc.uint8Array({ minLength: 5, maxLength: 5 }), (bytes) => {
    const token = newVirtualIdToken(() => bytes)
    expect(token).toMatch(/^[0-9A-F]{14}$/)
    expect([token, token.toLowerCase()].map(isVirtualIdToken)).toEqual([true, true])
  })
})

it.each(['', 'CARD', 'FADE', '04A2B3C4D5E6F7', 'FADE01234567', 'FADE01234567890', 'FADE012345678G'])(
  'SESSION-A5: %j is the token of a person',
  (id) => expect(isVirtualIdToken(id)).toBe(false),
)
