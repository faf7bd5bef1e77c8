import fc from 'fast-check'
import { expect, it } from 'vitest'
import { indentedJson } from './indented-json.ts'

it('is what JSON.stringify makes of it', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
      expect(indentedJson(JSON.stringify(value))).toBe(JSON.stringify(value, undefined, 2))
    }),
  )
})

it('keeps every character that means something, whatever the text is', () => {
  const bare = (text: string): string => text.replaceAll(/\s/g, '')
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'{}[],:"\\a1 \n') }), (text) => {
      expect(bare(indentedJson(text))).toBe(bare(text))
    }),
  )
})

it('OCPP-DR3: an integer above 2^53 stays what the wire said', () => {
  expect(indentedJson('{"transactionId":9223372036854775807}')).toContain('9223372036854775807')
})

it('CONSOLE-C13: what turns the text behind it around is spelled out, and means the same', () => {
  const sent = { info: '\u202egnp.exe\u2066\u200f' }
  const shown = indentedJson(JSON.stringify(sent))
  expect(shown).toContain('\\u202egnp.exe\\u2066\\u200f')
  expect(JSON.parse(shown)).toEqual(sent)
})

it('a deep text does not grow with the square of its depth', () => {
  expect(indentedJson('['.repeat(10_000)).length).toBeLessThan(300_000)
})
