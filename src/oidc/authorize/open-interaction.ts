/** {dashboard}/oauth/interaction/{id}: the stored request that a browser goes on with. */

import { scopesFor } from '../../domain/accounts/roles.ts'
import type { Limits } from '../../domain/ports/limits.ts'
import type { Client, Interaction } from '../../domain/ports/storage-oidc.ts'
import { addressBlock } from '../../limits/address-block.ts'
import { browserId } from '../../web/cookies.ts'
import { renderFault, seeOther } from '../../web/respond.tsx'
import { rootOf } from '../../web/site.ts'
import { hashOf, newSecret } from '../oidc-secrets.ts'
import { addressOf, type OidcContext, type Provider, type Visitor } from '../provider.ts'
import { matchesRedirect } from '../redirect/match.ts'
import { createThrottle, type Throttle } from '../throttle.ts'
import type { AuthorizationRequest } from './request.ts'

export interface Open {
  readonly path: string
  readonly interaction: Interaction
  readonly request: AuthorizationRequest
  readonly client: Client
  readonly visitor: Visitor | undefined
  /** What the application asked for and this visitor may not give (ADMIN-A3). */
  readonly withheld: readonly string[]
}

/** The interaction of the address, if it is this browser's, unspent and in time; else the page that says why not. */
export async function openInteraction(provider: Provider, context: OidcContext): Promise<Open | Response> {
  const { reads, now } = provider
  const handle = context.req.param('id') ?? ''
  const interaction = await reads.findInteraction(hashOf(handle))
  if (!interaction) return renderFault(provider, context, 'expired')
  if (interaction.browserHash !== hashOf(browserId(context, provider))) {
    return renderFault(provider, context, 'other_browser')
  }
  if (interaction.spentAt !== undefined) return renderFault(provider, context, 'used')
  if (interaction.expiresAt <= now()) return renderFault(provider, context, 'expired')
  const asked = JSON.parse(interaction.request) as AuthorizationRequest
  const client = await reads.findClient(interaction.clientId)
  // The client may have been disabled or changed since the request was checked.
  if (!client || client.disabledAt !== undefined) return renderFault(provider, context, 'client_unknown')
  if (!matchesRedirect(client, asked.redirectUri)) return renderFault(provider, context, 'redirect_uri_unregistered')
  const visitor = await provider.findVisitor(context)
  if (visitor && interaction.userId !== undefined && interaction.userId !== visitor.user.id) {
    return renderFault(provider, context, 'other_browser')
  }
  const path = `${rootOf(provider)}/oauth/interaction/${handle}`
  const request = ofVisitor(asked, client, visitor)
  const withheld = asked.scopes.filter((scope) => !request.scopes.includes(scope))
  return { path, interaction, request, client, visitor, withheld }
}

/** At once, and again within the window: enough for a company behind one address, and too few to fill a disk. */
const MAX_STARTED = 600
const WINDOW_MS = 600_000

export function createBeginThrottle(limits: Limits): Throttle {
  return createThrottle(limits, 'begin', MAX_STARTED, WINDOW_MS)
}

/** @param locationOf where the browser goes on with the handle */
export async function begin(
  provider: Provider,
  context: OidcContext,
  begun: Pick<Interaction, 'clientId' | 'request' | 'browserHash' | 'userId'>,
  locationOf: (handle: string) => string,
): Promise<Response> {
  const { writes, now, random, config, beginThrottle } = provider
  const waitSeconds = await beginThrottle.take(addressBlock(addressOf(provider, context)))
  if (waitSeconds !== undefined) {
    return renderFault(provider, context, 'too_many', {
      status: 429,
      headers: { 'retry-after': String(waitSeconds) },
    })
  }
  const handle = newSecret('plain', random)
  await writes.createInteraction({
    ...begun,
    idHash: hashOf(handle),
    createdAt: now(),
    expiresAt: now() + config.interactionTtlSeconds * 1000,
  })
  return seeOther(provider, context, locationOf(handle))
}

// What of an application's request this visitor may give it (ADMIN-A3).

/** The rest is neither offered nor granted. Whole before the user has signed in. */
export function ofVisitor(
  request: AuthorizationRequest,
  { origin }: Pick<Client, 'origin'>,
  visitor: Visitor | undefined,
): AuthorizationRequest {
  if (!visitor) return request
  const scopes = scopesFor(visitor.user.role, request.scopes, { isSelfRegistered: origin === 'dynamic' })
  return { ...request, scopes }
}
