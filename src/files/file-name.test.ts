import fc from 'fast-check'
import { expect, it } from 'vitest'
import { attachment, safeFileName } from './multipart.ts'

// FIRMWARE-F6: the name of a file
it.each([
  ['diag.tar.gz', 'diag.tar.gz'],
  ['../../etc/passwd', 'passwd'],
  ['C:\\logs\\a b.log', 'a b.log'],
  ['.ssh', 'ssh'],
  ['..', 'fallback'],
  ['', 'fallback'],
  [undefined, 'fallback'],
  ['a\u0000b\r\nc\u001b[31m.log', 'a_b__c__31m.log'],
  ['x"; filename="y', 'x__ filename__y'],
  ['prüfung.log', 'prüfung.log'],
  ['\u202egol.exe', '_gol.exe'],
])('%j', (given, name) => {
  expect(safeFileName(given, 'fallback')).toBe(name)
})

it('is short, in one line and in one folder, whatever is sent; so is the header made of it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (given) => {
      const name = safeFileName(given, 'fallback')
      expect([...name].length).toBeLessThanOrEqual(120)
      expect(name).toMatch(/^[^/\\\p{Cc}.][^/\\\p{Cc}]*$/u)
      expect(attachment(name)).toMatch(/^attachment; filename="[^"\\]*"; filename\*=UTF-8''[\w.!~%-]+$/)
      expect(() => new Headers({ 'content-disposition': attachment(name) })).not.toThrow()
    }),
  )
})
