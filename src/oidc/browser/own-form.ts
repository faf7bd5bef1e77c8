import { isOwnForm } from '../login/csrf.ts'
import type { Visitor } from '../login/visitor.ts'
import type { OidcContext, Provider } from '../provider.ts'
import { readPageForm } from './form.ts'
import { renderFault, renderForeignForm } from './respond.tsx'

/**
 * The form that was posted, if it is one, and ours; otherwise the page that says why not.
 * @param action as in `csrfToken`
 */
export async function readOwnForm(
  provider: Provider,
  context: OidcContext,
  visitor: Visitor | undefined,
  action: string,
): Promise<URLSearchParams | Response> {
  const form = await readPageForm(context)
  if (!form) return renderFault(provider, context, 'bad_form')
  const isOwn = isOwnForm(context, provider, visitor, action, form.get('csrf') ?? undefined)
  return isOwn ? form : renderForeignForm(provider, context)
}
