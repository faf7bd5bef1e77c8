/** What every page behind the sign-in needs: a visitor, the right role, and forms that are our own. */
import { isOwnForm } from './csrf.ts'
import { readPageForm } from './form.ts'
import type { PageHandler } from './mount.ts'
import { renderFault, renderForeignForm, seeOther } from './respond.tsx'
import { type PageContext, type Role, rootOf, type Site, type Visitor, type VisitorOf } from './site.ts'

/**
 * A page for those who are signed in; strangers are sent to the sign-in and come back afterwards.
 * @example showApplications = visiting('anybody', async (provider: Provider, context, visitor) => renderPage(…))
 */
export function visiting<Place extends Site>(
  role: Role,
  show: (site: Place, context: PageContext, visitor: VisitorOf<Place>) => Promise<Response> | Response,
): PageHandler<Place> {
  return async (site, context) => {
    const visitor = await requireVisitor(site, context, role)
    return visitor instanceof Response ? visitor : show(site, context, visitor)
  }
}

/** What a form orders. @param action as in `csrfToken` */
export function submitting<Place extends Site>(
  role: Role,
  action: string | ((context: PageContext) => string),
  order: (
    site: Place,
    context: PageContext,
    visitor: VisitorOf<Place>,
    form: URLSearchParams,
  ) => Promise<Response> | Response,
): PageHandler<Place> {
  return visiting<Place>(role, async (site, context, visitor) => {
    const form = await readOwnForm(site, context, visitor, typeof action === 'string' ? action : action(context))
    return form instanceof Response ? form : order(site, context, visitor, form)
  })
}

async function requireVisitor<Place extends Site>(
  site: Place,
  context: PageContext,
  role: Role,
): Promise<VisitorOf<Place> | Response> {
  const visitor = (await site.findVisitor(context)) as VisitorOf<Place> | undefined
  if (!visitor) {
    const next = new URLSearchParams({ next: new URL(context.req.url).pathname })
    return seeOther(site, context, `${rootOf(site)}/login${context.req.method === 'GET' ? `?${next}` : ''}`)
  }
  if (role === 'administrator' && visitor.user.role !== 'administrator') {
    return renderFault(site, context, 'forbidden', { status: 403 })
  }
  return visitor
}

/**
 * The form that was posted, if it is one, and ours; otherwise the page that says why not.
 * @param action as in `csrfToken`
 */
export async function readOwnForm(
  site: Site,
  context: PageContext,
  visitor: Pick<Visitor, 'session'> | undefined,
  action: string,
): Promise<URLSearchParams | Response> {
  const form = await readPageForm(context)
  if (!form) return renderFault(site, context, 'bad_form')
  const isOwn = isOwnForm(context, site, visitor, action, form.get('csrf') ?? undefined)
  return isOwn ? form : renderForeignForm(site, context)
}
