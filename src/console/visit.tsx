/** Pages and forms behind the sign-in, the same way for all of the operator's: role, form token, refusals. */
import type { Child } from 'hono/jsx'
import type { Refusal } from '../ports/refusal.ts'
import { csrfToken } from '../web/csrf.ts'
import { submitting, visiting } from '../web/guard.ts'
import { type Frame, Page } from '../web/layout.tsx'
import { frameOf, renderFault, renderPage, seeOther } from '../web/respond.tsx'
import { type PageContext, type Role, rootOf, type Visitor } from '../web/site.ts'
import type { ConsolePage, ConsoleSite } from './parts.ts'
import { operatorTexts } from './texts.ts'

export interface Visit {
  readonly provider: ConsoleSite
  readonly context: PageContext
  readonly frame: Frame
  readonly accountId: string
  readonly administrator: boolean
  /** @param action the form it is for */
  readonly csrf: (action: string) => string
}

/** @param show a page that is `live`; nothing is shown of what does not exist and of what is foreign */
export function showing(role: Role, show: (visit: Visit) => Promise<Child | undefined>): ConsolePage {
  return visiting(role, async (provider: ConsoleSite, context, visitor) => {
    const page = await show(visitOf(provider, context, visitor))
    return page === undefined ? missing(provider, context) : renderPage(provider, context, page, { live: true })
  })
}

/** @param order does what the form asks and says which page below the console's root to go on with, or why not */
export function ordering(
  role: Role,
  action: (context: PageContext) => string,
  order: (visit: Visit, form: URLSearchParams) => Promise<string | Refusal>,
): ConsolePage {
  return submitting(role, action, async (provider: ConsoleSite, context, visitor, form) => {
    const visit = visitOf(provider, context, visitor)
    const done = await order(visit, form)
    if (typeof done === 'string') return seeOther(provider, context, rootOf(provider) + done)
    return refusedPage(visit, done)
  })
}

/** The one place where a refusal becomes a page. */
function refusedPage({ provider, context, frame }: Visit, { status, detail, retryAfterSeconds }: Refusal): Response {
  if (status === 404) return missing(provider, context)
  return renderPage(provider, context, <RefusedPage frame={frame} sentence={detail} />, {
    status,
    ...(retryAfterSeconds !== undefined && { headers: { 'retry-after': String(retryAfterSeconds) } }),
  })
}

function visitOf(provider: ConsoleSite, context: PageContext, visitor: Visitor): Visit {
  return {
    provider,
    context,
    frame: frameOf(provider, context, { visitor }),
    accountId: visitor.user.accountId,
    administrator: visitor.user.role === 'administrator',
    csrf: (action) => csrfToken(context, provider, visitor, action),
  }
}

function missing(provider: ConsoleSite, context: PageContext): Response {
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
