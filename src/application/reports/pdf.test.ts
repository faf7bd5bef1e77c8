import { expect, it } from 'vitest'
import { textsOf } from '../../../test/support/application/reports/pdf.ts'
import { fitting, pdfFile, plainText, widthOf } from './pdf.ts'

// REPORT-A6: letters of a PDF file
it.each([
  ['Köln, Größe – 5 €', 'Köln, Größe – 5 €', true],
  ['Ko\u0308ln', 'Köln', true],
  ['Dvořák', 'Dvorák', false],
  ['מרכז Hafen', '???? Hafen', false],
  ['東京 😀', '?? ?', false],
  ['a\u0000b', 'a?b', false],
  ['Š\u00a0œ', 'Š\u00a0œ', true],
])('%s is written as %s', (text, plain, isWhole) => {
  expect(plainText(text)).toMatchObject({ text: plain, isWhole: isWhole && plain === text.normalize('NFC') })
  expect(textsOf(pdfFile('x', 'en', [{ texts: [{ x: 0, y: 0, text, size: 9 }], lines: [] }]))).toEqual([plain])
})

it('knows how wide a text is, and cuts off what is wider', () => {
  // Adobe's metrics: A 667, i 222, W 944, ö as o 556.
  expect(widthOf('AiWö', 1000)).toBe(667 + 222 + 944 + 556)
  expect(fitting('Harbor', 10, 100)).toBe('Harbor')
  const cut = fitting('W'.repeat(5000), 10, 100)
  expect(cut).toMatch(/^W+…$/)
  expect(widthOf(cut, 10)).toBeLessThanOrEqual(100)
})

it('nothing that somebody wrote becomes a part of the file', () => {
  const text = ')> Tj ET endstream endobj (\\'
  expect(textsOf(pdfFile(text, 'en', [{ texts: [{ x: 0, y: 0, text, size: 9 }], lines: [] }]))).toEqual([text])
})
