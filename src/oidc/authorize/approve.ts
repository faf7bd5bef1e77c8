import type { Client, Selection } from '../../domain/ports/storage-oidc.ts'
import { seeOther } from '../../web/respond.tsx'
import { hashOf, newId, newSecret } from '../oidc-secrets.ts'
import { addressOf, type OidcContext, type Provider, type Visitor } from '../provider.ts'
import { answerLocation } from '../redirect/location.ts'
import type { AuthorizationRequest, AuthorizeError } from './request.ts'

interface Approval {
  readonly request: AuthorizationRequest
  readonly client: Pick<Client, 'id'>
  readonly visitor: Visitor
  /** Approved and requested: what the tokens of this code may carry (OIDC-C2). */
  readonly scopes: readonly string[]
  /** Absent: the user was not asked, the grant's selection stays. */
  readonly chargePoints?: Selection | undefined
  readonly interactionHash?: string | undefined
  /** The user said yes just now; without that an active grant must cover the request. */
  readonly mayWiden: boolean
}

/** @returns the code; `spent` when the page was used before, `not_covered` when the grant is gone meanwhile */
export async function approve(
  provider: Provider,
  context: OidcContext,
  { request, client, visitor, scopes, chargePoints, interactionHash, mayWiden }: Approval,
): Promise<{ readonly code: string } | 'spent' | 'not_covered'> {
  const { writes, now, random, config } = provider
  const code = newSecret('plain', random)
  const at = now()
  const freshId = newId(random)
  const outcome = await writes.approve({
    now: at,
    interactionHash,
    grant: {
      newId: freshId,
      accountId: visitor.user.accountId,
      userId: visitor.user.id,
      clientId: client.id,
      scopes,
      chargePoints,
    },
    code: {
      hash: hashOf(code),
      familyId: newId(random),
      clientId: client.id,
      userId: visitor.user.id,
      redirectUri: request.redirectUri,
      scopes,
      codeChallenge: request.codeChallenge,
      nonce: request.nonce,
      authTime: visitor.session.authenticatedAt,
      sid: visitor.session.sid,
      createdAt: at,
      expiresAt: at + config.codeTtlSeconds * 1000,
    },
    mayWiden,
    ip: addressOf(provider, context),
  })
  if (outcome.kind !== 'approved') return outcome.kind
  // With a new grant nothing was ordered yet.
  const { id } = outcome.grant
  if (chargePoints !== undefined && id !== freshId) await provider.grantChanged?.(id)
  return { code }
}

/** Answers that go to the application, with `iss` against mix-ups (OIDC-A12). */
export function answerApplication(
  provider: Provider,
  context: OidcContext,
  { redirectUri, state }: Pick<AuthorizationRequest, 'redirectUri' | 'state'>,
  answer: Readonly<Record<string, string>>,
): Response {
  const parameters = { ...answer, ...(state !== undefined && { state }), iss: provider.issuer }
  return seeOther(provider, context, answerLocation(redirectUri, parameters))
}

export function answerError(
  provider: Provider,
  context: OidcContext,
  request: Pick<AuthorizationRequest, 'redirectUri' | 'state'>,
  error: AuthorizeError,
  description: string,
): Response {
  return answerApplication(provider, context, request, { error, error_description: description })
}
