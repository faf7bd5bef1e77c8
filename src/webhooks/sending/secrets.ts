/**
 * Signing secrets at rest: encrypted, because signing needs them back (HOOK-W4). Each is bound to its subscription, so
 * a sealed secret copied to another row opens nowhere.
 */
import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto'
import type { SealedSecret, SecretRotation } from '../../ports/storage-webhooks.ts'

const NONCE_BYTES = 12
const TAG_BYTES = 16

export interface SecretBox {
  seal(secret: string, subscriptionId: string): string
  /** @throws when it was sealed for another subscription or under another key */
  open(sealed: string, subscriptionId: string): string
}

/** @param secretKey the installation's key (32 bytes); webhook secrets get a key of their own from it. */
export function secretBox(secretKey: Uint8Array, random: (bytes: number) => Buffer): SecretBox {
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', 'pilotwire webhook secrets', 32))
  return {
    seal(secret, subscriptionId) {
      const nonce = random(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, nonce)
      cipher.setAAD(Buffer.from(subscriptionId))
      return Buffer.concat([nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString(
        'base64url',
      )
    },
    open(sealed, subscriptionId) {
      const bytes = Buffer.from(sealed, 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      })
      decipher.setAAD(Buffer.from(subscriptionId))
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
      return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]).toString()
    },
  }
}

/** Those that sign now, newest first (HOOK-W3). */
export function validSecrets(secrets: readonly SealedSecret[], now: number): readonly SealedSecret[] {
  return secrets.filter(({ expiresAt }) => expiresAt === undefined || expiresAt > now)
}

/**
 * The ones that sign, in clear. One under a lost secret key signs no more; after a rotation the new one does alone.
 * @throws when none opens
 */
export function signingSecrets(
  box: SecretBox,
  secrets: readonly SealedSecret[],
  subscriptionId: string,
  now: number,
): readonly string[] {
  const opened = validSecrets(secrets, now).flatMap(({ sealed }) => {
    try {
      return [box.open(sealed, subscriptionId)]
    } catch {
      return []
    }
  })
  if (opened.length === 0) throw new Error('Its secret was made under another secret key: rotate it.')
  return opened
}

/** At most two are valid: the new one, and the newest of the others until the overlap ends (HOOK-S1). */
export function rotated(
  secrets: readonly SealedSecret[],
  { sealed, at, overlapMs }: SecretRotation,
): readonly SealedSecret[] {
  const [previous] = validSecrets(secrets, at)
  if (!previous || overlapMs === 0) return [{ sealed }]
  return [{ sealed }, { sealed: previous.sealed, expiresAt: at + overlapMs }]
}
