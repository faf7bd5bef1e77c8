import fc from 'fast-check'
import { expect, it } from 'vitest'
import { visible, visibleLines } from './visible-text.ts'

it.each([
  ['EV-1 Depot, bay 1 ü 東京 🚗', 'EV-1 Depot, bay 1 ü 東京 🚗'],
  ['\u001b[2K\r\n12:00 INFO forged', '\\u001b[2K\\r\\n12:00 INFO forged'],
  ['\u009b31m', '\\u009b31m'],
  ['\u007f\u0000\u0008', '\\u007f\\u0000\\u0008'],
  ['a\u202eb\u2066c\u200fd\u061c', 'a\\u202eb\\u2066c\\u200fd\\u061c'],
  ['a\u2028b\u2029c\u0085d', 'a\\u2028b\\u2029c\\u0085d'],
  ['a\u200bb\ufeffc', 'a\\u200bb\\ufeffc'],
  ['\u{e0041}', '\\udb40\\udc41'],
  ['\ud800', '\\ud800'],
])('%j is shown as %j', (text, shown) => expect(visible(text)).toBe(shown))

it('our own line feeds stay between lines', () => expect(visibleLines('one\ntwo\u001b\n')).toBe('one\ntwo\\u001b\n'))

it('property: JSON means the same afterwards, and nothing is left that a terminal obeys', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.string({ unit: 'binary' }), (value, text) => {
      const json = JSON.stringify([value, text])
      expect(JSON.parse(visibleLines(json))).toEqual(JSON.parse(json))
      expect(visible(text)).toMatch(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]*$/u)
    }),
  )
})
