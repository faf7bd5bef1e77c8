/** A refresh token is spent once, and its successors are stored in the same transaction (OIDC-K9). */
import { and, eq, isNull } from 'drizzle-orm'
import { judgeRefresh } from '../../../oidc/token/judge-refresh.ts'
import type { RefreshOrder, RefreshOutcome } from '../../../ports/storage-oidc.ts'
import { accessTokens, grants, loginSessions, refreshTokens } from '../schema/oidc.ts'
import { auditGrant } from './audit.ts'
import { insertAccess, insertRefresh, revokeFamily } from './family.ts'
import { grantById, isUserDisabled, type Orm, refreshByHash } from './rows.ts'

export function refreshOnce(db: Orm, order: RefreshOrder): RefreshOutcome {
  const { now, tokenHash, tokens } = order
  const token = refreshByHash(db, tokenHash)
  const grant = token && grantById(db, token.grantId)
  const successor = token?.successorHash === undefined ? undefined : refreshByHash(db, token.successorHash)
  const judgement = judgeRefresh(token, order, {
    grantRevoked: grant?.revokedAt !== undefined,
    userDisabled: token !== undefined && isUserDisabled(db, token.userId),
    ...(successor && { successor }),
  })
  if (!token || !grant || (judgement !== 'issue' && judgement !== 'repeat')) {
    if (token && grant && judgement === 'reused') {
      revokeFamily(db, token.familyId, now)
      db.update(grants).set({ reuseSeenAt: now }).where(eq(grants.id, grant.id)).run()
      auditGrant(db, grant, { kind: 'refresh_reused', at: now, ip: order.ip })
    }
    return { kind: 'refused', reason: judgement === 'issue' || judgement === 'repeat' ? 'unknown' : judgement }
  }
  const loginSessionLive = isLoginSessionLive(db, token.sid)
  if (judgement === 'repeat') {
    const access = latestAccess(db, token.familyId)
    return {
      kind: 'repeated',
      token,
      accessScopes: access?.scopes ?? token.scopes,
      accessExpiresAt: access?.expiresAt ?? now,
      loginSessionLive,
    }
  }
  const unused = and(eq(refreshTokens.hash, tokenHash), isNull(refreshTokens.usedAt))
  const spend = { usedAt: now, successorHash: tokens.refreshHash, sealedPair: order.sealedPair ?? null }
  const [spent] = db.update(refreshTokens).set(spend).where(unused).returning().all()
  if (!spent) return { kind: 'refused', reason: 'reused' }
  const accessScopes = order.scopes ?? token.scopes
  insertAccess(db, token, {
    hash: tokens.accessHash,
    scopes: accessScopes,
    issuedAt: now,
    expiresAt: tokens.accessExpiresAt,
  })
  insertRefresh(db, token, {
    hash: tokens.refreshHash,
    parentHash: tokenHash,
    issuedAt: now,
    expiresAt: Math.min(tokens.refreshExpiresAt, token.absoluteExpiresAt),
    absoluteExpiresAt: token.absoluteExpiresAt,
  })
  db.update(grants).set({ lastUsedAt: now, lastIp: order.ip }).where(eq(grants.id, grant.id)).run()
  return { kind: 'issued', token, accessScopes, accessExpiresAt: tokens.accessExpiresAt, loginSessionLive }
}

function latestAccess(db: Orm, familyId: string) {
  const rows = db.select().from(accessTokens).where(eq(accessTokens.familyId, familyId)).all()
  return rows.sort((a, b) => b.expiresAt - a.expiresAt)[0]
}

function isLoginSessionLive(db: Orm, sid: string): boolean {
  const row = db.select().from(loginSessions).where(eq(loginSessions.sid, sid)).get()
  return row?.endedAt === null
}
