/** What of an application's request this visitor may give it (ADMIN-A3). */
import { scopesFor } from '../../domain/accounts/roles.ts'
import type { Client } from '../../domain/ports/storage-oidc.ts'
import type { Visitor } from '../provider.ts'
import type { AuthorizationRequest } from './request.ts'

/** The rest is neither offered nor granted. Whole before the user has signed in. */
export function ofVisitor(
  request: AuthorizationRequest,
  { origin }: Pick<Client, 'origin'>,
  visitor: Visitor | undefined,
): AuthorizationRequest {
  if (!visitor) return request
  const scopes = scopesFor(visitor.user.role, request.scopes, { isSelfRegistered: origin === 'dynamic' })
  return { ...request, scopes }
}
