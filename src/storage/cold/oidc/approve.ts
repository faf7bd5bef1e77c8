/** Consent: stores the created or widened grant and the code in one transaction (OIDC-K9). */
import { and, eq, isNull } from 'drizzle-orm'
import { inOrder } from '../../../domain/grants/scopes.ts'
import type { ApproveOrder, ApproveOutcome, Grant } from '../../../domain/ports/storage-oidc.ts'
import { authorizationCodes, grants, interactions } from '../../schema/oidc.ts'
import { insert, update, type Work } from '../work.ts'
import { activeGrant, auditGrant } from './rows.ts'

export function* approveOnce(order: ApproveOrder): Work<ApproveOutcome> {
  const { now, interactionHash, code, mayWiden, ip } = order
  const existing = yield* activeGrant(order.grant.userId, order.grant.clientId)
  if (!existing && !mayWiden) return { kind: 'not_covered' }
  if (interactionHash !== undefined) {
    const unspent = and(eq(interactions.idHash, interactionHash), isNull(interactions.spentAt))
    if (!(yield* update(interactions, { spentAt: now }, unspent))) return { kind: 'spent' }
  }
  const grant = yield* approvedGrant(existing, order)
  yield* update(grants, { lastUsedAt: now, lastIp: ip }, eq(grants.id, grant.id))
  yield* insert(authorizationCodes, { ...code, grantId: grant.id, failures: 0 })
  if (mayWiden) yield* auditGrant(grant, { kind: 'consent', at: now, ip })
  return { kind: 'approved', grant }
}

function* approvedGrant(existing: Grant | undefined, order: ApproveOrder): Work<Grant> {
  if (!existing) return yield* insertGrant(order)
  return order.mayWiden ? yield* widenGrant(existing, order) : existing
}

function* insertGrant({ grant: { newId, ...approved }, now }: ApproveOrder): Work<Grant> {
  const grant: Grant = { id: newId, ...approved, scopes: inOrder(approved.scopes), createdAt: now, updatedAt: now }
  yield* insert(grants, grant)
  return grant
}

/** OIDC-C4: scopes are united; the selection is the submitted one if it was asked for. */
function* widenGrant(existing: Grant, { grant: { scopes, chargePoints }, now }: ApproveOrder): Work<Grant> {
  const change = {
    scopes: inOrder([...existing.scopes, ...scopes]),
    chargePoints: chargePoints ?? existing.chargePoints,
    updatedAt: now,
  }
  yield* update(grants, change, eq(grants.id, existing.id))
  return { ...existing, ...change }
}
