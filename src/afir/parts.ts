/**
 * Documents in compressed parts (AFIR-A3): a change compresses its own site anew, and a whole document is sent without
 * being made. Each part is a run of DEFLATE that needs no other; the checksum of all follows from those of the parts.
 */
import { constants, crc32, deflateRawSync, inflateRawSync } from 'node:zlib'

export interface Part {
  readonly bytes: Buffer
  readonly crc: number
  /** Of the text, in bytes. */
  readonly length: number
  /** By what a checksum before it is multiplied. */
  readonly shift: number
}

export function partOf(text: string): Part {
  const plain = Buffer.from(text)
  return {
    // A copy: what zlib returns holds a buffer of 16 KiB, however little is in it.
    bytes: Buffer.from(deflateRawSync(plain, { finishFlush: constants.Z_FULL_FLUSH })),
    crc: crc32(plain),
    length: plain.length,
    shift: powerOfEight(plain.length),
  }
}

export function textOf({ bytes }: Part): string {
  return inflateRawSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH }).toString()
}

export interface Checksum {
  readonly crc: number
  readonly length: number
}

/** Of a text with one more part behind it. */
export function appended({ crc, length }: Checksum, part: Part): Checksum {
  return { crc: (multiply(part.shift, crc) ^ part.crc) >>> 0, length: length + part.length }
}

const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])
/** So much is sent at a time. */
const CHUNK_BYTES = 65_536

export function* gzipped(parts: readonly Part[], { crc, length }: Checksum): Generator<Buffer, void> {
  const trailer = Buffer.from([3, 0, 0, 0, 0, 0, 0, 0, 0, 0])
  trailer.writeUInt32LE(crc, 2)
  trailer.writeUInt32LE(length % 2 ** 32, 6)
  yield* chunks([GZIP_HEADER, ...parts.map(({ bytes }) => bytes), trailer])
}

/** For a client that takes nothing compressed. */
export function* plain(parts: readonly Part[]): Generator<Buffer, void> {
  for (const part of parts) yield inflateRawSync(part.bytes, { finishFlush: constants.Z_SYNC_FLUSH })
}

function* chunks(buffers: readonly Buffer[]): Generator<Buffer, void> {
  let gathered: Buffer[] = []
  let size = 0
  for (const buffer of buffers) {
    gathered.push(buffer)
    size += buffer.length
    if (size < CHUNK_BYTES) continue
    yield Buffer.concat(gathered)
    gathered = []
    size = 0
  }
  if (size > 0) yield Buffer.concat(gathered)
}

// CRC-32 of two texts behind each other (as crc32_combine of zlib): polynomials over GF(2), the lowest power first.

const POLYNOMIAL = 0xedb88320
const ONE = 0x80000000

function multiply(a: number, b: number): number {
  let product = 0
  let factor = b
  for (let bit = ONE; bit !== 0; bit >>>= 1) {
    if ((a & bit) !== 0) product ^= factor
    factor = (factor & 1) === 0 ? factor >>> 1 : (factor >>> 1) ^ POLYNOMIAL
  }
  return product >>> 0
}

/** x to the power of so many bytes. */
function powerOfEight(bytes: number): number {
  let power = ONE
  let square = 0x00800000
  for (let left = bytes; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) power = multiply(power, square)
    square = multiply(square, square)
  }
  return power
}
