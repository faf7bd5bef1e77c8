/** UUIDv7 (RFC 9562 §5.7) of sessions and events: sorts by creation, unguessable, begins with its millisecond. */
import { randomBytes } from 'node:crypto'

export function newUuid(now: number, random: (bytes: number) => Buffer = pooledRandom): string {
  const time = now.toString(16).padStart(12, '0')
  const bytes = random(10)
  const chance = bytes.toString('hex')
  const variant = (((bytes[2] ?? 0) & 0x3f) | 0x80).toString(16)
  return `${time.slice(0, 8)}-${time.slice(8)}-7${chance.slice(1, 4)}-${variant}${chance.slice(6, 8)}-${chance.slice(8)}`
}

/** Random bytes are fetched in bulk, because a call costs more than the rest of an id. */
const POOL_BYTES = 4096
let pool = Buffer.alloc(0)
let used = 0

function pooledRandom(count: number): Buffer {
  if (used + count > pool.length) {
    pool = randomBytes(POOL_BYTES)
    used = 0
  }
  used += count
  return pool.subarray(used - count, used)
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
