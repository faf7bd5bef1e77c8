/** A refresh token is spent once, and its successors are stored in the same transaction (OIDC-K9). */
import { and, desc, eq, isNull } from 'drizzle-orm'
import { judgeRefresh } from '../../../domain/grants/judge.ts'
import type { RefreshOrder, RefreshOutcome } from '../../../domain/ports/storage-oidc.ts'
import { accessTokens, grants, loginSessions, refreshTokens } from '../../schema/oidc.ts'
import { find, list, update, type Work } from '../work.ts'
import { insertAccess, insertRefresh, revokeFamily } from './family.ts'
import { auditGrant, grantById, isUserDisabled, refreshByHash } from './rows.ts'

export function* refreshOnce(order: RefreshOrder): Work<RefreshOutcome> {
  const { now, tokenHash, tokens } = order
  const token = yield* refreshByHash(tokenHash)
  const grant = token && (yield* grantById(token.grantId))
  const successor = token?.successorHash === undefined ? undefined : yield* refreshByHash(token.successorHash)
  const judgement = judgeRefresh(token, order, {
    grantRevoked: grant?.revokedAt !== undefined,
    userDisabled: token !== undefined && (yield* isUserDisabled(token.userId)),
    successor,
  })
  if (!token || !grant || (judgement !== 'issue' && judgement !== 'repeat')) {
    if (token && grant && judgement === 'reused') {
      yield* revokeFamily(token.familyId, now)
      yield* update(grants, { reuseSeenAt: now }, eq(grants.id, grant.id))
      yield* auditGrant(grant, { kind: 'refresh_reused', at: now, ip: order.ip })
    }
    return { kind: 'refused', reason: judgement === 'issue' || judgement === 'repeat' ? 'unknown' : judgement }
  }
  const loginSessionLive = yield* isLoginSessionLive(token.sid)
  if (judgement === 'repeat') {
    const ofFamily = eq(accessTokens.familyId, token.familyId)
    const [access] = yield* list(accessTokens, ofFamily, desc(accessTokens.expiresAt))
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
  if (!(yield* update(refreshTokens, spend, unused))) return { kind: 'refused', reason: 'reused' }
  const accessScopes = order.scopes ?? token.scopes
  yield* insertAccess(token, {
    hash: tokens.accessHash,
    scopes: accessScopes,
    issuedAt: now,
    expiresAt: tokens.accessExpiresAt,
  })
  yield* insertRefresh(token, {
    hash: tokens.refreshHash,
    parentHash: tokenHash,
    issuedAt: now,
    expiresAt: Math.min(tokens.refreshExpiresAt, token.absoluteExpiresAt),
    absoluteExpiresAt: token.absoluteExpiresAt,
  })
  yield* update(grants, { lastUsedAt: now, lastIp: order.ip }, eq(grants.id, grant.id))
  return { kind: 'issued', token, accessScopes, accessExpiresAt: tokens.accessExpiresAt, loginSessionLive }
}

function* isLoginSessionLive(sid: string): Work<boolean> {
  const found = yield* find(loginSessions, eq(loginSessions.sid, sid))
  return found !== undefined && found.endedAt === undefined
}
