/** {dashboard}/oauth/interaction/{id}: the stored request that a browser goes on with. */

import type { Client, Interaction } from '../../domain/ports/storage-oidc.ts'
import { browserId } from '../../web/cookies.ts'
import { renderFault } from '../../web/respond.tsx'
import { rootOf } from '../../web/site.ts'
import { hashOf } from '../oidc-secrets.ts'
import type { OidcContext, Provider, Visitor } from '../provider.ts'
import { matchesRedirect } from '../redirect/match.ts'
import { ofVisitor } from './of-visitor.ts'
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
