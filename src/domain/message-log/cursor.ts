/** Cursors (SEARCH-Q7): a position within one exact query, opaque and sealed. The key survives restarts. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

const VERSION = 1
const MAC_BYTES = 16
const BINDING_BYTES = 16
const HEAD_BYTES = 1 + MAC_BYTES + BINDING_BYTES
/** A longer text is none of ours; looking at it would only cost time. */
const MAX_LENGTH = 1024
const LIFETIME_MS = 7 * 24 * 3600_000

type Position = readonly (number | string)[]

type OpenedCursor =
  | { readonly ok: true; readonly position: Position }
  | { readonly ok: false; readonly code: 'invalid_cursor' | 'cursor_expired' | 'cursor_mismatch' }

export interface Cursors {
  /** `query` is everything the answer depends on: account, resource and the request without its cursor. */
  seal(position: Position, query: unknown, now: number): string
  open(text: string, query: unknown, now: number): OpenedCursor
  /** What is wrong with it whatever it belongs to. */
  judge(text: string, now: number): 'invalid_cursor' | 'cursor_expired' | undefined
}

/** @param secretKey the installation's key (32 bytes); cursors get a key of their own from it. */
export function createCursors(secretKey: Uint8Array): Cursors {
  const key = createHmac('sha256', secretKey).update('pilotwire cursor').digest()
  const mac = (content: Buffer): Buffer => createHmac('sha256', key).update(content).digest().subarray(0, MAC_BYTES)
  /** Our own seal is on it, so the text is what `seal` wrote. */
  const read = (
    text: string,
  ): { readonly binding: Buffer; readonly issuedAt: number; readonly position: Position } | undefined => {
    const bytes = Buffer.from(text.length <= MAX_LENGTH ? text : '', 'base64url')
    const content = bytes.subarray(1 + MAC_BYTES)
    const genuine =
      bytes.length > HEAD_BYTES &&
      bytes[0] === VERSION &&
      bytes.toString('base64url') === text &&
      timingSafeEqual(bytes.subarray(1, 1 + MAC_BYTES), mac(content))
    if (!genuine) return undefined
    const [issuedAt, ...position] = JSON.parse(content.subarray(BINDING_BYTES).toString()) as [number, ...Position]
    return { binding: content.subarray(0, BINDING_BYTES), issuedAt, position }
  }
  return {
    judge(text, now) {
      const cursor = read(text)
      if (!cursor) return 'invalid_cursor'
      return now - cursor.issuedAt > LIFETIME_MS ? 'cursor_expired' : undefined
    },
    seal(position, query, now) {
      const content = Buffer.concat([bind(query), Buffer.from(JSON.stringify([now, ...position]))])
      return Buffer.concat([Buffer.of(VERSION), mac(content), content]).toString('base64url')
    },
    open(text, query, now) {
      const cursor = read(text)
      if (!cursor) return { ok: false, code: 'invalid_cursor' }
      if (now - cursor.issuedAt > LIFETIME_MS) return { ok: false, code: 'cursor_expired' }
      if (!cursor.binding.equals(bind(query))) return { ok: false, code: 'cursor_mismatch' }
      return { ok: true, position: cursor.position }
    },
  }
}

function bind(query: unknown): Buffer {
  return createHash('sha256').update(canonicalJson(query)).digest().subarray(0, BINDING_BYTES)
}

/** One text per JSON value, whatever the order of its members: what a cursor is bound to (SEARCH-Q7). */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`
}
