import type { AuditEvent } from '../../domain/ports/storage-oidc.ts'
import type { User } from '../../domain/ports/storage-records.ts'
import { Page } from '../../web/entries.tsx'
import { readOwnForm } from '../../web/guard.ts'
import { SignedOutPage } from '../../web/message-page.tsx'
import { TableCard } from '../../web/parts/table.tsx'
import { csrfToken, frameOf, renderPage, seeOther } from '../../web/respond.tsx'
import { rootOf } from '../../web/site.ts'
import { Ago, shownTime } from '../../web/times.tsx'
import { doneWords } from '../../web/words/audit-words.ts'
import { homeOf } from '../browser/home.ts'
import { type SignIn, type SignInAgain, signInAgain } from '../login/sign-in.ts'
import { beginLoginSession, endLoginSession, isLoginSessionLive } from '../login/visitor.ts'
import type { OidcContext, Provider } from '../provider.ts'
import { offerOf } from '../sso/offer.ts'
import { SignInPage } from '../views/sign-in-page.tsx'
import { ownPasswordTexts } from '../views/texts.ts'
import { acting, showing } from './visit.ts'

const SIGN_IN = 'dashboard sign in'
const EVENTS_SHOWN = 30

export async function showSignIn(provider: Provider, context: OidcContext): Promise<Response> {
  const visitor = await provider.findVisitor(context)
  const requested = context.req.query('next')
  return visitor
    ? seeOther(provider, context, safeNext(provider, requested, visitor.user))
    : signInPage(provider, context, safeNext(provider, requested))
}

export async function submitDashboardSignIn(
  provider: Provider,
  context: OidcContext,
  signIn: SignIn,
): Promise<Response> {
  const form = await readOwnForm(provider, context, undefined, SIGN_IN)
  if (form instanceof Response) return form
  const requested = form.get('next') ?? undefined
  const next = safeNext(provider, requested)
  const email = form.get('email') ?? ''
  const outcome = await signIn(context, form)
  if (outcome.kind !== 'signed_in') {
    const { texts } = frameOf(provider, context)
    return signInPage(provider, context, next, signInAgain(outcome, email, texts))
  }
  await beginLoginSession(provider, context, outcome.user)
  return seeOther(provider, context, safeNext(provider, requested, outcome.user))
}

export const signOut = acting('anybody', 'sign out', async ({ provider, context, visitor, show }) => {
  await endLoginSession(provider, context, visitor)
  return show(<SignedOutPage frame={frameOf(provider, context)} />)
})

/** The user's login sessions, each of which can be ended (OIDC-L6), and what happened lately. */
export const showSignIns = showing('anybody', async ({ provider, visitor, frame, csrf, show }) => {
  const { reads, now } = provider
  const { texts, root } = frame
  const { id: userId, accountId } = visitor.user
  const sessions = await reads.listLoginSessions(userId)
  const live = sessions.filter((session) => isLoginSessionLive(session, visitor.user, now()))
  return show(
    <Page frame={frame} title={texts.signIns}>
      <h1>{texts.signIns}</h1>
      <p>
        <a href={`${root}/account`}>{ownPasswordTexts(frame).ownPassword}</a>
      </p>
      {live.map(({ sid, userAgent, ip, createdAt, lastSeenAt }) => (
        <section class="card">
          <dl>
            <dt>{texts.from}</dt>
            <dd>
              {ip} <span class="soft">{userAgent}</span>
            </dd>
            <dt>{texts.since}</dt>
            <dd>
              <Ago frame={frame} at={createdAt} />
            </dd>
            <dt>{texts.lastSeen}</dt>
            <dd>{sid === visitor.session.sid ? texts.thisBrowser : shownTime(frame, lastSeenAt)}</dd>
          </dl>
          <form method="post" action={`${root}/sign-ins/${sid}/end`}>
            <input type="hidden" name="csrf" value={csrf('end sign-in')} />
            <button type="submit">{texts.endSignIn}</button>
          </form>
        </section>
      ))}
      <TableCard<AuditEvent>
        heading={texts.activity}
        oneLine
        rows={await reads.searchAudit({ accountId, userId, limit: EVENTS_SHOWN })}
        columns={[
          { kind: 'time', width: 136, cell: ({ at }) => <Ago frame={frame} at={at} /> },
          { cell: ({ kind }) => doneWords(frame, kind) },
          { kind: 'time', width: 136, wideOnly: true, text: ({ ip }) => ip },
        ]}
      />
    </Page>,
  )
})

export const endSignIn = acting('anybody', 'end sign-in', async ({ provider, context, visitor, goTo }) => {
  await provider.writes.endLoginSessionOfUser(visitor.user.id, context.req.param('sid') ?? '', provider.now())
  return goTo('/sign-ins')
})

export function signInPage(provider: Provider, context: OidcContext, next: string, again?: SignInAgain): Response {
  const page = (
    <SignInPage
      frame={frameOf(provider, context)}
      action={`${rootOf(provider)}/login`}
      csrf={csrfToken(context, provider, undefined, SIGN_IN)}
      email={again?.email ?? ''}
      next={next}
      sso={offerOf(provider, context, { next })}
      problem={again?.problem}
      ticket={again?.ticket}
    />
  )
  const { status = 200, headers = {} } = again ?? {}
  return renderPage(provider, context, page, { status, headers })
}

/** Longer addresses are no pages of ours. */
const MAX_ADDRESS_LENGTH = 2000

/** A page of ours with its query, never another site (CONSOLE-A7). */
export function safeNext(provider: Provider, next = '', user?: User): string {
  const root = rootOf(provider)
  const home = homeOf(provider, user)
  // The form carries the way home of a user who has not signed in yet.
  if (next === homeOf(provider)) return home
  const origin = 'http://dashboard'
  const isPath = /^\/(?![/\\])[^\\\p{Cc}\s]*$/u.test(next) && next.length <= MAX_ADDRESS_LENGTH
  if (!isPath || !URL.canParse(next, origin)) return home
  const { pathname, search, origin: there } = new URL(next, origin)
  const isOurs = there === origin && (pathname === root || pathname.startsWith(`${root}/`)) && !pathname.includes('//')
  return isOurs ? pathname + search : home
}
