/** The OpenID Connect provider: clients, sign-ins, grants, codes, tokens, keys. Secrets only as hashes or encrypted. */

import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { AuditOutcome, Client, Selection } from '../../domain/ports/storage-oidc-records.ts'
import { accountId, accounts, userId } from './accounts.ts'

const list = (name: string) => text(name, { mode: 'json' }).$type<readonly string[]>().notNull()

export const oauthClients = sqliteTable(
  'oauth_clients',
  {
    id: text('id').primaryKey(),
    accountId: text('account_id').references(() => accounts.id),
    kind: text('kind').$type<Client['kind']>().notNull(),
    applicationType: text('application_type').$type<Client['applicationType']>().notNull(),
    name: text('name').notNull(),
    redirectUris: list('redirect_uris'),
    postLogoutRedirectUris: list('post_logout_redirect_uris'),
    scopes: list('scopes'),
    grantTypes: list('grant_types'),
    origin: text('origin').$type<Client['origin']>().notNull(),
    resourceServer: integer('resource_server', { mode: 'boolean' }),
    links: text('links', { mode: 'json' }).$type<Readonly<Record<string, string>>>().notNull(),
    registrationTokenHash: text('registration_token_hash'),
    disabledAt: integer('disabled_at'),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [index('oauth_clients_account').on(table.accountId)],
)

export const oauthClientSecrets = sqliteTable(
  'oauth_client_secrets',
  {
    id: text('id').primaryKey(),
    clientId: text('client_id').notNull(),
    hash: text('hash').notNull(),
    createdAt: integer('created_at').notNull(),
    expiresAt: integer('expires_at'),
  },
  (table) => [index('oauth_client_secrets_client').on(table.clientId)],
)

export const loginSessions = sqliteTable(
  'login_sessions',
  {
    idHash: text('id_hash').primaryKey(),
    sid: text('sid').notNull().unique(),
    userId: userId(),
    authenticatedAt: integer('authenticated_at').notNull(),
    createdAt: integer('created_at').notNull(),
    lastSeenAt: integer('last_seen_at').notNull(),
    passwordMark: text('password_mark').notNull(),
    ip: text('ip').notNull(),
    userAgent: text('user_agent').notNull(),
    endedAt: integer('ended_at'),
  },
  (table) => [index('login_sessions_user').on(table.userId)],
)

export const interactions = sqliteTable(
  'interactions',
  {
    idHash: text('id_hash').primaryKey(),
    browserHash: text('browser_hash'),
    clientId: text('client_id').notNull(),
    request: text('request').notNull(),
    userId: text('user_id'),
    loggedInAt: integer('logged_in_at'),
    createdAt: integer('created_at').notNull(),
    expiresAt: integer('expires_at').notNull(),
    spentAt: integer('spent_at'),
  },
  (table) => [index('interactions_expiry').on(table.expiresAt)],
)

export const grants = sqliteTable(
  'grants',
  {
    id: text('id').primaryKey(),
    accountId: accountId(),
    userId: userId(),
    clientId: text('client_id').notNull(),
    scopes: list('scopes'),
    chargePoints: text('charge_points', { mode: 'json' }).$type<Selection>(),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
    revokedAt: integer('revoked_at'),
    lastUsedAt: integer('last_used_at'),
    lastIp: text('last_ip'),
    reuseSeenAt: integer('reuse_seen_at'),
  },
  (table) => [
    uniqueIndex('grants_active').on(table.userId, table.clientId).where(sql`revoked_at IS NULL`),
    index('grants_account').on(table.accountId),
    index('grants_client').on(table.clientId),
  ],
)

const grantId = () =>
  text('grant_id')
    .notNull()
    .references(() => grants.id)

export const authorizationCodes = sqliteTable(
  'authorization_codes',
  {
    hash: text('hash').primaryKey(),
    familyId: text('family_id').notNull(),
    grantId: grantId(),
    clientId: text('client_id').notNull(),
    userId: text('user_id').notNull(),
    redirectUri: text('redirect_uri').notNull(),
    scopes: list('scopes'),
    codeChallenge: text('code_challenge').notNull(),
    nonce: text('nonce'),
    authTime: integer('auth_time').notNull(),
    sid: text('sid').notNull(),
    createdAt: integer('created_at').notNull(),
    expiresAt: integer('expires_at').notNull(),
    usedAt: integer('used_at'),
    failures: integer('failures').notNull(),
  },
  (table) => [index('authorization_codes_expiry').on(table.expiresAt)],
)

export const accessTokens = sqliteTable(
  'access_tokens',
  {
    hash: text('hash').primaryKey(),
    familyId: text('family_id').notNull(),
    grantId: grantId(),
    clientId: text('client_id').notNull(),
    userId: text('user_id').notNull(),
    scopes: list('scopes'),
    issuedAt: integer('issued_at').notNull(),
    expiresAt: integer('expires_at').notNull(),
    revokedAt: integer('revoked_at'),
    /** RFC 9449, not used yet. */
    jkt: text('jkt'),
  },
  (table) => [
    index('access_tokens_family').on(table.familyId),
    index('access_tokens_expiry').on(table.expiresAt),
    index('access_tokens_grant').on(table.grantId),
  ],
)

export const refreshTokens = sqliteTable(
  'refresh_tokens',
  {
    hash: text('hash').primaryKey(),
    familyId: text('family_id').notNull(),
    parentHash: text('parent_hash'),
    grantId: grantId(),
    clientId: text('client_id').notNull(),
    userId: text('user_id').notNull(),
    scopes: list('scopes'),
    authTime: integer('auth_time').notNull(),
    sid: text('sid').notNull(),
    issuedAt: integer('issued_at').notNull(),
    expiresAt: integer('expires_at').notNull(),
    absoluteExpiresAt: integer('absolute_expires_at').notNull(),
    usedAt: integer('used_at'),
    successorHash: text('successor_hash'),
    sealedPair: text('sealed_pair'),
    revokedAt: integer('revoked_at'),
    /** RFC 9449, not used yet. */
    jkt: text('jkt'),
  },
  (table) => [
    index('refresh_tokens_family').on(table.familyId),
    index('refresh_tokens_expiry').on(table.expiresAt),
    index('refresh_tokens_grant').on(table.grantId),
  ],
)

export const auditEvents = sqliteTable(
  'audit_events',
  {
    id: integer('id').primaryKey(),
    at: integer('at').notNull(),
    kind: text('kind').notNull(),
    accountId: text('account_id'),
    userId: text('user_id'),
    clientId: text('client_id'),
    grantId: text('grant_id'),
    ip: text('ip'),
    actor: text('actor'),
    role: text('role'),
    subject: text('subject'),
    outcome: text('outcome').$type<AuditOutcome>(),
  },
  (table) => [
    index('audit_events_account').on(table.accountId, table.id),
    index('audit_events_actor').on(table.accountId, table.actor, table.id),
    index('audit_events_at').on(table.at),
    index('audit_events_ordered').on(table.outcome).where(sql`${table.outcome} = 'ordered'`),
  ],
)
