import fc from 'fast-check'
import { expect, it } from 'vitest'
import { forAll } from '../../../test/support/property.ts'
import { asciiTable, Utf8Text } from './utf8-text.ts'

const LETTERS = asciiTable('a', 'z', 'q')

it('SEARCH-C4: holds what was added, however much, and begins again after it was taken', () => {
  const text = new Utf8Text()
  forAll(fc.array(fc.string({ unit: 'binary', maxLength: 50_000 })), (parts) => {
    for (const part of parts) text.add(part)
    const expected = Buffer.from(parts.map((part) => part.toWellFormed()).join(''))
    expect(text.byteLength).toBe(expected.length)
    expect(Buffer.from(text.take()).equals(expected)).toBe(true)
    expect(text.byteLength).toBe(0)
  })
})

it('SEARCH-C4: what was taken does not change any more', () => {
  const text = new Utf8Text()
  text.addAscii('first')
  const taken = text.take()
  text.addAscii('other')
  expect(Buffer.from(taken).toString()).toBe('first')
  expect(taken.buffer.byteLength).toBe(5)
})

it('SEARCH-C3: adds a text of allowed characters as it is, and nothing of any other', () => {
  const text = new Utf8Text()
  expect(['abc', '', 'aqc', 'a c', 'ü', 'abé'].map((part) => text.addIfOnly(LETTERS, part))).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ])
  expect(Buffer.from(text.take()).toString()).toBe('abc')
})

it('SEARCH-C3: a rewriting may double what it gets', () => {
  const text = new Utf8Text()
  text.addRewritten('é'.repeat(100_000), (from, count, to, at) => {
    to.set(from.subarray(0, count), at)
    to.set(from.subarray(0, count), at + count)
    return at + 2 * count
  })
  expect(Buffer.from(text.take()).toString()).toBe('é'.repeat(200_000))
})
