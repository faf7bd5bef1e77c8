/** ADMIN-E1: a link with which a user chooses a password, once and within a week: the invitation of a new user. */
import type { PasswordLink } from '../ports/storage-administration.ts'
import { hashCredential, SECRET_PREFIXES } from './credentials.ts'

const SECRET_BYTES = 32
const LIFETIME_MS = 7 * 86_400_000
const SHAPE = new RegExp(`^${SECRET_PREFIXES.passwordLink}[A-Za-z0-9_-]{43}$`)

/** In place of the hash of a password that was not chosen yet: no password verifies against it. */
export const NO_PASSWORD = '-'

/** The same of a user whom the company's provider made under an address that it does not call verified (ADMIN-K4). */
export const UNPROVEN_ADDRESS = '--'

export function hasNoPassword({ passwordHash }: { readonly passwordHash: string }): boolean {
  return passwordHash === NO_PASSWORD || passwordHash === UNPROVEN_ADDRESS
}

export function newPasswordLink(
  random: (bytes: number) => Buffer,
  userId: string,
  now: number,
): { readonly text: string; readonly link: PasswordLink } {
  const text = SECRET_PREFIXES.passwordLink + random(SECRET_BYTES).toString('base64url')
  return { text, link: { hash: hashCredential(text), userId, createdAt: now, expiresAt: now + LIFETIME_MS } }
}

export function passwordLinkHash(text: string): string | undefined {
  return SHAPE.test(text) ? hashCredential(text) : undefined
}

export function passwordLinkAddress(dashboardUrl: string, text: string): string {
  return `${dashboardUrl.replace(/\/$/, '')}/password/${text}`
}
