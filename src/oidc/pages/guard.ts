/** What every page behind the sign-in needs: a visitor, the right role, and forms that are our own. */
import { readOwnForm } from '../browser/own-form.ts'
import { renderFault, rootOf, seeOther } from '../browser/respond.tsx'
import { findVisitor, type Visitor } from '../login/visitor.ts'
import type { OidcContext, Provider } from '../provider.ts'

export interface Guarded {
  readonly visitor: Visitor
}
export interface GuardedForm extends Guarded {
  readonly form: URLSearchParams
}

type Role = 'anybody' | 'administrator'

/** Strangers are sent to the sign-in and come back afterwards. */
export async function requireVisitor(
  provider: Provider,
  context: OidcContext,
  role: Role,
): Promise<Guarded | Response> {
  const visitor = await findVisitor(provider, context)
  if (!visitor) {
    const next = new URLSearchParams({ next: new URL(context.req.url).pathname })
    return seeOther(provider, context, `${rootOf(provider)}/login${context.req.method === 'GET' ? `?${next}` : ''}`)
  }
  if (role === 'administrator' && visitor.user.role !== 'administrator') {
    return renderFault(provider, context, 'forbidden', { status: 403 })
  }
  return { visitor }
}

/** @param action as in `csrfToken` */
export async function requireForm(
  provider: Provider,
  context: OidcContext,
  role: Role,
  action: string,
): Promise<GuardedForm | Response> {
  const guarded = await requireVisitor(provider, context, role)
  if (guarded instanceof Response) return guarded
  const form = await readOwnForm(provider, context, guarded.visitor, action)
  return form instanceof Response ? form : { ...guarded, form }
}
