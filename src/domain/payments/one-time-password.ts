/** The one-time password in the QR code of an EVSE, version 1 (OCPP 2.1 C25); it is not that of RFC 6238. */
import { createHmac } from 'node:crypto'

export interface PasswordParameters {
  readonly secret: string
  readonly length: number
  readonly validitySeconds: number
}

const DIGITS = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** Starts at the low four bits of the hash's last byte, and goes on at its begin. */
export function passwordOf(
  { secret, length }: Pick<PasswordParameters, 'secret' | 'length'>,
  interval: number,
): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.max(0, interval)))
  const hash = createHmac('sha256', Buffer.from(secret, 'utf8')).update(counter).digest()
  const start = (hash.at(-1) ?? 0) & 0x0f
  const digit = (at: number) => DIGITS.charAt((hash[(start + at) % hash.length] ?? 0) % DIGITS.length)
  return Array.from({ length }, (_, at) => digit(at)).join('')
}

/** Of the previous, the current and the next interval: the clocks differ a little, and a driver takes a moment. */
export function isPasswordAt(parameters: PasswordParameters, password: string, now: number): boolean {
  const current = Math.floor(now / 1000 / parameters.validitySeconds)
  return [-1, 0, 1].some((shift) => passwordOf(parameters, current + shift) === password)
}
