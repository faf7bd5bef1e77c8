/** The way from a stored request to its answer: sign-in, consent where it is needed, a code (OIDC-A16, OIDC-A17). */
import { readOwnForm } from '../../web/guard.ts'
import { frameOf, renderFault, seeOther } from '../../web/respond.tsx'
import type { SignIn } from '../login/sign-in.ts'
import { signInAgain } from '../login/sign-in-again.ts'
import { beginLoginSession, endLoginSession } from '../login/visitor.ts'
import type { OidcContext, Provider } from '../provider.ts'
import { answerApplication } from './answer.ts'
import { approve } from './approve.ts'
import { answerDecision, decideFor } from './endpoint.ts'
import { consentPage, localesOf, signInPage } from './interaction-pages.tsx'
import { type Open, openInteraction } from './open-interaction.ts'

export async function showInteraction(provider: Provider, context: OidcContext): Promise<Response> {
  const opened = await openInteraction(provider, context)
  return opened instanceof Response ? opened : proceed(provider, context, opened)
}

async function proceed(provider: Provider, context: OidcContext, opened: Open): Promise<Response> {
  const { interaction, request, client, visitor } = opened
  const decision = await decideFor(provider, request, client, visitor, interaction.loggedInAt !== undefined)
  if (decision.kind === 'error') return answerDecision(provider, context, request, decision.error)
  if (decision.kind === 'login' || !visitor) return signInPage(provider, context, opened)
  if (interaction.userId === undefined) {
    await provider.writes.updateInteraction(interaction.idHash, { userId: visitor.user.id })
  }
  if (decision.kind === 'consent') return consentPage(provider, context, { ...opened, visitor })
  const approved = await approve(provider, context, {
    request,
    client,
    visitor,
    scopes: request.scopes,
    interactionHash: interaction.idHash,
    mayWiden: false,
  })
  if (typeof approved === 'object') return answerApplication(provider, context, request, { code: approved.code })
  if (approved === 'spent') return renderFault(provider, context, 'used')
  return consentPage(provider, context, { ...opened, visitor })
}

export async function submitSignIn(provider: Provider, context: OidcContext, signIn: SignIn): Promise<Response> {
  const opened = await openInteraction(provider, context)
  if (opened instanceof Response) return opened
  const { path, interaction, request } = opened
  // Bound to the browser, not to its login session: another tab may have signed in or out since the page was opened.
  const form = await readOwnForm(provider, context, undefined, `sign in ${path}`)
  if (form instanceof Response) return form
  const email = form.get('email') ?? ''
  const outcome = await signIn(context, form)
  if (outcome.kind !== 'signed_in') {
    const { texts } = frameOf(provider, context, localesOf(request))
    return signInPage(provider, context, opened, signInAgain(outcome, email, texts))
  }
  // A password entered here takes the interaction over (id_token_hint may ask for just that, OIDC-P8); a login
  // session that merely changed beneath it does not (OIDC-V16).
  await beginLoginSession(provider, context, outcome.user)
  await provider.writes.updateInteraction(interaction.idHash, { userId: outcome.user.id, loggedInAt: provider.now() })
  return seeOther(provider, context, path)
}

export async function switchUser(provider: Provider, context: OidcContext): Promise<Response> {
  const opened = await openInteraction(provider, context)
  if (opened instanceof Response) return opened
  const { path, interaction, visitor } = opened
  // Signed out in another tab meanwhile: the page at this address asks who it is.
  if (!visitor) return seeOther(provider, context, path)
  const form = await readOwnForm(provider, context, visitor, `switch ${path}`)
  if (form instanceof Response) return form
  await endLoginSession(provider, context, visitor)
  await provider.writes.updateInteraction(interaction.idHash, { userId: null, loggedInAt: null })
  return seeOther(provider, context, path)
}
