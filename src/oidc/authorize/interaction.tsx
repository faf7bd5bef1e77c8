/** {dashboard}/oauth/interaction/{id}: sign-in and consent for one stored request (A16, A17, C1-C4). */
import { ConsentPage } from '../../dashboard/consent-page.tsx'
import { SignInPage } from '../../dashboard/sign-in-page.tsx'
import type { Client, Interaction } from '../../storage/oidc-store.ts'
import { readPageForm } from '../browser/form.ts'
import {
  answerApplication,
  answerError,
  frameOf,
  renderFault,
  renderForeignForm,
  renderPage,
  rootOf,
  seeOther,
} from '../browser/respond.tsx'
import { checkedSelection, chooserOf, selectionOf } from '../grants/charge-points.ts'
import { browserId } from '../login/cookies.ts'
import { csrfToken, isOwnForm } from '../login/csrf.ts'
import type { SignIn } from '../login/sign-in.ts'
import { beginLoginSession, endLoginSession, findVisitor, type Visitor } from '../login/visitor.ts'
import { addressOf, type OidcContext, type Provider } from '../provider.ts'
import { matchesRedirect } from '../redirect/match.ts'
import { inOrder, needsSelection, withoutSelectionScopes } from '../scopes.ts'
import { hashOf } from '../secrets.ts'
import { approve } from './approve.ts'
import { answerDecision, decideFor } from './endpoint.ts'
import type { AuthorizationRequest } from './request.ts'

interface Open {
  readonly path: string
  readonly interaction: Interaction
  readonly request: AuthorizationRequest
  readonly client: Client
  readonly visitor: Visitor | undefined
}

/** The interaction of the address, if it is this browser's, unspent and in time; otherwise the page that says why not. */
async function open(provider: Provider, context: OidcContext): Promise<Open | Response> {
  const { reads, now } = provider
  const handle = context.req.param('id') ?? ''
  const interaction = await reads.findInteraction(hashOf(handle))
  if (!interaction) return renderFault(provider, context, 'expired')
  if (interaction.browserHash !== hashOf(browserId(context, provider))) {
    return renderFault(provider, context, 'other_browser')
  }
  if (interaction.spentAt !== undefined) return renderFault(provider, context, 'used')
  if (interaction.expiresAt <= now()) return renderFault(provider, context, 'expired')
  const request = JSON.parse(interaction.request) as AuthorizationRequest
  const client = await reads.findClient(interaction.clientId)
  // The client may have been disabled or changed since the request was checked.
  if (!client || client.disabledAt !== undefined) return renderFault(provider, context, 'client_unknown')
  if (!matchesRedirect(client, request.redirectUri)) return renderFault(provider, context, 'redirect_uri_unregistered')
  const visitor = await findVisitor(provider, context)
  if (visitor && interaction.userId !== undefined && interaction.userId !== visitor.user.id) {
    return renderFault(provider, context, 'other_browser')
  }
  return { path: `${rootOf(provider)}/oauth/interaction/${handle}`, interaction, request, client, visitor }
}

export async function showInteraction(provider: Provider, context: OidcContext): Promise<Response> {
  const opened = await open(provider, context)
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
  const opened = await open(provider, context)
  if (opened instanceof Response) return opened
  const { path, interaction, request, visitor } = opened
  const form = await readPageForm(context)
  if (!form) return renderFault(provider, context, 'bad_form')
  if (!isOwnForm(context, provider, visitor, `sign in ${path}`, form.get('csrf') ?? undefined)) {
    return renderForeignForm(provider, context)
  }
  const email = form.get('email') ?? ''
  const outcome = await signIn(context, email, form.get('password') ?? '')
  const { texts } = frameOf(provider, context, localesOf(request))
  if (outcome.kind === 'wrong')
    return signInPage(provider, context, opened, { email, problem: texts.wrongPassword, status: 401 })
  if (outcome.kind === 'busy') {
    return signInPage(provider, context, opened, { email, problem: texts.busy, status: 503, retryAfter: 5 })
  }
  if (outcome.kind === 'throttled') {
    const problem = texts.tooManyAttempts(Math.ceil(outcome.waitSeconds / 60))
    return signInPage(provider, context, opened, { email, problem, status: 429, retryAfter: outcome.waitSeconds })
  }
  // Whoever enters a password here takes the interaction over (id_token_hint may ask for just that, P8); a login
  // session that merely changed beneath it does not (part 12, row 16).
  await beginLoginSession(provider, context, outcome.user)
  await provider.writes.updateInteraction(interaction.idHash, { userId: outcome.user.id, loggedInAt: provider.now() })
  return seeOther(provider, context, path)
}

/** "Not you?": signs out and asks who it is, for the same request. */
export async function switchUser(provider: Provider, context: OidcContext): Promise<Response> {
  const opened = await open(provider, context)
  if (opened instanceof Response) return opened
  const { path, interaction, visitor } = opened
  const form = await readPageForm(context)
  if (!isOwnForm(context, provider, visitor, `switch ${path}`, form?.get('csrf') ?? undefined)) {
    return renderForeignForm(provider, context)
  }
  if (visitor) await endLoginSession(provider, context, visitor)
  await provider.writes.updateInteraction(interaction.idHash, { userId: null, loggedInAt: null })
  return seeOther(provider, context, path)
}

export async function submitConsent(provider: Provider, context: OidcContext): Promise<Response> {
  const opened = await open(provider, context)
  if (opened instanceof Response) return opened
  const { path, interaction, request, client, visitor } = opened
  const form = await readPageForm(context)
  if (!form) return renderFault(provider, context, 'bad_form')
  if (!visitor || !isOwnForm(context, provider, visitor, `consent ${path}`, form.get('csrf') ?? undefined)) {
    return renderForeignForm(provider, context)
  }
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
    ...(state !== undefined && { state }),
    error: 'access_denied',
    description: 'the user declined',
  })
}

/** `openid` is what the request is about: it cannot be unticked (C2). */
function fixed({ scopes }: AuthorizationRequest): readonly string[] {
  return scopes.filter((scope) => scope === 'openid')
}

async function signInPage(
  provider: Provider,
  context: OidcContext,
  { path, request, client, visitor }: Open,
  again: {
    readonly email?: string
    readonly problem?: string
    readonly status?: number
    readonly retryAfter?: number
  } = {},
): Promise<Response> {
  const { email = request.loginHint ?? visitor?.user.email ?? '', problem, status = 200, retryAfter } = again
  const page = (
    <SignInPage
      frame={frameOf(provider, context, localesOf(request))}
      action={`${path}/login`}
      csrf={csrfToken(context, provider, visitor, `sign in ${path}`)}
      email={email}
      clientName={client.name}
      {...(problem !== undefined && { problem })}
    />
  )
  const headers = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }
  return renderPage(provider, context, page, { status, redirectUri: request.redirectUri, headers })
}

/** @param form what was ticked before a search in the list */
async function consentPage(
  provider: Provider,
  context: OidcContext,
  { path, request, client, visitor }: Open & { readonly visitor: Visitor },
  form?: URLSearchParams,
): Promise<Response> {
  const grant = await provider.reads.findActiveGrant(visitor.user.id, client.id)
  const chooser =
    needsSelection(request.scopes) &&
    (await chooserOf(provider, visitor.user.accountId, grant?.chargePoints ?? 'all', form))
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
      {...(chooser && { chooser })}
    />
  )
  return renderPage(provider, context, page, { redirectUri: request.redirectUri })
}

function localesOf({ uiLocales }: AuthorizationRequest): { readonly uiLocales?: string } {
  return uiLocales === undefined ? {} : { uiLocales }
}

/** Host and port; a private scheme has only itself to show. */
function hostOf(redirectUri: string): string {
  const { host, protocol } = new URL(redirectUri)
  return /^https?:$/.test(protocol) ? host : protocol
}
