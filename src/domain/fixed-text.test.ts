import { expect, it } from 'vitest'
import { fixedText } from './fixed-text.ts'

it('writes digits into a text of fixed width, from its start or its end, and leaves the rest', () => {
  const text = fixedText('0000-00-ffffffff')
  text.decimal(0, 42, 4)
  text.decimal(-11, 7, 2)
  text.hex(8, 0xfedc_ba98, 8)
  expect(text.toString()).toBe('0042-07-fedcba98')
  text.hex(0, 0, 4)
  expect(text.toString()).toBe('0000-07-fedcba98')
})
