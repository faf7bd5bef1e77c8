/** The operations that spend something once and issue something for it: decided and stored in one transaction (K9). */
import type { Database } from 'better-sqlite3'
import { and, eq, isNull } from 'drizzle-orm'
import { inOrder } from '../../../oidc/scopes.ts'
import { isCountedFailure, judgeCode } from '../../../oidc/token/judge-code.ts'
import { judgeRefresh } from '../../../oidc/token/judge-refresh.ts'
import type {
  ApproveOrder,
  ApproveOutcome,
  AuthorizationCode,
  ExchangeOrder,
  ExchangeOutcome,
  Grant,
  OidcWrites,
  RefreshOrder,
  RefreshOutcome,
  RefreshToken,
} from '../../oidc-store.ts'
import {
  accessTokens,
  auditEvents,
  authorizationCodes,
  grants,
  interactions,
  loginSessions,
  refreshTokens,
} from '../schema/oidc.ts'
import { activeGrant, codeByHash, grantById, isUserDisabled, type Orm, orm, refreshByHash } from './rows.ts'

type IssuingWrites = Pick<OidcWrites, 'approve' | 'exchangeCode' | 'refreshTokens'>

export function issuingWrites(client: Database): IssuingWrites {
  const db = orm(client)
  const approve = client.transaction((order: ApproveOrder) => approveOnce(db, order))
  const exchange = client.transaction((order: ExchangeOrder) => exchangeOnce(db, order))
  const refresh = client.transaction((order: RefreshOrder) => refreshOnce(db, order))
  return {
    approve: async (order) => approve.immediate(order),
    exchangeCode: async (order) => exchange.immediate(order),
    refreshTokens: async (order) => refresh.immediate(order),
  }
}

function approveOnce(db: Orm, order: ApproveOrder): ApproveOutcome {
  const { now, interactionHash, code, mayWiden, ip } = order
  const existing = activeGrant(db, order.grant.userId, order.grant.clientId)
  if (!existing && !mayWiden) return { kind: 'not_covered' }
  if (interactionHash !== undefined) {
    const unspent = and(eq(interactions.idHash, interactionHash), isNull(interactions.spentAt))
    if (db.update(interactions).set({ spentAt: now }).where(unspent).run().changes === 0) return { kind: 'spent' }
  }
  const grant = !existing ? insertGrant(db, order) : mayWiden ? widenGrant(db, existing, order) : existing
  db.update(grants).set({ lastUsedAt: now, lastIp: ip }).where(eq(grants.id, grant.id)).run()
  db.insert(authorizationCodes)
    .values({ ...code, grantId: grant.id, failures: 0 })
    .run()
  if (mayWiden) audit(db, 'consent', grant, now, ip)
  return { kind: 'approved', grant }
}

function insertGrant(db: Orm, { grant: { newId, ...approved }, now }: ApproveOrder): Grant {
  const grant: Grant = { id: newId, ...approved, scopes: inOrder(approved.scopes), createdAt: now, updatedAt: now }
  db.insert(grants).values(grant).run()
  return grant
}

/** C4: scopes are united; the selection is the submitted one if it was asked for. */
function widenGrant(db: Orm, existing: Grant, { grant: { scopes, chargePoints }, now }: ApproveOrder): Grant {
  const change = {
    scopes: inOrder([...existing.scopes, ...scopes]),
    ...(chargePoints !== undefined && { chargePoints }),
    updatedAt: now,
  }
  db.update(grants).set(change).where(eq(grants.id, existing.id)).run()
  return { ...existing, ...change }
}

function exchangeOnce(db: Orm, order: ExchangeOrder): ExchangeOutcome {
  const { now, codeHash, tokens } = order
  const code = codeByHash(db, codeHash)
  const grant = code && grantById(db, code.grantId)
  const refusal = judgeCode(code, order, {
    grantRevoked: grant?.revokedAt !== undefined,
    userDisabled: code !== undefined && isUserDisabled(db, code.userId),
  })
  if (!code || !grant || refusal) {
    if (code && refusal && isCountedFailure(refusal)) {
      db.update(authorizationCodes)
        .set({ failures: code.failures + 1 })
        .where(eq(authorizationCodes.hash, codeHash))
        .run()
    }
    if (code && refusal === 'replayed') {
      revokeFamily(db, code.familyId, now)
      if (grant) audit(db, 'code_replayed', grant, now, order.ip)
    }
    return { kind: 'refused', reason: refusal ?? 'unknown' }
  }
  const unused = and(eq(authorizationCodes.hash, codeHash), isNull(authorizationCodes.usedAt))
  const [spent] = db.update(authorizationCodes).set({ usedAt: now }).where(unused).returning().all()
  if (!spent) return { kind: 'refused', reason: 'replayed' }
  const refresh = code.scopes.includes('offline_access')
  insertAccess(db, code, {
    hash: tokens.accessHash,
    scopes: code.scopes,
    issuedAt: now,
    expiresAt: tokens.accessExpiresAt,
  })
  if (refresh) {
    insertRefresh(db, code, {
      hash: tokens.refreshHash,
      issuedAt: now,
      expiresAt: Math.min(tokens.refreshExpiresAt, tokens.refreshAbsoluteExpiresAt),
      absoluteExpiresAt: tokens.refreshAbsoluteExpiresAt,
    })
  }
  return { kind: 'issued', code, refresh }
}

function refreshOnce(db: Orm, order: RefreshOrder): RefreshOutcome {
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
      audit(db, 'refresh_reused', grant, now, order.ip)
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

type Origin = Pick<
  AuthorizationCode | RefreshToken,
  'familyId' | 'grantId' | 'clientId' | 'userId' | 'authTime' | 'sid' | 'scopes'
>

function insertAccess(
  db: Orm,
  { familyId, grantId, clientId, userId }: Origin,
  token: { hash: string; scopes: readonly string[]; issuedAt: number; expiresAt: number },
): void {
  db.insert(accessTokens)
    .values({ ...token, familyId, grantId, clientId, userId })
    .run()
}

function insertRefresh(
  db: Orm,
  { familyId, grantId, clientId, userId, authTime, sid, scopes }: Origin,
  token: { hash: string; parentHash?: string; issuedAt: number; expiresAt: number; absoluteExpiresAt: number },
): void {
  db.insert(refreshTokens)
    .values({ ...token, familyId, grantId, clientId, userId, authTime, sid, scopes })
    .run()
}

function latestAccess(db: Orm, familyId: string) {
  const rows = db.select().from(accessTokens).where(eq(accessTokens.familyId, familyId)).all()
  return rows.sort((a, b) => b.expiresAt - a.expiresAt)[0]
}

function isLoginSessionLive(db: Orm, sid: string): boolean {
  const row = db.select().from(loginSessions).where(eq(loginSessions.sid, sid)).get()
  return row?.endedAt === null
}

export function revokeFamily(db: Orm, familyId: string, at: number): void {
  db.update(accessTokens)
    .set({ revokedAt: at })
    .where(and(eq(accessTokens.familyId, familyId), isNull(accessTokens.revokedAt)))
    .run()
  db.update(refreshTokens)
    .set({ revokedAt: at })
    .where(and(eq(refreshTokens.familyId, familyId), isNull(refreshTokens.revokedAt)))
    .run()
}

function audit(
  db: Orm,
  kind: 'consent' | 'code_replayed' | 'refresh_reused',
  { id, accountId, userId, clientId }: Grant,
  at: number,
  ip: string,
): void {
  db.insert(auditEvents).values({ at, kind, accountId, userId, clientId, grantId: id, ip }).run()
}
