/** HOOK-W3, HOOK-W4: hex HMAC-SHA256 of `<timestamp>.<raw body>`; the key is the whole text with its `whsec_`. */
import { createHmac } from 'node:crypto'
import { SECRET_PREFIXES } from '../../domain/accounts/credentials.ts'

const SECRET_BYTES = 32

/** `whsec_` and base64url of 32 random bytes. */
export function createWebhookSecret(random: (bytes: number) => Buffer): string {
  return `${SECRET_PREFIXES.webhookSecret}${random(SECRET_BYTES).toString('base64url')}`
}

/** @param timestamp Unix seconds of this attempt */
export function sign(secret: string, timestamp: number, body: string): string {
  return createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')
}

/** One value per secret, newest first; a single one unless a rotation overlaps. */
export function signatureHeader(secrets: readonly string[], timestamp: number, body: string): string {
  return secrets.map((secret) => sign(secret, timestamp, body)).join(',')
}
