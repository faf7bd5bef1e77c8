/** One attempt: signed, sent and judged. The delay of the next stays a duration until it is recorded (HOOK-F7). */

import { judge, type Verdict } from '../../domain/deliveries/outcome.ts'
import type { Clock } from '../../domain/ports/core.ts'
import type { Attempt, ClaimedDelivery, FinishedAttempt } from '../../domain/ports/storage-webhooks.ts'
import type { SealedBox } from '../../secrets/sealed-box.ts'
import type { Post, PostResult, Sender } from './sender.ts'
import { signatureHeader, standardSignatures } from './signature.ts'
import { signingSecrets } from './webhook-secrets.ts'

interface DeliverySettings {
  /** Delays after failed attempts (HOOK-R4). */
  readonly scheduleSeconds: readonly number[]
  readonly totalTimeoutMs: number
  readonly userAgent: string
}

export interface AttemptContext {
  readonly sender: Sender
  readonly secrets: SealedBox
  readonly clock: Clock
  /** Uniform in [0, 1). */
  readonly random: () => number
  readonly settings: DeliverySettings
  /** Sends a roaming partner's as it is now (OCPI-A2); in place of a signed body. */
  readonly push?: ((delivery: ClaimedDelivery, signal: AbortSignal) => Promise<PostResult>) | undefined
}

export interface Ended extends Omit<FinishedAttempt, 'state' | 'dueAt' | 'pausedUntil'> {
  readonly verdict: Verdict
  /** Monotonic: from here what was planned is counted (HOOK-F7). */
  readonly endedAt: number
}

/** Undefined: interrupted by our own stop, so `releaseDeliveries` counts and returns it. */
export async function attemptDelivery(
  { sender, secrets, clock, random, settings, push }: AttemptContext,
  delivery: ClaimedDelivery,
  signal: AbortSignal,
): Promise<Ended | undefined> {
  const at = clock.now()
  const isPush = push !== undefined && delivery.partnerId !== undefined
  const signing = isPush ? [] : signingSecrets(secrets, delivery.secrets, delivery.subscriptionId, at)
  const post = requestOf(delivery, signing, at, settings.userAgent)
  const result = isPush ? await push(delivery, signal) : await sender.send(post, signal)
  if (result.error === 'interrupted') return undefined
  const attempt = attemptOf(delivery, post, at, result)
  const inSchedule = attempt.number - delivery.earlierAttempts
  const verdict = judge(result, inSchedule, settings.scheduleSeconds, clock.now(), random)
  const { id: deliveryId, subscriptionId } = delivery
  return { deliveryId, subscriptionId, attempt, verdict, endedAt: clock.monotonic() }
}

/** A planned duration becomes a time only when it is recorded (HOOK-F7). */
export function finishedAttempt({ verdict, endedAt, ...rest }: Ended, now: number, elapsed: number): FinishedAttempt {
  const at = (distanceMs: number): number => Math.round(now + Math.max(0, endedAt + distanceMs - elapsed))
  return {
    ...rest,
    state: verdict.state,
    ...('delayMs' in verdict && { dueAt: at(verdict.delayMs) }),
    ...('pauseMs' in verdict && verdict.pauseMs !== undefined && { pausedUntil: at(verdict.pauseMs) }),
  }
}

// A claimed delivery as a request, and its result as a row of the log (HOOK-W2, HOOK-W3, HOOK-W8, HOOK-S1).

/** @param secrets that sign now, newest first, in clear */
function requestOf(delivery: ClaimedDelivery, secrets: readonly string[], now: number, userAgent: string): Post {
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
function attemptOf(delivery: ClaimedDelivery, post: Post, at: number, result: PostResult): Attempt {
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
