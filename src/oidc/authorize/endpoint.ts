/** {dashboard}/oauth/authorize: from the application's request to a code, a page of ours, or an error. */

import { covers, needsSelection } from '../../domain/grants/scopes.ts'
import type { Client, Grant } from '../../domain/ports/storage-oidc.ts'
import { browserId } from '../../web/cookies.ts'
import { readPageForm } from '../../web/form.ts'
import { frameOf, renderFault } from '../../web/respond.tsx'
import { rootOf } from '../../web/site.ts'
import { textsOf } from '../../web/texts.ts'
import { UNKNOWN_TIME } from '../login/visitor.ts'
import { hashOf } from '../oidc-secrets.ts'
import type { OidcContext, Provider, Visitor } from '../provider.ts'
import { nearestRedirect } from '../redirect/match.ts'
import { readIdTokenHint } from '../token/id-token.ts'
import { answerApplication, answerError, approve } from './approve.ts'
import { begin, ofVisitor } from './open-interaction.ts'
import { type PageFault, parseAuthorization, single } from './parse.ts'
import type { AuthorizationRequest } from './request.ts'

export async function authorizeByGet(provider: Provider, context: OidcContext): Promise<Response> {
  const params = new URL(context.req.url).searchParams
  // Beside a client_id it is a parameter of the application, which are ignored (OIDC-A10).
  const resume = params.has('client_id') ? null : params.get('resume')
  if (resume === null) return authorize(provider, context, params)
  const waiting = await provider.writes.claimInteraction(hashOf(resume), provider.now())
  if (!waiting) return renderFault(provider, context, 'expired')
  return authorize(provider, context, new URLSearchParams(waiting.request))
}

/** A cross-site POST lacks our Lax cookies (OIDC-A14): kept, and picked up by a GET. Error pages come at once. */
export async function authorizeByPost(provider: Provider, context: OidcContext): Promise<Response> {
  const params = await readPageForm(context)
  if (!params) return renderFault(provider, context, 'bad_form')
  const client = await clientOf(provider, params)
  const parsed = parseAuthorization(params, client, provider.config.baseUrl)
  if (parsed.kind === 'page') return refusal(provider, context, parsed.fault, params, client)
  const begun = { clientId: client?.id ?? '', request: params.toString() }
  return begin(provider, context, begun, (handle) => `${rootOf(provider)}/oauth/authorize?resume=${handle}`)
}

async function authorize(provider: Provider, context: OidcContext, params: URLSearchParams): Promise<Response> {
  // Codes that are never exchanged leave requests behind, too.
  provider.tidy()
  const client = await clientOf(provider, params)
  const parsed = parseAuthorization(params, client, provider.config.baseUrl)
  if (parsed.kind === 'page' || !client) {
    return refusal(provider, context, parsed.kind === 'page' ? parsed.fault : 'client_unknown', params, client)
  }
  if (parsed.kind === 'error') {
    const { error, description } = parsed.error
    return answerError(provider, context, parsed.error, error, description)
  }
  const request = await withHint(provider, parsed.request, parsed.idTokenHint)
  if (!request) {
    const description = 'id_token_hint is not one of our ID tokens'
    return answerError(provider, context, parsed.request, 'invalid_request', description)
  }
  const visitor = await provider.findVisitor(context)
  const givable = ofVisitor(request, client, visitor)
  const decision = await decideFor(provider, givable, client, visitor, false)
  if (decision.kind === 'error') return answerDecision(provider, context, request, decision.error)
  if (decision.kind === 'approve' && visitor) {
    const approved = await approve(provider, context, {
      request,
      client,
      visitor,
      scopes: givable.scopes,
      mayWiden: false,
    })
    if (typeof approved === 'object') return answerApplication(provider, context, request, { code: approved.code })
    // The grant was revoked in this very moment.
    if (request.prompts.includes('none')) return answerDecision(provider, context, request, 'consent_required')
  }
  return startInteraction(provider, context, request, visitor)
}

/** The decision of OIDC-P11 with everything it needs looked up. */
export async function decideFor(
  { reads, config, now }: Provider,
  request: AuthorizationRequest,
  client: Client,
  visitor: Visitor | undefined,
  forThisRequest: boolean,
): Promise<Decision> {
  const grant = visitor && (await reads.findActiveGrant(visitor.user.id, client.id))
  return decide({
    request,
    ...(visitor && {
      signedIn: { userId: visitor.user.id, authenticatedAt: visitor.session.authenticatedAt, forThisRequest },
    }),
    grant,
    confirmEachTime: config.oauthConfirmNative && !request.redirectUri.startsWith('https:'),
    now: now(),
  })
}

const DECISIONS = {
  login_required: 'the user is not signed in',
  consent_required: 'the user has not approved this yet',
  interaction_required: 'the user must confirm something on a page',
} as const

export function answerDecision(
  provider: Provider,
  context: OidcContext,
  request: AuthorizationRequest,
  error: keyof typeof DECISIONS,
): Response {
  return answerError(provider, context, request, error, DECISIONS[error])
}

async function startInteraction(
  provider: Provider,
  context: OidcContext,
  request: AuthorizationRequest,
  visitor: Visitor | undefined,
): Promise<Response> {
  const begun = {
    browserHash: hashOf(browserId(context, provider)),
    clientId: request.clientId,
    request: JSON.stringify(request),
    userId: visitor?.user.id,
  }
  return begin(provider, context, begun, (handle) => `${rootOf(provider)}/oauth/interaction/${handle}`)
}

async function clientOf({ reads }: Provider, params: URLSearchParams): Promise<Client | undefined> {
  const clientId = single(params, 'client_id')
  return typeof clientId === 'string' ? reads.findClient(clientId) : undefined
}

/** Undefined: the hint is none of ours (OIDC-P8). */
async function withHint(
  provider: Provider,
  request: AuthorizationRequest,
  idTokenHint: string | undefined,
): Promise<AuthorizationRequest | undefined> {
  if (idTokenHint === undefined) return request
  const hint = await readIdTokenHint(provider, idTokenHint)
  return hint && { ...request, hintUserId: hint.userId }
}

/** The client's signed-in developer sees where the address differs, no other user what is registered (OIDC-N3). */
async function refusal(
  provider: Provider,
  context: OidcContext,
  fault: PageFault,
  params: URLSearchParams,
  client: Client | undefined,
): Promise<Response> {
  if (fault !== 'redirect_uri_unregistered' || !client) return renderFault(provider, context, fault)
  const visitor = await provider.findVisitor(context)
  const isDeveloper = visitor?.user.role === 'administrator' && visitor.user.accountId === client.accountId
  const difference = isDeveloper ? nearestRedirect(client.redirectUris, params.get('redirect_uri') ?? '') : undefined
  if (!difference) return renderFault(provider, context, fault)
  const { registered, character, expected, received } = difference
  const texts = textsOf(frameOf(provider, context).language)
  return renderFault(provider, context, fault, { detail: texts.difference(registered, character, expected, received) })
}

/** The one decision about an authorization request: sign in, ask, approve or refuse (OIDC-P1 to OIDC-P11). Pure. */
interface SignedIn {
  readonly userId: string
  /** Milliseconds, or UNKNOWN_TIME. */
  readonly authenticatedAt: number
  /** The user signed in for this request; recorded with it, or prompt=login would ask for ever (OIDC-P6). */
  readonly forThisRequest: boolean
}

export interface Circumstances {
  readonly request: Pick<AuthorizationRequest, 'prompts' | 'maxAgeSeconds' | 'hintUserId' | 'scopes'>
  readonly signedIn?: SignedIn | undefined
  readonly grant?: Pick<Grant, 'scopes' | 'chargePoints' | 'revokedAt'> | undefined
  /** OIDC-K7: the operator wants native applications, which cannot prove who they are, confirmed each time. */
  readonly confirmEachTime: boolean
  readonly now: number
}

type Decision =
  | { readonly kind: 'login'; readonly reason: 'not_signed_in' | 'prompt' | 'max_age' | 'other_user' }
  | { readonly kind: 'consent'; readonly reason: 'prompt' | 'not_covered' | 'selection' | 'confirm' }
  | { readonly kind: 'approve' }
  | { readonly kind: 'error'; readonly error: 'login_required' | 'consent_required' | 'interaction_required' }

export function decide(circumstances: Circumstances): Decision {
  const { prompts } = circumstances.request
  const next = nextStep(circumstances)
  if (!prompts.includes('none') || next.kind === 'approve' || next.kind === 'error') return next
  if (next.kind === 'login') return { kind: 'error', error: 'login_required' }
  return { kind: 'error', error: next.reason === 'not_covered' ? 'consent_required' : 'interaction_required' }
}

function nextStep({ request, signedIn, grant, confirmEachTime, now }: Circumstances): Decision {
  const login = loginReason(request, signedIn, now)
  // Another user than id_token_hint names: reported to the application, or the sign-in page would come again and again.
  if (login === 'other_user' && signedIn?.forThisRequest) return { kind: 'error', error: 'login_required' }
  if (login) return { kind: 'login', reason: login }
  if (request.prompts.includes('consent')) return { kind: 'consent', reason: 'prompt' }
  // The OIDC-K7 mode and a lost selection are steps of their own, whatever is covered (OIDC-P11).
  if (confirmEachTime) return { kind: 'consent', reason: 'confirm' }
  // Nothing that this user may give (ADMIN-A3).
  if (request.scopes.length === 0) return { kind: 'consent', reason: 'not_covered' }
  if (!grant || grant.revokedAt !== undefined) return { kind: 'consent', reason: 'not_covered' }
  if (needsSelection(request.scopes) && !hasSelection(grant) && needsSelection(grant.scopes)) {
    return { kind: 'consent', reason: 'selection' }
  }
  if (!covers(grant.scopes, request.scopes)) return { kind: 'consent', reason: 'not_covered' }
  return { kind: 'approve' }
}

function loginReason(
  { prompts, maxAgeSeconds, hintUserId }: Circumstances['request'],
  signedIn: SignedIn | undefined,
  now: number,
): 'not_signed_in' | 'prompt' | 'max_age' | 'other_user' | undefined {
  if (!signedIn) return 'not_signed_in'
  if (hintUserId !== undefined && hintUserId !== signedIn.userId) return 'other_user'
  if (signedIn.forThisRequest) return undefined
  if (prompts.includes('login')) return 'prompt'
  if (maxAgeSeconds === undefined) return undefined
  // max_age=0 means prompt=login, also within the millisecond of a sign-in (OIDC-P5).
  const { authenticatedAt } = signedIn
  const isUnsure = maxAgeSeconds === 0 || authenticatedAt === UNKNOWN_TIME
  const tooOld = isUnsure || now - authenticatedAt > maxAgeSeconds * 1000
  return tooOld ? 'max_age' : undefined
}

function hasSelection({ chargePoints }: Pick<Grant, 'chargePoints'>): boolean {
  return chargePoints === 'all' || (chargePoints !== undefined && chargePoints.length > 0)
}
