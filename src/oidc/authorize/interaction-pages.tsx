import { needsSelection } from '../../domain/grants/scopes.ts'
import { csrfToken } from '../../web/csrf.ts'
import { frameOf, renderPage } from '../../web/respond.tsx'
import { chooserOf } from '../grants/charge-points.ts'
import type { SignInAgain } from '../login/sign-in-again.ts'
import type { OidcContext, Provider, Visitor } from '../provider.ts'
import { offerOf } from '../sso/offer.ts'
import { ConsentPage } from '../views/consent-page.tsx'
import { SignInPage } from '../views/sign-in-page.tsx'
import type { Open } from './open-interaction.ts'
import type { AuthorizationRequest } from './request.ts'

export async function signInPage(
  provider: Provider,
  context: OidcContext,
  { path, request, client, visitor }: Open,
  again?: SignInAgain,
): Promise<Response> {
  const isRequested = request.hintUserId === undefined || request.hintUserId === visitor?.user.id
  const page = (
    <SignInPage
      frame={frameOf(provider, context, localesOf(request))}
      action={`${path}/login`}
      csrf={csrfToken(context, provider, undefined, `sign in ${path}`)}
      email={again?.email ?? request.loginHint ?? (isRequested ? visitor?.user.email : undefined) ?? ''}
      clientName={client.name}
      sso={offerOf(provider, context, { path })}
      problem={again?.problem}
      ticket={again?.ticket}
    />
  )
  const { status = 200, headers = {} } = again ?? {}
  return renderPage(provider, context, page, { status, redirectUri: request.redirectUri, headers })
}

/** @param form what was ticked before a search in the list */
export async function consentPage(
  provider: Provider,
  context: OidcContext,
  { path, request, client, visitor, withheld }: Open & { readonly visitor: Visitor },
  form?: URLSearchParams,
): Promise<Response> {
  const grant = await provider.reads.findActiveGrant(visitor.user.id, client.id)
  const chooser =
    needsSelection(request.scopes) &&
    (await chooserOf(provider, visitor.user.accountId, grant?.chargePoints ?? [], form))
  const page = (
    <ConsentPage
      frame={frameOf(provider, context, localesOf(request))}
      interactionPath={path}
      csrf={csrfToken(context, provider, visitor, `consent ${path}`)}
      switchCsrf={csrfToken(context, provider, visitor, `switch ${path}`)}
      client={client}
      redirectHost={hostOf(request.redirectUri)}
      user={visitor.user}
      scopes={request.scopes.map((name) => ({
        name,
        ticked: !form || name === 'openid' || form.getAll('scope').includes(name),
        granted: grant?.scopes.includes(name) ?? false,
      }))}
      withheld={withheld}
      {...(chooser && { chooser })}
    />
  )
  return renderPage(provider, context, page, { redirectUri: request.redirectUri })
}

export function localesOf({ uiLocales }: AuthorizationRequest): { readonly uiLocales?: string | undefined } {
  return { uiLocales }
}

/** Host and port; a private scheme has only itself to show. */
function hostOf(redirectUri: string): string {
  const { host, protocol } = new URL(redirectUri)
  return /^https?:$/.test(protocol) ? host : protocol
}
