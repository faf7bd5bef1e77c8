/**
 * The dialect of Standard Webhooks, for subscriptions that ask for it (HOOK-W8). It names its header as ours is named,
 * but signs the id as well, keys with the decoded secret, and lists signatures as `v1,<base64>` with spaces between.
 */
import { createHmac } from 'node:crypto'
import { SECRET_PREFIXES } from '../../domain/accounts/secret-prefixes.ts'

const PREFIX = SECRET_PREFIXES.webhookSecret
/** Within the 24 to 64 that the specification asks for. */
const SECRET_BYTES = 32

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
