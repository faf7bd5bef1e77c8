/** What a principal may do and see: the one place where scopes and shared charge points are enforced. */

import { API_SCOPES, type Scope } from '../../domain/accounts/scopes.ts'
import type { Capability } from '../../domain/ports/capability.ts'
import type { Reads } from '../../domain/ports/storage.ts'
import type { ChargePoint, ChargePointView } from '../../domain/ports/storage-records.ts'
import { foundPages } from '../../domain/selector.ts'
import { notFound, Problem } from '../respond.ts'

export type { Scope } from '../../domain/accounts/scopes.ts'

/** Who may call an endpoint. An API credential without scopes may do everything within its account. */
export type Access =
  | { readonly kind: 'anyone' }
  | AccountOnly
  /** `isAny`: one of them is enough; the endpoint says which one it takes. */
  | { readonly kind: 'scope'; readonly scopes: readonly Scope[]; readonly isAny?: true | undefined }

export interface AccountOnly {
  readonly kind: 'credential'
  /** Code and sentence for applications, where the refusal says more than that it is not for them. */
  readonly refusal?: readonly [code: string, detail: string] | undefined
  /** The scope with which a restricted credential may as well. */
  readonly covered?: Scope | undefined
}

export const anyone: Access = { kind: 'anyone' }
/** Configuration of the account: no scope covers it. */
export const credentialOnly: AccountOnly = { kind: 'credential' }
export const needsScope = (...scopes: readonly Scope[]): Access => ({ kind: 'scope', scopes })

export const needsAnyScope = (scopes: readonly Scope[]): Access => ({ kind: 'scope', scopes, isAny: true })

function isUnrestricted(principal: Principal): boolean {
  return principal.kind === 'credential' && principal.scopes === undefined
}

/** @throws Problem 403 `insufficient_scope` (RFC 6750 §3.1) or `api_credential_required` */
export function permit(principal: Principal, access: Access, challenge: (attributes: string) => string): void {
  if (isUnrestricted(principal) || access.kind === 'anyone') return
  if (access.kind === 'credential') {
    if (principal.kind === 'credential') {
      if (access.covered !== undefined && principal.scopes?.includes(access.covered)) return
      throw uncovered(challenge)
    }
    const [code, detail] = access.refusal ?? [
      'api_credential_required',
      'Only an API credential of the account may do this, no OAuth token.',
    ]
    throw new Problem(403, code, detail)
  }
  // What every application may do with its own grant is, for a credential, everybody's.
  if (principal.kind === 'credential' && access.scopes.length === 0) throw uncovered(challenge)
  const held = principal.scopes ?? []
  const missing = access.scopes.filter((scope) => !held.includes(scope))
  if (missing.length === 0 || (access.isAny && missing.length < access.scopes.length)) return
  const what = principal.kind === 'credential' ? 'API credential' : 'access token'
  throw new Problem(403, 'insufficient_scope', `The ${what} lacks the scope ${missing.join(' ')}.`, {
    headers: { 'www-authenticate': challenge(`error="insufficient_scope", scope="${access.scopes.join(' ')}"`) },
  })
}

function uncovered(challenge: (attributes: string) => string): Problem {
  const detail = 'The API credential is restricted to scopes, and none of them covers this.'
  const headers = { 'www-authenticate': challenge('error="insufficient_scope"') }
  return new Problem(403, 'insufficient_scope', detail, { headers })
}

/** Undefined: an API credential without scopes, which may have a charge point do everything. */
export function capabilitiesOf(principal: Principal): readonly Capability[] | undefined {
  if (isUnrestricted(principal)) return undefined
  const held = principal.scopes ?? []
  return Object.entries(API_SCOPES).flatMap(([scope, covered]) => (held.includes(scope) ? covered : []))
}

export function sees(principal: Principal, chargePoint: { readonly accountId: string; readonly id: string }): boolean {
  if (chargePoint.accountId !== principal.accountId) return false
  return (
    principal.kind === 'credential' ||
    principal.chargePoints === 'all' ||
    principal.chargePoints.includes(chargePoint.id)
  )
}

/** @throws Problem 404, the same for an unknown id, another account's, or one the grant does not share */
export async function visibleChargePoint(
  reads: Pick<Reads, 'findChargePoint'>,
  principal: Principal,
  id: string,
): Promise<ChargePointView> {
  const chargePoint = await reads.findChargePoint(id)
  const isShared = chargePoint && sharedStatuses(principal)?.includes(chargePoint.registrationStatus) !== false
  if (!chargePoint || !isShared || !sees(principal, chargePoint)) throw notFound('charge point')
  return chargePoint
}

/** OIDC-C3: who shares all charge points shares the accepted ones; undefined: any status. */
export function sharedStatuses(principal: Principal): readonly ChargePoint['registrationStatus'][] | undefined {
  return principal.kind === 'token' && principal.chargePoints === 'all' ? ['Accepted'] : undefined
}

/** Ids of charge points that are not shared though all are, for lists that know no more of them than that. */
export async function withheldFrom(
  reads: Pick<Reads, 'findChargePoints'>,
  principal: Principal,
): Promise<ReadonlySet<string>> {
  const withheld = new Set<string>()
  if (!sharedStatuses(principal)) return withheld
  const filter = { registrationStatuses: ['Pending', 'Rejected'] } as const
  for await (const page of foundPages(reads, { accountId: principal.accountId, filter, sort: 'id' })) {
    for (const { view } of page) withheld.add(view.id)
  }
  return withheld
}

/** The charge points a list is restricted to; undefined: all of the account. */
export function sharedChargePoints(principal: Principal): readonly string[] | undefined {
  return principal.kind === 'token' && principal.chargePoints !== 'all' ? principal.chargePoints : undefined
}

export function grantOf(principal: Principal): string | undefined {
  return principal.kind === 'token' ? principal.grantId : undefined
}

interface CredentialPrincipal {
  readonly kind: 'credential'
  readonly accountId: string
  readonly credentialId: string
  /** Absent: everything within its account (ADMIN-B1). */
  readonly scopes?: readonly string[] | undefined
}

export interface TokenPrincipal {
  readonly kind: 'token'
  readonly accountId: string
  readonly userId: string
  readonly clientId: string
  readonly grantId: string
  readonly scopes: readonly string[]
  readonly chargePoints: 'all' | readonly string[]
}

export type Principal = CredentialPrincipal | TokenPrincipal

export type VerifyAccessToken = (token: string) => Promise<TokenPrincipal | undefined>

/** Whose it is what they make: an application acts for itself, whatever else of the account is shared with it. */
export function ownerOf(principal: Principal): { readonly accountId: string; readonly grantId?: string } {
  const { accountId } = principal
  return principal.kind === 'token' ? { accountId, grantId: principal.grantId } : { accountId }
}
