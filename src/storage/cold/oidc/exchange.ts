/** A code is spent once, and its tokens are stored in the same transaction (OIDC-K9). */
import { and, eq, isNull } from 'drizzle-orm'
import { isCountedFailure, judgeCode } from '../../../domain/grants/judge.ts'
import type { ExchangeOrder, ExchangeOutcome } from '../../../domain/ports/storage-oidc.ts'
import { authorizationCodes } from '../../schema/oidc.ts'
import { update, type Work } from '../work.ts'
import { insertAccess, insertRefresh, revokeFamily } from './family.ts'
import { auditGrant, codeByHash, grantById, isUserDisabled } from './rows.ts'

export function* exchangeOnce(order: ExchangeOrder): Work<ExchangeOutcome> {
  const { now, codeHash, tokens } = order
  const code = yield* codeByHash(codeHash)
  const grant = code && (yield* grantById(code.grantId))
  const refusal = judgeCode(code, order, {
    grantRevoked: grant?.revokedAt !== undefined,
    userDisabled: code !== undefined && (yield* isUserDisabled(code.userId)),
  })
  if (!code || !grant || refusal) {
    if (code && refusal && isCountedFailure(refusal)) {
      yield* update(authorizationCodes, { failures: code.failures + 1 }, eq(authorizationCodes.hash, codeHash))
    }
    if (code && refusal === 'replayed') {
      yield* revokeFamily(code.familyId, now)
      if (grant) yield* auditGrant(grant, { kind: 'code_replayed', at: now, ip: order.ip })
    }
    return { kind: 'refused', reason: refusal ?? 'unknown' }
  }
  const unused = and(eq(authorizationCodes.hash, codeHash), isNull(authorizationCodes.usedAt))
  if (!(yield* update(authorizationCodes, { usedAt: now }, unused))) return { kind: 'refused', reason: 'replayed' }
  const refresh = code.scopes.includes('offline_access')
  yield* insertAccess(code, {
    hash: tokens.accessHash,
    scopes: code.scopes,
    issuedAt: now,
    expiresAt: tokens.accessExpiresAt,
  })
  if (refresh) {
    yield* insertRefresh(code, {
      hash: tokens.refreshHash,
      issuedAt: now,
      expiresAt: Math.min(tokens.refreshExpiresAt, tokens.refreshAbsoluteExpiresAt),
      absoluteExpiresAt: tokens.refreshAbsoluteExpiresAt,
    })
  }
  return { kind: 'issued', code, refresh }
}
