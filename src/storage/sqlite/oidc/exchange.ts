/** A code is spent once, and its tokens are stored in the same transaction (OIDC-K9). */
import { and, eq, isNull } from 'drizzle-orm'
import { isCountedFailure, judgeCode } from '../../../oidc/token/judge-code.ts'
import type { ExchangeOrder, ExchangeOutcome } from '../../../ports/storage-oidc.ts'
import { authorizationCodes } from '../schema/oidc.ts'
import { auditGrant } from './audit.ts'
import { insertAccess, insertRefresh, revokeFamily } from './family.ts'
import { codeByHash, grantById, isUserDisabled, type Orm } from './rows.ts'

export function exchangeOnce(db: Orm, order: ExchangeOrder): ExchangeOutcome {
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
      if (grant) auditGrant(db, grant, { kind: 'code_replayed', at: now, ip: order.ip })
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
