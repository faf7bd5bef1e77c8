/** A claimed delivery becomes a request, and what came back becomes a row of its log (W2, W3, S1). */
import type { Attempt, ClaimedDelivery } from '../storage/webhook-store.ts'
import { EVENT_TYPE } from './envelope.ts'
import type { Post, PostResult } from './sender.ts'
import { signatureHeader } from './signature.ts'

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
      'webhook-event': EVENT_TYPE,
      'webhook-signature': signatureHeader(secrets, timestamp, delivery.body),
      'webhook-delivery': delivery.id,
      'webhook-attempt': String(delivery.attempts + 1),
      ...(delivery.kind === 'test' && { 'webhook-test': 'true' }),
    },
  }
}

/** The log keeps what was sent, but nothing that would let a reader replay it. */
export function attemptOf(delivery: ClaimedDelivery, post: Post, at: number, result: PostResult): Attempt {
  const { status, error, location, answer, durationMs } = result
  return {
    number: delivery.attempts + 1,
    at,
    durationMs,
    url: post.url,
    ...(status !== undefined && { status }),
    ...(error !== undefined && { error }),
    ...(location !== undefined && { location }),
    ...(answer !== undefined && { answer }),
    requestHeaders: { ...post.headers, 'webhook-signature': '(redacted)' },
  }
}
