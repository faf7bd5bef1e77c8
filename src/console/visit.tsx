/** Pages and forms behind the sign-in, the same way for all of the operator's: role, form token, refusals. */

import type { Child } from 'hono/jsx'
import { may } from '../domain/accounts/roles.ts'
import type { Refusal } from '../domain/ports/storage-records.ts'
import { keepNewest } from '../limits/keep-newest.ts'
import { type Frame, Page, Warning } from '../web/entries.tsx'
import type { FormOptions } from '../web/form.ts'
import { type FormAction, readOwnForm, submitting, uploading, visiting } from '../web/guard.ts'
import { absent } from '../web/mount.ts'
import { csrfToken, frameOf, renderForeignForm, renderPage, seeOther } from '../web/respond.tsx'
import { type PageContext, type Role, rootOf, type Visitor } from '../web/site.ts'
import type { ConsolePage, ConsoleSite } from './console-parts.ts'
import { Way } from './kit/list.tsx'
import { sharedWords } from './kit/parts.tsx'
import { translated } from './kit/translated.ts'

/**
 * How many orders a visitor has given: forms that act once (CONSOLE-A11) are named by it, so a live page is stable
 * until the next one. Of this process: nothing was pressed twice across a restart.
 */
const ORDERS = new Map<string, number>()
/** Far more than act at one time. */
const MAX_KEPT = 2000

export interface Visit {
  readonly site: ConsoleSite
  readonly context: PageContext
  readonly frame: Frame
  readonly accountId: string
  readonly administrator: boolean
  readonly operates: boolean
  readonly user: Visitor['user']
  readonly once: () => string
  readonly csrf: (action: string) => string
  /** The same on a page that is kept up to date: it changes with everything that the visitor orders, and not before. */
  readonly nameOnce: (form: string) => string
  readonly ordered: () => void
}

/** With the status of the outcome: a refused form once more with its faults, or a secret that is shown once. */
export interface Shown {
  readonly page: Child
  readonly status: number
}

export function again(page: Child, { status }: Pick<Shown, 'status'>): Shown {
  return { page, status }
}

/** @param show a page that is `live`; nothing is shown of what does not exist and of what is foreign */
export function showing(role: Role, show: (visit: Visit) => Promise<Child | Shown | undefined>): ConsolePage {
  return visiting(ofConsole(role), async (site: ConsoleSite, context, visitor) => {
    const said = withoutEmpty(context)
    if (said !== undefined) return seeOther(site, context, said)
    const shown = await show(visitOf(site, context, visitor))
    if (shown === undefined) return absent(site, context)
    const { page, status } = isShown(shown) ? shown : { page: shown, status: 200 }
    return renderPage(site, context, page, { live: true, status })
  })
}

/** A form above a list sends its empty fields as well: only what is set stands in the address (CONSOLE-F1). */
function withoutEmpty({ req }: PageContext): string | undefined {
  const { pathname, searchParams } = new URL(req.url)
  const set = [...searchParams].filter(([, value]) => value !== '')
  return set.length < searchParams.size ? pathname + (set.length > 0 ? `?${new URLSearchParams(set)}` : '') : undefined
}

function isShown(shown: Child | Shown): shown is Shown {
  return typeof shown === 'object' && shown !== null && 'page' in shown && 'status' in shown
}

/** @param answer no page: undefined where there is no such thing */
export function answering(role: Role, answer: (visit: Visit) => Promise<Response | undefined>): ConsolePage {
  return visiting(
    ofConsole(role),
    async (site: ConsoleSite, context, visitor) =>
      (await answer(visitOf(site, context, visitor))) ?? absent(site, context),
  )
}

/** The form once more, with more fields or a preview. Nothing is changed, so nothing is recorded. */
export function trying(
  action: FormAction,
  show: (visit: Visit, form: URLSearchParams) => Promise<Shown>,
  reading: FormOptions = {},
): ConsolePage {
  return visiting(ACTING, async (site: ConsoleSite, context, visitor) => {
    const form = await readOwnForm(site, context, visitor, action, reading)
    if (form instanceof Response) return form
    const { page, status } = await show(visitOf(site, context, visitor), form)
    return renderPage(site, context, page, { live: true, status })
  })
}

/** A form with a file. @param take as in `uploading`; a text is where to go on */
export function receiving(
  action: string,
  take: (visit: Visit, isOwn: (token: string | undefined) => boolean) => Promise<string | Shown | 'foreign'>,
): ConsolePage {
  return uploading(ACTING, action, async (site: ConsoleSite, context, visitor, isOwn) => {
    const visit = visitOf(site, context, visitor)
    const done = await take(visit, isOwn)
    if (done === 'foreign') return renderForeignForm(site, context)
    if (typeof done !== 'string') {
      // What is left of the body is not read: the connection ends with the answer.
      return renderPage(site, context, done.page, {
        live: true,
        status: done.status,
        headers: { connection: 'close' },
      })
    }
    visit.ordered()
    return seeOther(site, context, rootOf(site) + done)
  })
}

export type Done = string | Refusal | Shown

/** @param order does what the form asks and says which page below the console's root to go on with, or why not */
export function ordering(
  role: Role,
  action: FormAction,
  order: (visit: Visit, form: URLSearchParams) => Promise<Done>,
  reading: FormOptions = {},
): ConsolePage {
  return submitting(
    ofConsole(role),
    action,
    async (site: ConsoleSite, context, visitor, form) => {
      const visit = visitOf(site, context, visitor)
      const done = await order(visit, form)
      if (typeof done === 'string') return seeOther(site, context, rootOf(site) + done)
      if ('page' in done) return renderPage(site, context, done.page, { live: true, status: done.status })
      return refusedPage(visit, done)
    },
    reading,
  )
}

const ONCE_BYTES = 12

/** Members see no console (ADMIN-A1). */
function ofConsole(role: Role): Role {
  return role === 'anybody' ? 'see' : role
}

/** Who may act on charge points and sessions; everybody else sees them (CONSOLE-A8). */
const ACTING: Role = 'operate'

export function mayAct({ user }: Pick<Visit, 'user'>): boolean {
  return may(user.role, ACTING)
}

export function actingPage(show: (visit: Visit) => Promise<Child | undefined>): ConsolePage {
  return showing(ACTING, show)
}

export function acting(action: FormAction, order: (visit: Visit, form: URLSearchParams) => Promise<Done>): ConsolePage {
  return ordering(ACTING, action, async (visit, form) => {
    const done = await order(visit, form)
    if (isDone(done)) visit.ordered()
    return done
  })
}

function isDone(done: Done): boolean {
  return typeof done === 'string' || ('page' in done && done.status === 200)
}

async function refusedPage(
  { site, context, frame }: Visit,
  { status, detail, retryAfterSeconds }: Refusal,
): Promise<Response> {
  if (status === 404) return absent(site, context)
  const { refused } = sharedWords(frame)
  const page = (
    <Page frame={frame} title={refused} narrow>
      <div class="card">
        <h1>{refused}</h1>
        <Warning>{translated(frame, detail)}</Warning>
        <Way to={frame.root || '/'} text={frame.texts.toOverview} />
      </div>
    </Page>
  )
  const headers = retryAfterSeconds === undefined ? undefined : { 'retry-after': String(retryAfterSeconds) }
  return renderPage(site, context, page, { live: true, status, headers })
}

function visitOf(site: ConsoleSite, context: PageContext, visitor: Visitor): Visit {
  const { idHash } = visitor.session
  const orders = (): number => ORDERS.get(idHash) ?? 0
  return {
    site,
    context,
    frame: { ...frameOf(site, context, { visitor }), scripted: true },
    accountId: visitor.user.accountId,
    administrator: may(visitor.user.role, 'administrator'),
    operates: may(visitor.user.role, 'operate'),
    user: visitor.user,
    once: () => site.random(ONCE_BYTES).toString('base64url'),
    csrf: (action) => csrfToken(context, site, visitor, action),
    nameOnce: (form) => `${orders()}.${form}`,
    ordered: () => keepNewest(ORDERS, idHash, orders() + 1, MAX_KEPT),
  }
}
