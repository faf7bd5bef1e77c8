/** HOOK-B3: whether a receiver does what docs/webhooks.md asks of it. Only the status counts. */

import { envelopeText } from '../domain/events/emission.ts'
import { sessionUpdated } from '../domain/events/session-events.ts'
import { type Posted, postEvent, type SignedEvent } from './sending/post.ts'
import { signatureHeader } from './sending/signature.ts'

interface ConformanceContext {
  readonly url: string
  readonly secret: string
  readonly userAgent: string
  /** Milliseconds since the epoch. */
  readonly now: () => number
  readonly newId: () => string
}

interface ConformanceCase {
  readonly name: string
  readonly expected: 'accept' | 'refuse'
  readonly advice: string
  readonly event: SignedEvent
}

export interface JudgedCase extends Omit<ConformanceCase, 'event'>, Posted {
  readonly passed: boolean
}

/** Receivers refuse what is older than five minutes. */
const STALE_SECONDS = 600

/** In the order in which they are to be sent: some only mean something after others. */
export function conformanceCases(parts: ConformanceContext): readonly ConformanceCase[] {
  const { url, secret, userAgent, now, newId } = parts
  const at = now()
  const current = Math.floor(at / 1000)
  const session = sessionUpdated.madeUp({ id: `test_${newId()}`, accountId: '', chargePointId: 'TEST', now: at })
  /** Each later than the one before by default. */
  let events = 0
  const body = (time = at + ++events): string => envelopeText(newId(), time, session)
  const signed = (text: string, secrets: readonly string[] = [secret], timestamp = current): SignedEvent => ({
    url,
    userAgent,
    type: sessionUpdated.type,
    body: text,
    timestamp,
    signature: signatureHeader(secrets, timestamp, text),
    deliveryId: `check_${newId()}`,
    attempt: 1,
    test: true,
  })
  const wrong = `${secret}x`
  const first = signed(body())
  return [
    {
      name: 'a valid event',
      expected: 'accept',
      advice: 'verify hex HMAC-SHA256 of <Webhook-Timestamp>.<raw body>, the whole secret with whsec_ as the key',
      event: first,
    },
    {
      name: 'the same event again',
      expected: 'accept',
      advice: 'answer 2xx to an id that is known already and do nothing more',
      event: { ...first, attempt: 2 },
    },
    {
      name: 'an older event of the same session',
      expected: 'accept',
      advice: 'answer 2xx to an event whose time is earlier than the newest one, and ignore it',
      event: signed(body(at - 60_000)),
    },
    {
      name: 'two signatures, the first one fits',
      expected: 'accept',
      advice: 'split Webhook-Signature at the comma and accept any match',
      event: signed(body(), [secret, wrong]),
    },
    {
      name: 'two signatures, the last one fits',
      expected: 'accept',
      advice: 'split Webhook-Signature at the comma and accept any match',
      event: signed(body(), [wrong, secret]),
    },
    {
      name: 'a signature with another secret',
      expected: 'refuse',
      advice: 'compare the signature, in constant time, before anything else',
      event: signed(body(), [wrong]),
    },
    {
      name: 'a body that was changed',
      expected: 'refuse',
      advice: 'verify the raw bytes as they came, not what a parser made of them',
      event: { ...signed(body()), body: body() },
    },
    {
      name: 'a signature of ten minutes ago',
      expected: 'refuse',
      advice: 'refuse a Webhook-Timestamp that is more than five minutes old',
      event: signed(body(), [secret], current - STALE_SECONDS),
    },
  ]
}

export async function checkReceiver(
  parts: ConformanceContext,
  judged: (one: JudgedCase) => void,
): Promise<{ readonly passed: boolean }> {
  let passed = true
  for (const { event, ...one } of conformanceCases(parts)) {
    const posted = await postEvent(event)
    const result = { ...one, ...posted, passed: isAsExpected(one.expected, posted) }
    passed &&= result.passed
    judged(result)
  }
  return { passed }
}

/** A 5xx or no answer is no refusal, because the event would be sent again. */
export function isAsExpected(expected: ConformanceCase['expected'], { status }: Posted): boolean {
  if (status === undefined) return false
  return expected === 'accept' ? status >= 200 && status < 300 : status >= 400 && status < 500
}
