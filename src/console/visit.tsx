/** Pages and forms behind the sign-in, the same way for all of the operator's: role, form token, refusals. */
import type { Child } from 'hono/jsx'
import type { PageHandler } from '../oidc/browser/app.ts'
import { frameOf, renderFault, renderPage, rootOf, seeOther } from '../oidc/browser/respond.tsx'
import { csrfToken } from '../oidc/login/csrf.ts'
import { requireForm, requireVisitor } from '../oidc/pages/guard.ts'
import type { OidcContext, Provider } from '../oidc/provider.ts'
import type { Refusal } from '../ports/refusal.ts'
import { type Frame, Page } from '../web/layout.tsx'
import { operatorTexts } from './texts.ts'

/** Members of an account look; its administrators also change what everybody gets. */
export type Role = Parameters<typeof requireVisitor>[2]

export interface Visit {
  readonly provider: Provider
  readonly context: OidcContext
  readonly frame: Frame
  readonly accountId: string
  readonly administrator: boolean
  /** @param action the form it is for */
  readonly csrf: (action: string) => string
}

/** @param show a page that is `live`; nothing is shown of what does not exist and of what is foreign */
export function showing(role: Role, show: (visit: Visit) => Promise<Child | undefined>): PageHandler {
  return async (provider, context) => {
    const guarded = await requireVisitor(provider, context, role)
    if (guarded instanceof Response) return guarded
    const page = await show(visitOf(provider, context, guarded))
    return page === undefined ? missing(provider, context) : renderPage(provider, context, page, { live: true })
  }
}

/** @param order does what the form asks and says which page below the console's root to go on with, or why not */
export function ordering(
  role: Role,
  action: (context: OidcContext) => string,
  order: (visit: Visit, form: URLSearchParams) => Promise<string | Refusal>,
): PageHandler {
  return async (provider, context) => {
    const guarded = await requireForm(provider, context, role, action(context))
    if (guarded instanceof Response) return guarded
    const visit = visitOf(provider, context, guarded)
    const done = await order(visit, guarded.form)
    if (typeof done === 'string') return seeOther(provider, context, rootOf(provider) + done)
    return refusedPage(visit, done)
  }
}

/** The one place where a refusal becomes a page. */
function refusedPage({ provider, context, frame }: Visit, { status, detail, retryAfterSeconds }: Refusal): Response {
  if (status === 404) return missing(provider, context)
  return renderPage(provider, context, <RefusedPage frame={frame} sentence={detail} />, {
    status,
    ...(retryAfterSeconds !== undefined && { headers: { 'retry-after': String(retryAfterSeconds) } }),
  })
}

function visitOf(
  provider: Provider,
  context: OidcContext,
  { visitor }: Exclude<Awaited<ReturnType<typeof requireVisitor>>, Response>,
): Visit {
  return {
    provider,
    context,
    frame: frameOf(provider, context, { visitor }),
    accountId: visitor.user.accountId,
    administrator: visitor.user.role === 'administrator',
    csrf: (action) => csrfToken(context, provider, visitor, action),
  }
}

function missing(provider: Provider, context: OidcContext): Response {
  return renderFault(provider, context, 'not_found', { status: 404 })
}

const RefusedPage = ({ frame, sentence }: { readonly frame: Frame; readonly sentence: string }) => (
  <Page frame={frame} title={operatorTexts(frame).refused} narrow>
    <div class="card">
      <h1>{operatorTexts(frame).refused}</h1>
      <p class="warn" role="alert">
        {sentence}
      </p>
    </div>
  </Page>
)
