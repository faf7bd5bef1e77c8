/** Whose a subscription is, and where it may point (HOOK-S3, HOOK-X1). */

import { shown } from '../../application/schemas/common.ts'
import { subjectMember } from '../../application/schemas/webhooks.ts'
import {
  nextAttemptAt,
  pauseEnd,
  refuseUnreachable,
  subscriptionOf,
  URL_FAULTS,
} from '../../application/webhooks/subscribing.ts'
import { declarationOf } from '../../domain/event-declaration.ts'
import { EVENTS, readsEvent } from '../../domain/events/registry.ts'
import type { Fault } from '../../domain/message-log/fault.ts'
import type { Delivery, Subscription } from '../../domain/ports/storage-webhooks.ts'
import { urlFault } from '../../webhooks/sending/address-guard.ts'
import { ownerOf, type Principal } from '../access/access.ts'
import type { Api } from '../api-parts.ts'
import { orRefused, Problem, problemOfRefusal } from '../respond.ts'
import { DeliverySchema, WebhookSchema } from './schemas.ts'

/** HOOK-E4. @throws Problem 403 where an application, or a restricted credential, asks for what it may not read */
export function requireEventScope(principal: Principal, types: readonly string[] = []): void {
  const type = types.find((one) => !isReadable(principal, one))
  if (type === undefined) return
  const { readBy } = declarationOf(EVENTS, type)
  const isForAccount = readBy === 'account'
  const needed = isForAccount ? 'an unrestricted API credential of the account' : `the scope ${readBy}`
  const code = isForAccount && principal.kind === 'token' ? 'api_credential_required' : 'insufficient_scope'
  throw new Problem(403, code, `Events of the type ${type} need ${needed}.`)
}

export function isReadable(principal: Principal, type: string): boolean {
  return readsEvent(principal.scopes, type)
}

/** @throws Problem 404, the same for an unknown id and for one of another owner */
export async function ownSubscription(
  api: Pick<Api, 'reads'>,
  principal: Principal,
  id: string,
): Promise<Subscription> {
  return orRefused(await subscriptionOf(api, ownerOf(principal), id))
}

/** What the address itself shows, before its name is resolved. */
export function addressFaults({ url }: { readonly url?: unknown }): readonly Fault[] {
  const fault = typeof url === 'string' ? urlFault(url) : undefined
  return fault ? [{ pointer: '/url', code: 'url_not_allowed', message: URL_FAULTS[fault] }] : []
}

/** HOOK-X1. @throws Problem 400 `url_not_allowed` */
export async function requireReachable({ settings, resolve }: Api, text: string): Promise<void> {
  const refusal = await refuseUnreachable({ allowPrivate: settings.webhookAllowPrivate, resolve }, text)
  if (refusal) throw problemOfRefusal(refusal)
}

export function representSubscription(subscription: Subscription, now: number) {
  const { chargePointIds, consecutiveFailures, ratePerMinute: allowedRatePerMinute } = subscription
  return shown(WebhookSchema, subscription, {
    pausedUntil: pauseEnd(subscription, now),
    allowedRatePerMinute,
    filter: chargePointIds && { evseControllerIds: chargePointIds },
    consecutiveFailures: consecutiveFailures || undefined,
  })
}

export function representDelivery(delivery: Delivery, subscription: Subscription, now: number) {
  const { type, subject, state } = delivery
  const due = state === 'pending' ? nextAttemptAt(delivery, subscription, now) : undefined
  return shown(DeliverySchema, { ...delivery, ...subjectMember(EVENTS, type, subject) }, { nextAttemptAt: due })
}
