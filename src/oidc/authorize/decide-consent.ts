/** The one decision about an authorization request: sign in, ask, approve or refuse (OIDC-P1 to OIDC-P11). Pure. */

import { covers, needsSelection } from '../../domain/grants/scopes.ts'
import type { Grant } from '../../domain/ports/storage-oidc.ts'
import { UNKNOWN_TIME } from '../login/visitor.ts'
import type { AuthorizationRequest } from './request.ts'

export interface SignedIn {
  readonly userId: string
  /** Milliseconds, or UNKNOWN_TIME. */
  readonly authenticatedAt: number
  /** The user signed in for this request; recorded with it, or prompt=login would ask for ever (OIDC-P6). */
  readonly forThisRequest: boolean
}

export interface Circumstances {
  readonly request: Pick<AuthorizationRequest, 'prompts' | 'maxAgeSeconds' | 'hintUserId' | 'scopes'>
  readonly signedIn?: SignedIn | undefined
  readonly grant?: Pick<Grant, 'scopes' | 'chargePoints' | 'revokedAt'> | undefined
  /** OIDC-K7: the operator wants native applications, which cannot prove who they are, confirmed each time. */
  readonly confirmEachTime: boolean
  readonly now: number
}

export type Decision =
  | { readonly kind: 'login'; readonly reason: 'not_signed_in' | 'prompt' | 'max_age' | 'other_user' }
  | { readonly kind: 'consent'; readonly reason: 'prompt' | 'not_covered' | 'selection' | 'confirm' }
  | { readonly kind: 'approve' }
  | { readonly kind: 'error'; readonly error: 'login_required' | 'consent_required' | 'interaction_required' }

export function decide(circumstances: Circumstances): Decision {
  const { prompts } = circumstances.request
  const next = nextStep(circumstances)
  if (!prompts.includes('none') || next.kind === 'approve' || next.kind === 'error') return next
  if (next.kind === 'login') return { kind: 'error', error: 'login_required' }
  return { kind: 'error', error: next.reason === 'not_covered' ? 'consent_required' : 'interaction_required' }
}

function nextStep({ request, signedIn, grant, confirmEachTime, now }: Circumstances): Decision {
  const login = loginReason(request, signedIn, now)
  // Another user than id_token_hint names: reported to the application, or the sign-in page would come again and again.
  if (login === 'other_user' && signedIn?.forThisRequest) return { kind: 'error', error: 'login_required' }
  if (login) return { kind: 'login', reason: login }
  if (request.prompts.includes('consent')) return { kind: 'consent', reason: 'prompt' }
  // The OIDC-K7 mode and a lost selection are steps of their own, whatever is covered (OIDC-P11).
  if (confirmEachTime) return { kind: 'consent', reason: 'confirm' }
  // Nothing that this user may give (ADMIN-A3).
  if (request.scopes.length === 0) return { kind: 'consent', reason: 'not_covered' }
  if (!grant || grant.revokedAt !== undefined) return { kind: 'consent', reason: 'not_covered' }
  if (needsSelection(request.scopes) && !hasSelection(grant) && needsSelection(grant.scopes)) {
    return { kind: 'consent', reason: 'selection' }
  }
  if (!covers(grant.scopes, request.scopes)) return { kind: 'consent', reason: 'not_covered' }
  return { kind: 'approve' }
}

function loginReason(
  { prompts, maxAgeSeconds, hintUserId }: Circumstances['request'],
  signedIn: SignedIn | undefined,
  now: number,
): 'not_signed_in' | 'prompt' | 'max_age' | 'other_user' | undefined {
  if (!signedIn) return 'not_signed_in'
  if (hintUserId !== undefined && hintUserId !== signedIn.userId) return 'other_user'
  if (signedIn.forThisRequest) return undefined
  if (prompts.includes('login')) return 'prompt'
  if (maxAgeSeconds === undefined) return undefined
  // max_age=0 means prompt=login, also within the millisecond of a sign-in (OIDC-P5).
  const { authenticatedAt } = signedIn
  const isUnsure = maxAgeSeconds === 0 || authenticatedAt === UNKNOWN_TIME
  const tooOld = isUnsure || now - authenticatedAt > maxAgeSeconds * 1000
  return tooOld ? 'max_age' : undefined
}

function hasSelection({ chargePoints }: Pick<Grant, 'chargePoints'>): boolean {
  return chargePoints === 'all' || (chargePoints !== undefined && chargePoints.length > 0)
}
