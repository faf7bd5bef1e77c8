import { and, desc, eq, gt, isNull, lt, notExists, or, type SQL, sql } from 'drizzle-orm'
import { isCountedFailure, judgeCode, judgeRefresh } from '../../../domain/grants/judge.ts'
import { inOrder } from '../../../domain/grants/scopes.ts'
import type {
  AccessToken,
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
} from '../../../domain/ports/storage-oidc.ts'
import {
  accessTokens,
  authorizationCodes,
  grants,
  interactions,
  loginSessions,
  oauthClientSecrets,
  oauthClients,
  refreshTokens,
} from '../../schema/oidc.ts'
import { keepEvent } from '../audit.ts'
import { writeRecord } from '../records.ts'
import { build, find, insert, list, type Operations, remove, update, updated, value, type Work } from '../work.ts'
import { activeGrant, auditGrant, codeByHash, grantById, isUserDisabled, refreshByHash } from './reads.ts'

/** A refresh token is spent once, and its successors are stored in the same transaction (OIDC-K9). */
function* refreshOnce(order: RefreshOrder): Work<RefreshOutcome> {
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

/** A code is spent once, and its tokens are stored in the same transaction (OIDC-K9). */
function* exchangeOnce(order: ExchangeOrder): Work<ExchangeOutcome> {
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

/** Consent: stores the created or widened grant and the code in one transaction (OIDC-K9). */
function* approveOnce(order: ApproveOrder): Work<ApproveOutcome> {
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

export const grantWrites = {
  approve: approveOnce,
  exchangeCode: exchangeOnce,
  refreshTokens: refreshOnce,
  *revokeToken(hash, clientId, at) {
    const refreshToken = yield* refreshByHash(hash)
    if (refreshToken) {
      if (refreshToken.clientId !== clientId || refreshToken.revokedAt !== undefined) return undefined
      yield* revokeFamily(refreshToken.familyId, at)
      return { kind: 'refresh', grantId: refreshToken.grantId }
    }
    const own = and(eq(accessTokens.hash, hash), eq(accessTokens.clientId, clientId), isNull(accessTokens.revokedAt))
    const access = yield* updated(accessTokens, { revokedAt: at }, own)
    return access && { kind: 'access', grantId: access.grantId }
  },
  revokeGrant: (id, at) => update(grants, { revokedAt: at, updatedAt: at }, active(id)),
  selectChargePoints: (id, chargePoints, at) => update(grants, { chargePoints, updatedAt: at }, active(id)),
  *touchGrant(id, at) {
    yield* update(grants, { lastUsedAt: at }, eq(grants.id, id))
  },
} satisfies Partial<Operations<OidcWrites>>

function active(id: string): SQL | undefined {
  return and(eq(grants.id, id), isNull(grants.revokedAt))
}

/** The tokens issued from one code: a family, which ends together. */
type Origin = Pick<
  AuthorizationCode | RefreshToken,
  'familyId' | 'grantId' | 'clientId' | 'userId' | 'authTime' | 'sid' | 'scopes'
>

function* insertAccess(
  { familyId, grantId, clientId, userId }: Origin,
  token: Omit<AccessToken, Exclude<keyof Origin, 'scopes'>>,
): Work<void> {
  yield* insert(accessTokens, { ...token, familyId, grantId, clientId, userId })
}

function* insertRefresh(
  { familyId, grantId, clientId, userId, authTime, sid, scopes }: Origin,
  token: Omit<RefreshToken, keyof Origin>,
): Work<void> {
  yield* insert(refreshTokens, { ...token, familyId, grantId, clientId, userId, authTime, sid, scopes })
}

function* revokeFamily(familyId: string, at: number): Work<void> {
  for (const table of [accessTokens, refreshTokens]) {
    yield* update(table, { revokedAt: at }, and(eq(table.familyId, familyId), isNull(table.revokedAt)))
  }
}

export const upkeepWrites = {
  *createSigningKey(key, onlyFirst) {
    if (onlyFirst && (yield* value('SELECT 1 FROM signing_keys LIMIT 1')) !== undefined) return false
    yield* writeRecord({ kind: 'signing_keys', put: key })
    return true
  },
  audit: keepEvent,
  *deleteExpiredOidc(now, keptMs) {
    const before = now - keptMs
    return (
      (yield* remove(authorizationCodes, lt(authorizationCodes.expiresAt, before))) +
      (yield* remove(accessTokens, lt(accessTokens.expiresAt, before))) +
      (yield* remove(refreshTokens, lt(refreshTokens.expiresAt, before))) +
      (yield* remove(interactions, lt(interactions.expiresAt, now))) +
      (yield* remove(loginSessions, lt(loginSessions.endedAt, before)))
    )
  },
} satisfies Partial<Operations<OidcWrites>>

export const clientWrites = {
  *createClient({ secrets, ...client }) {
    yield* insert(oauthClients, client)
    for (const secret of secrets) yield* insert(oauthClientSecrets, { ...secret, clientId: client.id })
  },
  updateClient: (id, change) => update(oauthClients, { id, ...change }, eq(oauthClients.id, id)),
  *deleteClient(id, at) {
    yield* update(grants, { revokedAt: at }, and(eq(grants.clientId, id), isNull(grants.revokedAt)))
    yield* remove(oauthClientSecrets, eq(oauthClientSecrets.clientId, id))
    return (yield* remove(oauthClients, eq(oauthClients.id, id))) === 1
  },
  *addClientSecret(clientId, secret, othersExpireAt) {
    if (!(yield* find(oauthClients, eq(oauthClients.id, clientId)))) return false
    const later = or(isNull(oauthClientSecrets.expiresAt), sql`${oauthClientSecrets.expiresAt} > ${othersExpireAt}`)
    const others = and(eq(oauthClientSecrets.clientId, clientId), later)
    yield* update(oauthClientSecrets, { expiresAt: othersExpireAt }, others)
    yield* insert(oauthClientSecrets, { ...secret, clientId })
    return true
  },
  deleteUnusedClients(before) {
    const approved = build.select().from(grants).where(eq(grants.clientId, oauthClients.id))
    const unused = and(eq(oauthClients.origin, 'dynamic'), lt(oauthClients.createdAt, before), notExists(approved))
    return remove(oauthClients, unused)
  },
} satisfies Partial<Operations<OidcWrites>>

export const loginWrites = {
  createLoginSession: (session) => insert(loginSessions, session),
  *touchLoginSession(idHash, at) {
    yield* update(loginSessions, { lastSeenAt: at }, eq(loginSessions.idHash, idHash))
  },
  endLoginSession: (idHash, at) =>
    update(loginSessions, { endedAt: at }, and(eq(loginSessions.idHash, idHash), isNull(loginSessions.endedAt))),
  endLoginSessionOfUser: (userId, sid, at) => {
    const live = and(eq(loginSessions.userId, userId), eq(loginSessions.sid, sid), isNull(loginSessions.endedAt))
    return update(loginSessions, { endedAt: at }, live)
  },
  createInteraction: (interaction) => insert(interactions, interaction),
  claimInteraction: (idHash, at) => {
    const waiting = and(
      eq(interactions.idHash, idHash),
      isNull(interactions.browserHash),
      isNull(interactions.spentAt),
      gt(interactions.expiresAt, at),
    )
    return updated(interactions, { spentAt: at }, waiting)
  },
  updateInteraction: (idHash, change) =>
    update(interactions, { idHash, ...change }, and(eq(interactions.idHash, idHash), isNull(interactions.spentAt))),
} satisfies Partial<Operations<OidcWrites>>
