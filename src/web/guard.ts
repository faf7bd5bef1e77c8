/** Pages behind the sign-in: visitor, role, own forms. Orders and refused orders are recorded (ADMIN-A2, ADMIN-C2). */

import { routePath } from 'hono/route'
import { audited, outcomeOfStatus } from '../application/audit/auditing.ts'
import { may } from '../domain/accounts/roles.ts'
import { type FormOptions, readPageForm } from './form.ts'
import type { PageHandler } from './mount.ts'
import { cameFromHere, isOwnForm, isOwnToken, renderFault, renderForeignForm, seeOther } from './respond.tsx'
import { type PageContext, type Role, rootOf, type Site, type Visitor, type VisitorOf } from './site.ts'

/** Addresses are no longer than that, but for who makes them up. */
const MAX_CHARACTERS = 300

/** A page for those who are signed in; others are sent to the sign-in and come back afterwards. */
export function visiting<Place extends Site>(
  role: Role,
  show: (site: Place, context: PageContext, visitor: VisitorOf<Place>) => Promise<Response> | Response,
): PageHandler<Place> {
  return async (site, context) => {
    const visitor = await requireVisitor(site, context, role)
    return visitor instanceof Response ? visitor : show(site, context, visitor)
  }
}

/** What the token of a form is good for, as in `csrfToken`. */
export type FormAction = string | ((context: PageContext) => string)

/** @param options.kind its name in the audit log, unless its address says it */
export function submitting<Place extends Site>(
  role: Role,
  action: FormAction,
  order: (
    site: Place,
    context: PageContext,
    visitor: VisitorOf<Place>,
    form: URLSearchParams,
  ) => Promise<Response> | Response,
  { kind, ...reading }: { readonly kind?: string | ((context: PageContext) => string) | undefined } & FormOptions = {},
): PageHandler<Place> {
  return visiting<Place>(role, async (site, context, visitor) => {
    const form = await readOwnForm(site, context, visitor, action, reading)
    if (form instanceof Response) return form
    const act = async (): Promise<Response> => {
      // What is the visitor's own is recorded where it happens, with what only that place knows.
      if (role === 'anybody') return order(site, context, visitor, form)
      const event = eventOf(site, context, visitor, typeof kind === 'function' ? kind(context) : kind)
      const field = context.get('names')
      const named = field === undefined ? undefined : form.get(field)?.trim().slice(0, MAX_CHARACTERS)
      return audited(
        site,
        named ? { subject: named, ...event } : event,
        () => order(site, context, visitor, form),
        ({ status }) => ({ outcome: outcomeOfStatus(status) }),
      )
    }
    const once = form.get('once')
    if (once === null || once === '') return act()
    return site.answeredForms(JSON.stringify([visitor.session.idHash, context.req.path, once]), act)
  })
}

/** A form with a file: `take` learns whether a token before the file is this form's, and stores nothing if not. */
export function uploading<Place extends Site>(
  role: Role,
  action: string,
  take: (
    site: Place,
    context: PageContext,
    visitor: VisitorOf<Place>,
    isOwn: (token: string | undefined) => boolean,
  ) => Promise<Response>,
): PageHandler<Place> {
  return visiting<Place>(role, async (site, context, visitor) => {
    if (!cameFromHere(context, site)) return renderForeignForm(site, context)
    const isOwn = (token: string | undefined): boolean => isOwnToken(context, site, visitor, action, token)
    return audited(
      site,
      eventOf(site, context, visitor),
      () => take(site, context, visitor, isOwn),
      ({ status }) => ({ outcome: outcomeOfStatus(status) }),
    )
  })
}

/** What the route's pattern says is the action, what stands in the place of its parameters the subject (ADMIN-C2). */
function eventOf(site: Site, context: PageContext, { user }: Visitor, kind?: string) {
  const steps = routePath(context)
    .slice(rootOf(site).length + 1)
    .split('/')
  const named = steps.filter((step) => step.startsWith(':') && step !== ACTION)
  const action = steps
    .filter((step) => !named.includes(step))
    .map((step) => (step === ACTION ? parameterOf(context, step) : step))
  return {
    at: site.now(),
    kind: kind ?? action.join('/').slice(0, MAX_CHARACTERS),
    accountId: user.accountId,
    userId: user.id,
    actor: user.email,
    role: user.role,
    ip: site.addressOf(context),
    ...(named.length > 0 && {
      subject: named
        .map((step) => parameterOf(context, step))
        .join(' ')
        .slice(0, MAX_CHARACTERS),
    }),
  }
}

const ACTION = ':action'

function parameterOf(context: PageContext, step: string): string {
  return context.req.param(step.slice(1)) ?? ''
}

async function requireVisitor<Place extends Site>(
  site: Place,
  context: PageContext,
  role: Role,
): Promise<VisitorOf<Place> | Response> {
  const visitor = (await site.findVisitor(context)) as VisitorOf<Place> | undefined
  if (!visitor) {
    const { pathname, search } = new URL(context.req.url)
    const next = new URLSearchParams({ next: pathname + search })
    return seeOther(site, context, `${rootOf(site)}/login${context.req.method === 'GET' ? `?${next}` : ''}`)
  }
  if (!may(visitor.user.role, role)) {
    if (context.req.method === 'POST') {
      await site.writes.audit({ ...eventOf(site, context, visitor), outcome: 'forbidden' })
    }
    return renderFault(site, context, 'forbidden', { status: 403, visitor })
  }
  return visitor
}

/** The form that was posted, if it is ours; else the page that says why not. */
export async function readOwnForm(
  site: Site,
  context: PageContext,
  visitor: Pick<Visitor, 'session'> | undefined,
  action: FormAction,
  reading: FormOptions = {},
): Promise<URLSearchParams | Response> {
  const form = await readPageForm(context, reading)
  if (!form) return renderFault(site, context, 'bad_form')
  const named = typeof action === 'string' ? action : action(context)
  const isOwn = isOwnForm(context, site, visitor, named, form.get('csrf') ?? undefined)
  return isOwn ? form : renderForeignForm(site, context)
}
