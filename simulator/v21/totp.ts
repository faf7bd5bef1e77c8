/** The one-time password of a payment's QR code: version 1 of OCPP 2.1 C25, which is not RFC 6238. */
import { createHmac } from 'node:crypto'

const CHARACTERS = [...'0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ']

/** `interval`: the seconds since the epoch, divided by the validity in seconds and rounded down. */
export function totp(secret: string, interval: number, length: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(interval))
  const hash = createHmac('sha256', secret).update(counter).digest()
  const start = (hash.at(-1) ?? 0) & 0x0f
  const character = (position: number) => CHARACTERS[(hash[(start + position) % hash.length] ?? 0) % CHARACTERS.length]
  return Array.from({ length }, (_value, position) => character(position)).join('')
}
