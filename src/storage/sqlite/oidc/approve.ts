/** Consent: the grant it makes or widens, and the code, stored in one transaction (OIDC-K9). */
import { and, eq, isNull } from 'drizzle-orm'
import { inOrder } from '../../../oidc/scopes.ts'
import type { ApproveOrder, ApproveOutcome, Grant } from '../../../ports/storage-oidc.ts'
import { authorizationCodes, grants, interactions } from '../schema/oidc.ts'
import { auditGrant } from './audit.ts'
import { activeGrant, type Orm } from './rows.ts'

export function approveOnce(db: Orm, order: ApproveOrder): ApproveOutcome {
  const { now, interactionHash, code, mayWiden, ip } = order
  const existing = activeGrant(db, order.grant.userId, order.grant.clientId)
  if (!existing && !mayWiden) return { kind: 'not_covered' }
  if (interactionHash !== undefined) {
    const unspent = and(eq(interactions.idHash, interactionHash), isNull(interactions.spentAt))
    if (db.update(interactions).set({ spentAt: now }).where(unspent).run().changes === 0) return { kind: 'spent' }
  }
  const grant = approvedGrant(db, existing, order)
  db.update(grants).set({ lastUsedAt: now, lastIp: ip }).where(eq(grants.id, grant.id)).run()
  db.insert(authorizationCodes)
    .values({ ...code, grantId: grant.id, failures: 0 })
    .run()
  if (mayWiden) auditGrant(db, grant, { kind: 'consent', at: now, ip })
  return { kind: 'approved', grant }
}

function approvedGrant(db: Orm, existing: Grant | undefined, order: ApproveOrder): Grant {
  if (!existing) return insertGrant(db, order)
  return order.mayWiden ? widenGrant(db, existing, order) : existing
}

function insertGrant(db: Orm, { grant: { newId, ...approved }, now }: ApproveOrder): Grant {
  const grant: Grant = { id: newId, ...approved, scopes: inOrder(approved.scopes), createdAt: now, updatedAt: now }
  db.insert(grants).values(grant).run()
  return grant
}

/** OIDC-C4: scopes are united; the selection is the submitted one if it was asked for. */
function widenGrant(db: Orm, existing: Grant, { grant: { scopes, chargePoints }, now }: ApproveOrder): Grant {
  const change = {
    scopes: inOrder([...existing.scopes, ...scopes]),
    ...(chargePoints !== undefined && { chargePoints }),
    updatedAt: now,
  }
  db.update(grants).set(change).where(eq(grants.id, existing.id)).run()
  return { ...existing, ...change }
}
