/** Who asks about grants (OIDC-C9): an account's key, an application with its token, or a user at the dashboard. */
import type { Principal } from '../../api/access/principal.ts'
import { Problem } from '../../api/problem.ts'
import type { Grant } from '../../domain/ports/storage-oidc.ts'
import { cameFromHere, csrfToken, isOwnToken } from '../../web/csrf.ts'
import type { OidcContext, Provider, Visitor } from '../provider.ts'

export type Caller =
  | { readonly kind: 'principal'; readonly principal: Principal }
  | { readonly kind: 'visitor'; readonly visitor: Visitor }

const CSRF_ACTION = 'grants api'

/** The cookie counts only where the request comes from our own origin and carries no other credential. */
export async function callerOf(
  provider: Provider,
  context: OidcContext,
  byBearer: () => Promise<Principal>,
): Promise<Caller> {
  if (context.req.header('authorization') === undefined && cameFromHere(context, provider)) {
    const visitor = await provider.findVisitor(context)
    if (visitor) {
      requireCsrf(provider, context, visitor)
      return { kind: 'visitor', visitor }
    }
  }
  return { kind: 'principal', principal: await byBearer() }
}

/** The browser sends the cookie with any request; the header it sends only for scripts of our own origin. */
function requireCsrf(provider: Provider, context: OidcContext, visitor: Visitor): void {
  if (['GET', 'HEAD'].includes(context.req.method)) return
  if (!isOwnToken(context, provider, visitor, CSRF_ACTION, context.req.header('x-csrf-token'))) {
    throw new Problem(403, 'csrf_token_required', 'Send the X-CSRF-Token that a GET of this address answers with.')
  }
}

export function headersFor(provider: Provider, context: OidcContext, caller: Caller): Readonly<Record<string, string>> {
  return {
    'cache-control': 'no-store',
    ...(caller.kind === 'visitor' && { 'x-csrf-token': csrfToken(context, provider, caller.visitor, CSRF_ACTION) }),
  }
}

export function isVisible(caller: Caller, grant: Grant): boolean {
  if (caller.kind === 'visitor') return grant.userId === caller.visitor.user.id
  const { principal } = caller
  return principal.kind === 'token' ? grant.id === principal.grantId : grant.accountId === principal.accountId
}
