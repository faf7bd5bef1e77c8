/** Signing in by the company's provider: out to it, and what its answer makes of the browser (ADMIN-K1 to ADMIN-K7). */
import { isOwnForm } from '../../web/csrf.ts'
import type { PageHandler } from '../../web/mount.ts'
import { frameOf, seeOther } from '../../web/respond.tsx'
import { rootOf } from '../../web/site.ts'
import { decideFor } from '../authorize/endpoint.ts'
import { openInteraction } from '../authorize/open-interaction.ts'
import { auditFailure, signedIn } from '../login/sign-in.ts'
import { beginLoginSession, UNKNOWN_TIME } from '../login/visitor.ts'
import { safeNext, signInPage } from '../pages/sign-in.tsx'
import { addressOf, type OidcContext, type Provider } from '../provider.ts'
import { createThrottle } from '../throttle.ts'
import { ssoTexts } from '../views/texts.ts'
import { admit, type Refusal } from './admit.ts'
import { beginFlow, endFlow, type Flow, type Returned } from './flow.ts'
import { type Answer, type IdentityProvider, ProviderAway, ProviderRefused, SignInTooOld } from './identity-provider.ts'
import { BEGIN } from './offer.ts'

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
