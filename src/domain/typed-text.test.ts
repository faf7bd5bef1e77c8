import fc from 'fast-check'
import { expect, it } from 'vitest'
import { forAll } from '../../test/support/property.ts'
import { DESCRIPTION, ID_TOKEN, LABEL_VALUE, NAME, textFault } from './typed-text.ts'

it.each([
  ['', NAME, 'out_of_range'],
  ['', LABEL_VALUE, undefined],
  ['North entrance', NAME, undefined],
  ['🔌'.repeat(200), NAME, undefined],
  ['🔌'.repeat(201), NAME, 'out_of_range'],
  ['x'.repeat(201), NAME, 'out_of_range'],
  ['x'.repeat(255), DESCRIPTION, undefined],
  ['x'.repeat(256), LABEL_VALUE, 'out_of_range'],
  ['x'.repeat(255), ID_TOKEN, undefined],
  ['x'.repeat(256), ID_TOKEN, 'out_of_range'],
  ['two\nlines', NAME, 'invalid_value'],
  ['two\nlines', { most: 9, mayHaveLines: true }, undefined],
  ['a\r\nb\u0007', { most: 9, mayHaveLines: true }, 'invalid_value'],
  ['\u0000', ID_TOKEN, 'invalid_value'],
  ['\u202Egnp.exe', LABEL_VALUE, 'invalid_value'],
  ['\uFEFF04A2', ID_TOKEN, 'invalid_value'],
  ['half \uD83D', NAME, 'invalid_value'],
  ['line\u2028end', DESCRIPTION, 'invalid_value'],
  ['👩‍🔧', NAME, undefined],
  ['می‌خواهم', NAME, undefined],
] as const)('%j', (text, rule, code) => {
  expect(textFault(text, rule)?.code).toBe(code)
})

it.each([
  ['\u2028', 'line separators (U+2028)'],
  ['\u2029', 'paragraph separators (U+2029)'],
  ['\u0007', 'control characters (U+0007)'],
  ['\u200B', 'invisible characters (U+200B)'],
  ['\u{E0041}', 'invisible characters (U+E0041)'],
  ['\uD83D', 'halves of surrogate pairs (U+D83D)'],
])('a refused character is called what it is: %j', (character, name) => {
  expect(textFault(`a${character}b\u0007`, NAME)?.message).toBe(`must not contain ${name}`)
})

it('whatever is typed is taken or has one fault, and what is taken fits', () => {
  forAll(fc.string({ unit: 'binary', maxLength: 450 }), (text) => {
    if (textFault(text, NAME) === undefined) expect([...text].length).toBeLessThanOrEqual(NAME.most)
  })
})
