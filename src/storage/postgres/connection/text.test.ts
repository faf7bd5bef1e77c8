import fc from 'fast-check'
import { expect, it } from 'vitest'
import { forAll } from '../../../../test/support/property.ts'
import { fromDatabase, jsonFromDatabase, jsonToDatabase, toDatabase } from './text.ts'

const awkward = fc
  .array(
    fc.constantFrom(
      '\0',
      '\\',
      '\\u0000',
      '\\ud800',
      '\\\\u0000',
      '\ud800',
      '\udc00',
      '\u{10FFFE}',
      '\u{1F50C}',
      'a',
      '0',
      'z',
      '"',
      'm',
    ),
  )
  .map((parts) => parts.join(''))

// STORE-N5: text that PostgreSQL does not take comes back as it was
it('any text, with nothing in it that the database refuses', () => {
  forAll(awkward, (text) => {
    const stored = toDatabase(text)
    expect(stored).not.toContain('\0')
    expect(stored.isWellFormed()).toBe(true)
    expect(fromDatabase(stored)).toBe(text)
  })
})

it('texts within JSON, and JSON within those', () => {
  forAll(fc.dictionary(fc.string(), fc.array(awkward)), awkward, (members, text) => {
    const value = { members, document: JSON.stringify({ text }) }
    const stored = jsonToDatabase(value)
    expect(stored).not.toMatch(/[^\\](?:\\\\)*\\u0000/)
    expect(jsonFromDatabase(stored)).toEqual(value)
    const { document } = JSON.parse(stored) as { document: string }
    expect(() => JSON.parse(document)).not.toThrow()
    expect(document).not.toMatch(/[^\\](?:\\\\)*\\u0000/)
  })
})

it('leaves other text alone', () => {
  const text = '{"id":"ä\\n\\u00e9","\u{1F50C}":1}'
  expect(toDatabase(text)).toBe(text)
})
