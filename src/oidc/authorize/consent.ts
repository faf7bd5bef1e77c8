/** The user's decision about an application's request (OIDC-C1 to OIDC-C4). */

import { inOrder, needsSelection, withoutSelectionScopes } from '../../domain/grants/scopes.ts'
import { readOwnForm } from '../../web/guard.ts'
import { renderFault, seeOther } from '../../web/respond.tsx'
import { checkedSelection, selectionOf } from '../grants/charge-points.ts'
import { addressOf, type OidcContext, type Provider, type Visitor } from '../provider.ts'
import { answerApplication, answerError } from './answer.ts'
import { approve } from './approve.ts'
import { decideFor } from './endpoint.ts'
import { consentPage } from './interaction-pages.tsx'
import { type Open, openInteraction } from './open-interaction.ts'
import type { AuthorizationRequest } from './request.ts'

export async function submitConsent(provider: Provider, context: OidcContext): Promise<Response> {
  const opened = await openInteraction(provider, context)
  if (opened instanceof Response) return opened
  const { path, interaction, request, client, visitor } = opened
  // Signed out in another tab meanwhile: nothing is decided, the page at this address asks who it is.
  if (!visitor) return seeOther(provider, context, path)
  const form = await readOwnForm(provider, context, visitor, `consent ${path}`)
  if (form instanceof Response) return form
  // The page may have waited while the sign-in became too old for this request.
  const decision = await decideFor(provider, request, client, visitor, interaction.loggedInAt !== undefined)
  if (decision.kind === 'login') return seeOther(provider, context, path)
  const chosen = form.get('decision')
  if (chosen === 'search') return consentPage(provider, context, { ...opened, visitor }, form)
  if (chosen === 'deny') return deny(provider, context, opened, visitor)
  if (chosen !== 'approve') return renderFault(provider, context, 'invalid_choice')

  const ticked = inOrder([...form.getAll('scope').filter((scope) => request.scopes.includes(scope)), ...fixed(request)])
  if (form.getAll('scope').some((scope) => !request.scopes.includes(scope))) {
    return renderFault(provider, context, 'invalid_choice')
  }
  const selection = needsSelection(request.scopes)
    ? await checkedSelection(provider.reads, visitor.user.accountId, selectionOf(form))
    : 'all'
  if (selection === undefined) return renderFault(provider, context, 'invalid_choice')
  const scopes = selection.length === 0 ? withoutSelectionScopes(ticked) : ticked
  if (scopes.length === 0) return deny(provider, context, opened, visitor)
  const approved = await approve(provider, context, {
    request,
    client,
    visitor,
    scopes,
    ...(needsSelection(request.scopes) && { chargePoints: selection }),
    interactionHash: interaction.idHash,
    mayWiden: true,
  })
  if (typeof approved === 'object') return answerApplication(provider, context, request, { code: approved.code })
  return renderFault(provider, context, 'used')
}

async function deny(provider: Provider, context: OidcContext, opened: Open, visitor: Visitor): Promise<Response> {
  const { interaction, request, client } = opened
  const { writes, now } = provider
  if (!(await writes.updateInteraction(interaction.idHash, { spentAt: now() })))
    return renderFault(provider, context, 'used')
  const { id: userId, accountId } = visitor.user
  const ip = addressOf(provider, context)
  await writes.audit({ at: now(), kind: 'consent_denied', accountId, userId, clientId: client.id, ip })
  const { redirectUri, state } = request
  return answerError(provider, context, {
    redirectUri,
    state,
    error: 'access_denied',
    description: 'the user declined',
  })
}

/** `openid` is what the request is about: it cannot be unticked (OIDC-C2). */
function fixed({ scopes }: AuthorizationRequest): readonly string[] {
  return scopes.filter((scope) => scope === 'openid')
}
