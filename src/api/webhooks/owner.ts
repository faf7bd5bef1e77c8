/** Whose a subscription is, and where it may point (HOOK-S3, HOOK-X1). */

import { subscriptionOf } from '../../application/webhooks/of-owner.ts'
import { refuseUnreachable, URL_FAULTS } from '../../application/webhooks/subscribing.ts'
import { isAboutSession } from '../../domain/events/event-subject.ts'
import type { Fault } from '../../domain/message-log/fault.ts'
import type { Subscription } from '../../domain/ports/storage-webhooks.ts'
import { urlFault } from '../../webhooks/sending/address-guard.ts'
import { ownerOf, type Principal } from '../access/principal.ts'
import type { Api } from '../api-parts.ts'
import { Problem, problemOfRefusal } from '../problem.ts'
import { orRefused } from '../respond.ts'

/**
 * HOOK-E4: events about charge points tell what their messages tell.
 * @throws Problem 403 where an application asks for one without the scope for that
 */
export function requireEventScope(principal: Principal, types: readonly string[] | undefined): void {
  if (mayHearOfChargePoints(principal) || types === undefined || types.every(isAboutSession)) return
  const detail = 'Events about charge points need the scope chargers:read, which the access token lacks.'
  throw new Problem(403, 'insufficient_scope', detail)
}

function mayHearOfChargePoints(principal: Principal): boolean {
  return principal.kind === 'credential' || principal.scopes.includes('chargers:read')
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
