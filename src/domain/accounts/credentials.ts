/** `pwk_<id>_<secret><checksum>` (OIDC-U7): the id finds the row, the checksum tells a credential from a typo. */

import { createHash, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Credential } from '../ports/storage-records.ts'

/** How the secrets that we hand out begin (API-B7), for what makes, recognizes or hides them in the log. */
export const SECRET_PREFIXES = {
  apiCredential: 'pwk_',
  accessToken: 'pwa_',
  refreshToken: 'pwr_',
  clientSecret: 'pws_',
  /** Of an application that registered itself: it may change and delete the registration (OIDC-G7). */
  registrationToken: 'pwg_',
  webhookSecret: 'whsec_',
  /** In the address of a page where its bearer chooses a password, once (ADMIN-E1). */
  passwordLink: 'pwl_',
  /** With which a roaming partner calls (OCPI-A1). */
  partnerToken: 'pwo_',
} as const

const PREFIX = SECRET_PREFIXES.apiCredential
const SHAPE = new RegExp(`^${PREFIX}([0-9a-z]{16})_([A-Za-z0-9_-]{43})([0-9A-Za-z]{6})$`)
const SECRET_BYTES = 32
/** 10 bytes in base 32: 16 letters and digits, none of them the `_` that separates id and secret. */
const ID_BYTES = 10
const ID_ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const CHECKSUM_ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const CHECKSUM_LENGTH = 6

/** Ten years; a credential that should last longer gets no end. */
export const MAX_CREDENTIAL_DAYS = 3650

export function daysFrom(text: string): number | undefined {
  const days = /^\d{1,4}$/.test(text.trim()) ? Number(text) : 0
  return days >= 1 && days <= MAX_CREDENTIAL_DAYS ? days : undefined
}

/** A fresh credential: its text, to be shown once, and the row to store, which holds only the text's hash. */
export function createCredential(
  random: (bytes: number) => Buffer,
  { accountId, name, createdAt, expiresAt, scopes = [] }: Omit<Credential, 'id' | 'secretHash'>,
): { readonly text: string; readonly credential: Credential } {
  const id = base32(random(ID_BYTES))
  const body = `${PREFIX}${id}_${random(SECRET_BYTES).toString('base64url')}`
  const text = body + checksum(body)
  const credential = {
    id,
    accountId,
    name,
    secretHash: hashCredential(text),
    createdAt,
    expiresAt,
    ...(scopes.length > 0 && { scopes: [...new Set(scopes)] }),
  }
  return { text, credential }
}

export function parseCredential(text: string): { readonly id: string } | undefined {
  const match = SHAPE.exec(text)
  const id = match?.[1]
  if (id === undefined || !text.endsWith(checksum(text.slice(0, -CHECKSUM_LENGTH)))) return undefined
  return { id }
}

/** SHA-256 of the whole text, hex: the secret has 256 random bits, so a slow hash would add nothing. */
export function hashCredential(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

export type CredentialState = 'valid' | 'wrong' | 'expired' | 'revoked'

/** In constant time; only a caller that knows the secret learns whether it is expired or revoked. */
export function checkCredential(text: string, credential: Credential, now: number): CredentialState {
  const expected = Buffer.from(credential.secretHash, 'hex')
  const actual = Buffer.from(hashCredential(text), 'hex')
  if (expected.length !== actual.length || !timingSafeEqual(expected, actual)) return 'wrong'
  if (credential.revokedAt !== undefined) return 'revoked'
  return credential.expiresAt !== undefined && credential.expiresAt <= now ? 'expired' : 'valid'
}

function checksum(body: string): string {
  let rest = crc32(body)
  let text = ''
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    text = CHECKSUM_ALPHABET.charAt(rest % CHECKSUM_ALPHABET.length) + text
    rest = Math.floor(rest / CHECKSUM_ALPHABET.length)
  }
  return text
}

function base32(bytes: Buffer): string {
  const bits = BigInt(`0x${bytes.toString('hex')}`)
  return Array.from(
    { length: (bytes.length * 8) / 5 },
    (_, i) => ID_ALPHABET[Number((bits >> BigInt(i * 5)) & 31n)],
  ).join('')
}
