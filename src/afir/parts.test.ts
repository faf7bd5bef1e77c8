import { crc32, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { appended, gzipped, partOf, plain, textOf } from './parts.ts'

const EMPTY = { crc: 0, length: 0 }

const texts = ['', '{"a":', 'ä'.repeat(100_000), '}', 'x', JSON.stringify({ long: 'abc'.repeat(50_000) })]

test('AFIR-A3: parts that were compressed by themselves are one gzip, with the checksum of all', () => {
  const parts = texts.map(partOf)
  const checksum = parts.reduce(appended, EMPTY)
  expect(checksum).toEqual({ crc: crc32(texts.join('')), length: Buffer.byteLength(texts.join('')) })
  expect(gunzipSync(Buffer.concat([...gzipped(parts, checksum)])).toString()).toBe(texts.join(''))
  expect(Buffer.concat([...plain(parts)]).toString()).toBe(texts.join(''))
  expect(parts.map(textOf)).toEqual(texts)
})

test('AFIR-A3: a document without parts is an empty gzip', () => {
  expect(gunzipSync(Buffer.concat([...gzipped([], EMPTY)])).toString()).toBe('')
})
