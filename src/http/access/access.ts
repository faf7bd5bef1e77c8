/** What a principal may do and see: the one place where scopes and shared charge points are enforced. */
import type { Capability, SharedCapability } from '../../ports/capability.ts'
import type { ChargePointView, Reads } from '../../ports/storage.ts'
import { notFound, Problem } from '../problem.ts'
import type { Principal } from './principal.ts'

export type Scope = 'sessions:read' | 'chargers:read' | 'chargers:control' | 'webhooks:manage'

/**
 * What a scope lets an application have a charge point do: what its line on the consent page says, and no more
 * (OIDC-C11).
 */
const CAPABILITIES: Readonly<Record<Scope, readonly SharedCapability[]>> = {
  'sessions:read': [],
  'chargers:read': [],
  'chargers:control': ['control'],
  'webhooks:manage': [],
}

/** Who may call an endpoint. An API credential may do everything within its account. */
export type Access =
  | { readonly kind: 'anyone' }
  /** `refusal`: code and sentence for applications, where they are told more than that it is not for them. */
  | { readonly kind: 'credential'; readonly refusal?: readonly [code: string, detail: string] }
  | { readonly kind: 'scope'; readonly scopes: readonly Scope[] }

export const anyone: Access = { kind: 'anyone' }
/** Configuration of the account: no scope covers it. */
export const credentialOnly: Access = { kind: 'credential' }
export const needsScope = (...scopes: readonly Scope[]): Access => ({ kind: 'scope', scopes })

/** @throws Problem 403 `insufficient_scope` (RFC 6750 §3.1) or `api_credential_required` */
export function permit(principal: Principal, access: Access, challenge: (attributes: string) => string): void {
  if (principal.kind === 'credential' || access.kind === 'anyone') return
  if (access.kind === 'credential') {
    const [code, detail] = access.refusal ?? [
      'api_credential_required',
      'Only an API credential of the account may do this, no OAuth token.',
    ]
    throw new Problem(403, code, detail)
  }
  const missing = access.scopes.filter((scope) => !principal.scopes.includes(scope))
  if (missing.length === 0) return
  throw new Problem(403, 'insufficient_scope', `The access token lacks the scope ${missing.join(' ')}.`, {
    headers: { 'www-authenticate': challenge(`error="insufficient_scope", scope="${access.scopes.join(' ')}"`) },
  })
}

/** Undefined: an API credential, which may have a charge point do everything. */
export function capabilitiesOf(principal: Principal): readonly Capability[] | undefined {
  if (principal.kind === 'credential') return undefined
  return Object.entries(CAPABILITIES).flatMap(([scope, covered]) => (principal.scopes.includes(scope) ? covered : []))
}

/** Whether the principal may know of this charge point: its own account's, and shared by the grant. */
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
  if (!chargePoint || !sees(principal, chargePoint)) throw notFound('charge point')
  return chargePoint
}

/** The charge points a list is restricted to; undefined: all of the account. */
export function sharedChargePoints(principal: Principal): readonly string[] | undefined {
  return principal.kind === 'token' && principal.chargePoints !== 'all' ? principal.chargePoints : undefined
}
