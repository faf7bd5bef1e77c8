/** What only we can have made: codes over what they vouch for, and comparing them without saying how far they agree. */
import { createHmac, timingSafeEqual } from 'node:crypto'

/** Hex. */
export function macOf(key: Uint8Array, ...parts: readonly string[]): string {
  return createHmac('sha256', key).update(JSON.stringify(parts)).digest('hex')
}

/** Both in hex. */
export function equalHashes(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a, 'hex'), Buffer.from(b, 'hex')]
  return left.length === right.length && timingSafeEqual(left, right)
}
