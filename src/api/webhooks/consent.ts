/** Asking a receiver whether it wants our deliveries, where its subscription says so (HOOK-S6). */
import { minuteBudget } from '../../application/webhooks/minute-budget.ts'
import type { SubscriptionOwner } from '../../domain/ports/storage-webhooks.ts'
import { consentOf, consentRequest } from '../../webhooks/consent.ts'
import { systemResolve } from '../../webhooks/sending/resolve.ts'
import { createSender, type PostResult, SENDER_TIMEOUTS } from '../../webhooks/sending/sender.ts'
import type { Api } from '../api-parts.ts'
import { Problem, problemOfRefusal } from '../problem.ts'

/** Per owner, like the tests of a webhook (HOOK-S4): it is a request to an address that did not agree to any yet. */
const QUESTIONS_PER_MINUTE = 10

export interface Verified {
  readonly verify: 'cloudevents'
  readonly ratePerMinute: number | null
}

/** The returned function throws Problem 422 `consent_missing` or 429 `rate_limited`. */
export function createConsent({
  limits,
  monotonic,
  after,
  resolve = systemResolve,
  settings,
}: Api): (owner: SubscriptionOwner, url: string) => Promise<Verified> {
  const origin = new URL(settings.baseUrl).hostname
  const spend = minuteBudget(
    limits,
    'consent',
    QUESTIONS_PER_MINUTE,
    'Too many receivers were asked for consent; wait a little.',
  )
  return async ({ accountId, grantId }, url) => {
    const refusal = await spend(grantId ?? accountId)
    if (refusal) throw problemOfRefusal(refusal)
    const allowPrivate = settings.webhookAllowPrivate ?? []
    const sender = createSender({ ...SENDER_TIMEOUTS, allowPrivate }, { monotonic, after }, resolve)
    try {
      const answered = await sender.send(consentRequest(url, origin, ''), new AbortController().signal)
      const consent = consentOf(origin, answered)
      if (!consent.given) throw missing(origin, consent.missing, answered)
      return { verify: 'cloudevents', ratePerMinute: consent.ratePerMinute ?? null }
    } finally {
      await sender.close()
    }
  }
}

function missing(origin: string, what: 'origin' | 'rate', { status, error }: PostResult): Problem {
  const answer = status === undefined ? `gave no answer (${error ?? 'unknown'})` : `answered ${status} without it`
  const detail =
    what === 'origin'
      ? `The receiver must answer OPTIONS with WebHook-Allowed-Origin: ${origin} (or *); it ${answer}.`
      : 'The receiver’s WebHook-Allowed-Rate must be a whole number of requests per minute, at least 1, or *.'
  return new Problem(422, 'consent_missing', detail, {
    errors: [{ pointer: '/url', code: 'consent_missing', message: 'leads to a receiver that did not consent' }],
  })
}
