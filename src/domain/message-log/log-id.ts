/** Log ids: time, order and cursor in one. id = milliseconds since 2020-01-01 × 4096 + counter; < 2^53 until 2089. */

import { fixedText } from '../iso-time.ts'
import { mix64 } from './mix64.ts'

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
