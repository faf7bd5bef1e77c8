import { inOrder, needsSelection, withoutSelectionScopes } from '../../domain/grants/scopes.ts'
import { Page } from '../../web/entries.tsx'
import { readOwnForm } from '../../web/guard.ts'
import { csrfToken, frameOf, renderFault, renderPage, seeOther } from '../../web/respond.tsx'
import { shownDate } from '../../web/times.tsx'
import { checkedSelection, chooserOf, selectionOf } from '../grants/grants-api.ts'
import { type SignIn, type SignInAgain, signInAgain } from '../login/sign-in.ts'
import { beginLoginSession, endLoginSession } from '../login/visitor.ts'
import { addressOf, type OidcContext, type Provider, type Visitor } from '../provider.ts'
import { offerOf } from '../sso/offer.ts'
import { Chooser } from '../views/chooser.tsx'
import { SignInPage } from '../views/sign-in-page.tsx'
import { answerApplication, answerError, approve } from './approve.ts'
import { answerDecision, decideFor } from './endpoint.ts'
import { type Open, openInteraction } from './open-interaction.ts'
import type { AuthorizationRequest } from './request.ts'

function signInPage(
  provider: Provider,
  context: OidcContext,
  { path, request, client, visitor }: Open,
  again?: SignInAgain,
): Response {
  const isRequested = request.hintUserId === undefined || request.hintUserId === visitor?.user.id
  const page = (
    <SignInPage
      frame={frameOf(provider, context, { uiLocales: request.uiLocales })}
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

/**
 * What an application asks for, and the user's decision (OIDC-C1 to OIDC-C3). Client texts are shown, not followed.
 * @param form what was ticked before a search in the list
 */
async function consentPage(
  provider: Provider,
  context: OidcContext,
  { path, request, client, visitor, withheld }: Open & { readonly visitor: Visitor },
  form?: URLSearchParams,
): Promise<Response> {
  const { id, accountId, name, email } = visitor.user
  const { redirectUri, scopes } = request
  const frame = frameOf(provider, context, { uiLocales: request.uiLocales })
  const { texts } = frame
  const grant = await provider.reads.findActiveGrant(id, client.id)
  const chooser = needsSelection(scopes) && (await chooserOf(provider, accountId, grant?.chargePoints ?? [], form))
  const page = (
    <Page frame={frame} title={texts.consentTitle(client.name)} narrow>
      <div class="card">
        <div class="badge" aria-hidden="true">
          {initials(client.name)}
        </div>
        <h1>{texts.consentTitle(client.name)}</h1>
        <p class={client.origin === 'dynamic' ? 'warn' : 'soft'}>
          {client.origin === 'dynamic'
            ? texts.selfRegistered(shownDate(frame, client.createdAt))
            : client.kind === 'confidential'
              ? texts.kindConfidential
              : texts.kindPublic}
        </p>
        <p>
          {texts.leadsTo} <strong class="host">{hostOf(redirectUri)}</strong>
        </p>
        <form method="post" action={`${path}/switch`}>
          <input type="hidden" name="csrf" value={csrfToken(context, provider, visitor, `switch ${path}`)} />
          <p>
            {texts.signedInAs(name === undefined ? email : `${name} (${email})`)}{' '}
            <button class="plain" type="submit">
              {texts.notYou}
            </button>
          </p>
        </form>
        <form method="post" action={`${path}/consent`}>
          <input type="hidden" name="csrf" value={csrfToken(context, provider, visitor, `consent ${path}`)} />
          <h2>{texts.asksFor}</h2>
          <ul class="choices">
            {scopes.map((scope) => (
              <li>
                <label>
                  <input
                    type="checkbox"
                    name="scope"
                    value={scope}
                    checked={!form || scope === 'openid' || form.getAll('scope').includes(scope)}
                    disabled={scope === 'openid'}
                  />
                  <span>
                    {texts.scopes[scope]} {grant?.scopes.includes(scope) && <span class="soft">({texts.granted})</span>}
                  </span>
                </label>
              </li>
            ))}
          </ul>
          {withheld.length > 0 && (
            <p class="soft">{texts.withheld(withheld.map((scope) => texts.scopes[scope] ?? scope).join('; '))}</p>
          )}
          {chooser && <Chooser texts={texts} {...chooser} />}
          <div class="actions">
            <button class="main" type="submit" name="decision" value="approve">
              {texts.allow}
            </button>
            <button type="submit" name="decision" value="deny">
              {texts.deny}
            </button>
          </div>
        </form>
      </div>
    </Page>
  )
  return renderPage(provider, context, page, { redirectUri })
}

/** Host and port; a private scheme has only itself to show. */
function hostOf(redirectUri: string): string {
  const { host, protocol } = new URL(redirectUri)
  return /^https?:$/.test(protocol) ? host : protocol
}

/** Instead of the client's logo, which would tell its server who looks (OIDC-C1). */
function initials(name: string): string {
  return name
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => [...word][0]?.toUpperCase() ?? '')
    .join('')
}

/** The user's decision about an application's request (OIDC-C1 to OIDC-C4). */
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
  return answerError(provider, context, request, 'access_denied', 'the user declined')
}

/** `openid` is what the request is about: it cannot be unticked (OIDC-C2). */
function fixed({ scopes }: AuthorizationRequest): readonly string[] {
  return scopes.filter((scope) => scope === 'openid')
}

/** The way from a stored request to its answer: sign-in, consent where it is needed, a code (OIDC-A16, OIDC-A17). */
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
    const { texts } = frameOf(provider, context, { uiLocales: request.uiLocales })
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
