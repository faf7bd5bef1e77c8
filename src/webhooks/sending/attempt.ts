/** A claimed delivery as a request, and its result as a row of the log (HOOK-W2, HOOK-W3, HOOK-W8, HOOK-S1). */

import type { Attempt, ClaimedDelivery } from '../../domain/ports/storage-webhooks.ts'
import type { Post, PostResult } from './sender.ts'
import { signatureHeader } from './signature.ts'
import { standardSignatures } from './standard-webhooks.ts'

/** @param secrets that sign now, newest first, in clear */
export function requestOf(delivery: ClaimedDelivery, secrets: readonly string[], now: number, userAgent: string): Post {
  const timestamp = Math.floor(now / 1000)
  return {
    subscriptionId: delivery.subscriptionId,
    url: delivery.url,
    body: delivery.body,
    headers: {
      'content-type': 'application/json',
      'user-agent': userAgent,
      'webhook-timestamp': String(timestamp),
      'webhook-event': delivery.type,
      ...signatureOf(delivery, secrets, timestamp),
      'webhook-delivery': delivery.id,
      'webhook-attempt': String(delivery.attempts + 1),
      ...(delivery.kind === 'test' && { 'webhook-test': 'true' }),
    },
  }
}

/** HOOK-W2: our own dialect has no Webhook-Id, which would be unsigned there. */
function signatureOf(
  { signatureScheme, eventId, body }: ClaimedDelivery,
  secrets: readonly string[],
  timestamp: number,
): Readonly<Record<string, string>> {
  if (signatureScheme !== 'standard-webhooks') return { 'webhook-signature': signatureHeader(secrets, timestamp, body) }
  return { 'webhook-id': eventId, 'webhook-signature': standardSignatures(secrets, eventId, timestamp, body) }
}

/** The log keeps what was sent, but nothing that would let a reader replay it. */
export function attemptOf(delivery: ClaimedDelivery, post: Post, at: number, result: PostResult): Attempt {
  const { status, error, location, answer, durationMs } = result
  return {
    number: delivery.attempts + 1,
    at,
    durationMs,
    url: post.url,
    status,
    error,
    location,
    answer,
    requestHeaders: { ...post.headers, 'webhook-signature': '(redacted)' },
  }
}
