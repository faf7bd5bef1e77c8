/** Log ids: time, order and cursor in one. id = milliseconds since 2020-01-01 × 4096 + counter; < 2^53 until 2089. */

import { fixedText } from '../iso-time.ts'

export const LOG_EPOCH_MS = Date.UTC(2020, 0, 1)
const COUNTER = 4096

/** Of the twelve low bits six are the slot of the node that gives the id, where several write to one database. */
export const NODE_SLOTS = 64

/** Never steps back; a full counter advances the millisecond (SEARCH-Q6). @param slot 0 to 63 of a node (STORE-I1) */
export function nextLogId(last: number, now: number, slot?: number): number {
  const next = Math.max(last + 1, logIdAt(now))
  if (slot === undefined) return next
  const distance = slot - (next % NODE_SLOTS)
  return next + (distance < 0 ? distance + NODE_SLOTS : distance)
}

/** Smallest id of a millisecond; bound of a time window. Times before 2020 give 0, after 2089 the greatest id. */
export function logIdAt(ms: number): number {
  return Math.min(Number.MAX_SAFE_INTEGER, Math.max(0, ms - LOG_EPOCH_MS) * COUNTER)
}

/** `createdAt` of a row: the millisecond of its id. */
export function logIdTime(id: number): number {
  return LOG_EPOCH_MS + Math.floor(id / COUNTER)
}

/** UUIDv7 (RFC 9562 §5.7, counter in rand_a), low bits mixed with the database's salt: installations differ. */
export function logIdToUuid(id: number, salt: bigint): string {
  const ms = logIdTime(id)
  const [high, low] = mix64(id, salt)
  uuid.hex(0, Math.floor(ms / 0x1_0000), 8)
  uuid.hex(9, ms % 0x1_0000, 4)
  uuid.hex(15, id % COUNTER, 3)
  uuid.hex(19, ((high >>> 16) & 0x3fff) | 0x8000, 4)
  uuid.hex(24, high & 0xffff, 4)
  uuid.hex(28, low, 8)
  return uuid.toString()
}

const uuid = fixedText('00000000-0000-7000-8000-000000000000')

/** The log id behind a public UUID, undefined when no row of this database can have it. */
export function uuidToLogId(uuid: string, salt: bigint): number | undefined {
  const match = /^([0-9a-f]{8})-([0-9a-f]{4})-7([0-9a-f]{3})-/i.exec(uuid)
  if (!match) return undefined
  const ms = Number.parseInt(`${match[1]}${match[2]}`, 16)
  const id = (ms - LOG_EPOCH_MS) * COUNTER + Number.parseInt(match[3] ?? '', 16)
  if (!Number.isSafeInteger(id) || id < 0) return undefined
  return logIdToUuid(id, salt) === uuid.toLowerCase() ? id : undefined
}

/** v1 row id (SEARCH-V3): hex digits 0-11, 13-15 and 23-31 of the UUID: time, counter and the last 36 bits. */
export function uuidToV1Id(uuid: string): string {
  const hex = uuid.replaceAll('-', '')
  return hex.slice(0, 12) + hex.slice(13, 16) + hex.slice(23, 32)
}

/** UUIDv7 (RFC 9562 §5.7) of sessions and events: sorts by creation, unguessable, begins with its millisecond. */
export function newUuid(now: number, random: (bytes: number) => Buffer): string {
  const time = now.toString(16).padStart(12, '0')
  const bytes = random(10)
  const chance = bytes.toString('hex')
  const variant = (((bytes[2] ?? 0) & 0x3f) | 0x80).toString(16)
  return `${time.slice(0, 8)}-${time.slice(8)}-7${chance.slice(1, 4)}-${variant}${chance.slice(6, 8)}-${chance.slice(8)}`
}

/** The millisecond it was made in; undefined when the text is no UUIDv7. */
export function uuidTime(id: string): number | undefined {
  if (!/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id)) return undefined
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
}

/** Sorts before every UUIDv7 of that millisecond or later. */
export function uuidFloor(ms: number): string {
  const hex = Math.max(0, ms).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}`
}

/** splitmix64's finalizer in halves of 32 bits: 0.1 µs once per exported row, where big integers take 0.4. */
type Halves = readonly [high: number, low: number]

const HALF = 0x1_0000_0000

/** Mixes `value` xor `salt`. @param value a safe integer @returns the 64 bits as two unsigned halves */
export function mix64(value: number, salt: bigint): Halves {
  if (salt !== known.salt)
    known = { salt, high: Number(BigInt.asUintN(32, salt >> 32n)), low: Number(BigInt.asUintN(32, salt)) }
  const low = ((value ^ known.low) >>> 0) + 0x7f4a7c15
  const high = (Math.floor(value / HALF) ^ known.high) + 0x9e3779b9 + Number(low >= HALF)
  const first = times(shiftXor([high >>> 0, low >>> 0], 30), 0xbf58476d, 0x1ce4e5b9)
  const second = times(shiftXor(first, 27), 0x94d049bb, 0x133111eb)
  return shiftXor(second, 31)
}

/** One database has one salt, and taking it apart costs as much as the mixing. */
let known = { salt: 0n, high: 0, low: 0 }

/** x ^ (x >> bits), for less than 32 bits. */
function shiftXor([high, low]: Halves, bits: number): Halves {
  return [(high ^ (high >>> bits)) >>> 0, (low ^ ((low >>> bits) | (high << (32 - bits)))) >>> 0]
}

/** The product's low 64 bits. */
function times([high, low]: Halves, factorHigh: number, factorLow: number): Halves {
  const [upper, lower] = [low >>> 16, low & 0xffff]
  const [factorUpper, factorLower] = [factorLow >>> 16, factorLow & 0xffff]
  const bottom = lower * factorLower
  const middle = upper * factorLower + (bottom >>> 16)
  const other = lower * factorUpper + (middle % 0x10000)
  const carried = upper * factorUpper + Math.floor(middle / 0x10000) + Math.floor(other / 0x10000)
  const product = ((other & 0xffff) << 16) | (bottom & 0xffff)
  return [(carried + Math.imul(high, factorLow) + Math.imul(low, factorHigh)) >>> 0, product >>> 0]
}
