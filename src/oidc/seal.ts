/** AES-256-GCM for what the database keeps but must not show: private keys, repeated answers (OIDC-D8, OIDC-T6). */
import { createCipheriv, createDecipheriv } from 'node:crypto'
import type { Random } from './secrets.ts'

const NONCE_BYTES = 12
const TAG_BYTES = 16

/** @param key 32 bytes @returns base64url of nonce, tag and cipher text */
export function seal(key: Uint8Array, text: string, random: Random): string {
  const nonce = random(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')
}

/** Undefined when it was sealed under another key or changed since. */
export function unseal(key: Uint8Array, sealed: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64url')
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}
