/** Signing in by the company's provider: out to it, and what its answer makes of the browser (ADMIN-K1 to ADMIN-K7). */

import { audited } from '../../application/audit/auditing.ts'
import { changeUser } from '../../application/users/users.ts'
import { NO_PASSWORD, UNPROVEN_ADDRESS } from '../../domain/accounts/password-link.ts'
import { newUuid } from '../../domain/message-log/log-id.ts'
import type { Role, User } from '../../domain/ports/storage-records.ts'
import { sealedBox } from '../../secrets/sealed-box.ts'
import { clearCookie, equalHashes, readCookie, writeCookie } from '../../web/cookies.ts'
import type { PageHandler } from '../../web/mount.ts'
import { frameOf, isOwnForm, seeOther } from '../../web/respond.tsx'
import { rootOf } from '../../web/site.ts'
import { decideFor } from '../authorize/endpoint.ts'
import { openInteraction } from '../authorize/open-interaction.ts'
import { auditFailure, signedIn } from '../login/sign-in.ts'
import { beginLoginSession, UNKNOWN_TIME } from '../login/visitor.ts'
import { hashOf, newSecret } from '../oidc-secrets.ts'
import { safeNext, signInPage } from '../pages/sign-in.tsx'
import { addressOf, type OidcContext, type Provider } from '../provider.ts'
import { createThrottle } from '../throttle.ts'
import { ssoTexts } from '../views/texts.ts'
import {
  type Answer,
  type Checks,
  type IdentityProvider,
  ProviderAway,
  ProviderRefused,
  SignInTooOld,
} from './identity-provider.ts'
import { BEGIN } from './offer.ts'
import { type Claims, claimAt, personOf, roleOf } from './person.ts'

const MAX_PER_ADDRESS = 300
const ADDRESS_WINDOW_MS = 3_600_000

type Fault = Refusal | 'away' | 'over' | 'denied' | 'tooOld' | 'untrusted'

const STATUS: Readonly<Record<Fault, number>> = {
  away: 503,
  over: 400,
  denied: 403,
  tooOld: 403,
  untrusted: 502,
  noRole: 403,
  noEmail: 403,
  taken: 403,
  disabled: 403,
  lastAdministrator: 403,
}

interface SingleSignOn {
  readonly begin: PageHandler<Provider>
  readonly beginFor: PageHandler<Provider>
  readonly answered: PageHandler<Provider>
}

export function singleSignOn(provider: Provider, identityProvider: IdentityProvider): SingleSignOn {
  const perAddress = createThrottle(provider.limits, 'provider sign-in from', MAX_PER_ADDRESS, ADDRESS_WINDOW_MS)

  const fault = (context: OidcContext, next: string, what: Fault): Response => {
    const problem = ssoTexts(frameOf(provider, context))[what](identityProvider.host)
    return signInPage(provider, context, next, { email: '', problem, status: STATUS[what] })
  }
  const leave = async (
    context: OidcContext,
    way: Pick<Flow, 'next' | 'interaction' | 'maxAgeSeconds'>,
    afresh: boolean,
  ): Promise<Response> => {
    if (!isOwnForm(context, provider, undefined, BEGIN, context.req.query('begin'))) {
      return seeOther(provider, context, `${rootOf(provider)}/login?${new URLSearchParams({ next: way.next })}`)
    }
    try {
      return seeOther(
        provider,
        context,
        await identityProvider.authorizationUrl(beginFlow(provider, context, way), afresh),
      )
    } catch (error) {
      return fault(context, way.next, faultOf(provider, context, error))
    }
  }
  const arrive = async (context: OidcContext, flow: Returned, answer: URLSearchParams): Promise<Response> => {
    let found: Answer
    try {
      found = await identityProvider.answerOf(answer, flow, flow.tookMs)
    } catch (error) {
      return fault(context, flow.next, faultOf(provider, context, error))
    }
    const admitted = await admit(provider, identityProvider.issuer, found.claims, addressOf(provider, context))
    if ('refused' in admitted) {
      await auditFailure(provider, admitted.user, addressOf(provider, context), admitted.refused)
      return fault(context, flow.next, admitted.refused)
    }
    const { user } = admitted
    await signedIn(provider, context, user)
    const { ageSeconds } = found
    const authenticatedAt = ageSeconds === undefined ? UNKNOWN_TIME : provider.now() - ageSeconds * 1000
    await beginLoginSession(provider, context, user, authenticatedAt)
    if (flow.interaction !== undefined) {
      await provider.writes.updateInteraction(flow.interaction, { userId: user.id, loggedInAt: provider.now() })
    }
    return seeOther(provider, context, safeNext(provider, flow.next, user))
  }

  return {
    begin: (_, context) => leave(context, { next: safeNext(provider, context.req.query('next')) }, false),

    async beginFor(_, context) {
      const opened = await openInteraction(provider, context)
      if (opened instanceof Response) return opened
      const { path, interaction, request, client, visitor } = opened
      const decision = await decideFor(provider, request, client, visitor, interaction.loggedInAt !== undefined)
      // A user is signed in, and that is not enough for the application (prompt=login, max_age, another user).
      const afresh = decision.kind === 'login' && decision.reason !== 'not_signed_in'
      const maxAgeSeconds = request.prompts.includes('login') ? 0 : request.maxAgeSeconds
      return leave(context, { next: path, interaction: interaction.idHash, maxAgeSeconds }, afresh)
    },

    async answered(_, context) {
      const answer = new URL(context.req.url).searchParams
      const flow = await endFlow(provider, context, answer.get('state') ?? '')
      if (!flow) return fault(context, safeNext(provider), 'over')
      const ip = addressOf(provider, context)
      const waitSeconds = await perAddress.take(ip)
      if (waitSeconds === undefined) return arrive(context, flow, answer)
      const problem = frameOf(provider, context).texts.tooManyAttempts(Math.ceil(waitSeconds / 60))
      const headers = { 'retry-after': String(waitSeconds) }
      return signInPage(provider, context, flow.next, { email: '', problem, status: 429, headers })
    },
  }
}

/** Why it failed, for the log; the page says what users can do. */
function faultOf(provider: Provider, context: OidcContext, error: unknown): Fault {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : undefined
  const reason = error instanceof Error ? error.message : String(error)
  provider.log.warn({ ip: addressOf(provider, context), reason, cause }, 'a sign-in by the provider failed')
  if (error instanceof ProviderAway) return 'away'
  if (error instanceof SignInTooOld) return 'tooOld'
  return error instanceof ProviderRefused ? 'denied' : 'untrusted'
}

/** Who the person is here, with the role of this sign-in (ADMIN-K2 to ADMIN-K4). */
type Refusal = 'noRole' | 'noEmail' | 'taken' | 'disabled' | 'lastAdministrator'

type Admitted = { readonly user: User } | { readonly refused: Refusal; readonly user?: User | undefined }

/** @param claims of the ID token, then of userinfo: what the first one says counts */
async function admit(
  provider: Provider,
  issuer: string,
  claims: readonly [Claims, ...Claims[]],
  ip: string,
): Promise<Admitted> {
  const { ssoRoleClaim, ssoRoles = [] } = provider.config
  const [idToken] = claims
  const ofRoles = claims.find((one) => claimAt(one, ssoRoleClaim) !== undefined)
  const role = ofRoles && roleOf(ofRoles, ssoRoleClaim, ssoRoles)
  const identity = { issuer, subject: String(idToken.sub) }
  if (!role) return { refused: 'noRole', user: await provider.writes.endAccess(identity, provider.now(), ip) }
  const person = personOf(claims.find(({ email }) => email !== undefined) ?? idToken)
  const [account] = await provider.reads.listAccounts()
  if (!person || !account) return { refused: 'noEmail' }
  const { email, name, isEmailVerified } = person
  const id = newUuid(provider.now(), provider.random)
  const named = { id, accountId: account.id, email, name }
  const passwordHash = isEmailVerified ? NO_PASSWORD : UNPROVEN_ADDRESS
  const user: User = { ...named, role, passwordHash, createdAt: provider.now() }
  const claimed = await provider.writes.claimIdentity({ ...identity, user, isEmailVerified, ip })
  if (claimed.kind === 'taken') return { refused: 'taken' }
  if (claimed.user.disabledAt !== undefined) return { refused: 'disabled', user: claimed.user }
  return withRole(provider, claimed.user, role, ip)
}

/** Another role than last time ends what was signed in with that one (OIDC-L6). */
async function withRole(provider: Provider, user: User, role: Role, ip: string): Promise<Admitted> {
  if (user.role === role) return { user }
  const { id: userId, accountId, email: actor } = user
  const subject = `${actor}: ${user.role} → ${role}`
  const event = { at: provider.now(), kind: 'role_changed', accountId, userId, actor, role: user.role, subject, ip }
  const changed = await audited(
    provider,
    event,
    () => changeUser(provider, accountId, userId, { role }),
    (done) => ({ outcome: 'refused' in done ? 'refused' : 'done' }),
  )
  return 'refused' in changed ? { refused: 'lastAdministrator', user } : { user: changed }
}

/** A provider sign-in under way, sealed in the browser's cookie: ten minutes, one answer, one state (ADMIN-K5). */
const FLOW_MS = 600_000

interface Flow extends Checks {
  /** A page of ours, checked. */
  readonly next: string
  /** Hash of the request of an application that waits for this sign-in. */
  readonly interaction?: string | undefined
}

interface Kept extends Flow {
  readonly expiresAt: number
}

interface Returned extends Flow {
  /** Since the browser left. */
  readonly tookMs: number
}

type FlowContext = Pick<Provider, 'config' | 'random' | 'now' | 'limits'>

function beginFlow(
  place: FlowContext,
  context: OidcContext,
  way: Pick<Flow, 'next' | 'interaction' | 'maxAgeSeconds'>,
): Flow {
  const { random, now } = place
  const secret = (): string => newSecret('plain', random)
  const flow: Flow = { state: secret(), nonce: secret(), verifier: secret(), ...way }
  const kept: Kept = { ...flow, expiresAt: now() + FLOW_MS }
  writeCookie(context, place, 'sso', box(place).seal(JSON.stringify(kept)))
  return flow
}

/** Undefined for an answer that this browser does not wait for, or no longer, or has had. */
async function endFlow(place: FlowContext, context: OidcContext, state: string): Promise<Returned | undefined> {
  const opened = box(place).open(readCookie(context, place, 'sso') ?? '')
  if (opened === undefined) return undefined
  const { expiresAt, ...flow } = JSON.parse(opened) as Kept
  if (!equalHashes(hashOf(flow.state), hashOf(state))) return undefined
  clearCookie(context, place, 'sso')
  // A copy of the cookie would open again.
  const isSpent = (await createThrottle(place.limits, 'answer to', 1, FLOW_MS).take(flow.state)) !== undefined
  const leftMs = expiresAt - place.now()
  return isSpent || leftMs <= 0 ? undefined : { ...flow, tookMs: Math.max(0, FLOW_MS - leftMs) }
}

function box({ config, random }: Pick<FlowContext, 'config' | 'random'>) {
  return sealedBox(config.secretKey, 'signInFlows', random)
}
