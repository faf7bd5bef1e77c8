/** One-time codes (RFC 6238: SHA-1, 6 digits, 30 seconds) and recovery codes (ADMIN-F1). */
import { createHash } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'

const STEP_SECONDS = 30
const SECRET_BYTES = 20
/** Clocks of telephones differ, and typing takes time: one step before and one after count as well. */
const TOLERANCE_STEPS = 1
const RECOVERY_CODES = 10
const RECOVERY_BYTES = 10

export function newSharedSecret(random: (bytes: number) => Buffer): string {
  return base32(random(SECRET_BYTES))
}

/** The time step whose code this is, among those that count at `now`. */
export function stepOf(secret: string, typed: string, now: number): number | undefined {
  const token = typed.replace(/\s/g, '')
  // The library compares bytes, and throws when six characters are more than six of them.
  if (!/^\d{6}$/.test(token)) return undefined
  const delta = authenticator(secret).validate({ token, timestamp: now, window: TOLERANCE_STEPS })
  return delta === null ? undefined : TOTP.counter({ period: STEP_SECONDS, timestamp: now }) + delta
}

export function newRecoveryCodes(random: (bytes: number) => Buffer): readonly string[] {
  return Array.from({ length: RECOVERY_CODES }, () =>
    base32(random(RECOVERY_BYTES))
      .toLowerCase()
      .replace(/.{4}(?=.)/g, '$&-'),
  )
}

/** However it was typed: in which case, with or without dashes. The codes are long, so a plain hash keeps them. */
export function recoveryHash(typed: string): string {
  return createHash('sha256')
    .update(typed.toLowerCase().replace(/[^a-z2-7]/g, ''))
    .digest('hex')
}

export function authenticatorAddress(secret: string, email: string): string {
  return authenticator(secret, email).toString()
}

function authenticator(secret: string, label = ''): TOTP {
  return new TOTP({ issuer: 'Pilotwire', label, algorithm: 'SHA1', digits: 6, period: STEP_SECONDS, secret })
}

function base32(bytes: Uint8Array): string {
  return new Secret({ buffer: Uint8Array.from(bytes).buffer }).base32
}
