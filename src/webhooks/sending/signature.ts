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

/** Standard Webhooks (HOOK-W8): signs the id too, keys with the decoded secret, separates `v1,<base64>` by spaces. */
const PREFIX = SECRET_PREFIXES.webhookSecret
/** Within the 24 to 64 that the specification asks for. */

/** `whsec_` and padded base64, as its libraries decode it: base64url, which our own dialect has, they refuse. */
export function createStandardSecret(random: (bytes: number) => Buffer): string {
  return PREFIX + random(SECRET_BYTES).toString('base64')
}

/** Newest first. @param id the header `Webhook-Id`, the event's @param timestamp Unix seconds of this attempt */
export function standardSignatures(secrets: readonly string[], id: string, timestamp: number, body: string): string {
  return secrets.map((secret) => `v1,${standardSignature(secret, id, timestamp, body)}`).join(' ')
}

function standardSignature(secret: string, id: string, timestamp: number, body: string): string {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
  return createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
}
