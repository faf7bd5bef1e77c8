/** What we hand out once and keep only as a hash: codes, tokens, client secrets, cookies. All have 256 random bits. */
import { createHash, hkdfSync } from 'node:crypto'
import { SECRET_PREFIXES } from '../domain/accounts/credentials.ts'

export type Random = (bytes: number) => Buffer

const BYTES = 32
const PREFIXES = {
  access: SECRET_PREFIXES.accessToken,
  refresh: SECRET_PREFIXES.refreshToken,
  clientSecret: SECRET_PREFIXES.clientSecret,
  registration: SECRET_PREFIXES.registrationToken,
  plain: '',
} as const

export function newSecret(kind: keyof typeof PREFIXES, random: Random): string {
  return PREFIXES[kind] + random(BYTES).toString('base64url')
}

/** Unsalted SHA-256, hex: 256 random bits cannot be guessed, and the hash finds the row. */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

/** A name that says nothing and cannot be guessed: clients, grants, login sessions. */
export function newId(random: Random): string {
  return random(16).toString('hex')
}

/** A key for one purpose, so that what is made for one cannot be used for another. */
export function derivedKey(secretKey: Uint8Array, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey, new Uint8Array(), `pilotwire oidc ${purpose}`, BYTES))
}
