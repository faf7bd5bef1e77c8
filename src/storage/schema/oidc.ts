/** The OpenID Connect provider: clients, sign-ins, grants, codes, tokens, keys. Secrets only as hashes or encrypted. */

import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import * as kept from '../../domain/grants/records.ts'
import { accountId, accounts, userId } from './accounts.ts'
import { tableColumns } from './field-columns.ts'

export const oauthClients = sqliteTable(
  'oauth_clients',
  {
    ...tableColumns(kept.clients),
    id: text('id').primaryKey(),
    accountId: text('account_id').references(() => accounts.id),
  },
  (table) => [index('oauth_clients_account').on(table.accountId)],
)

export const oauthClientSecrets = sqliteTable(
  'oauth_client_secrets',
  {
    ...tableColumns(kept.clientSecrets),
    id: text('id').primaryKey(),
    clientId: text('client_id').notNull(),
  },
  (table) => [index('oauth_client_secrets_client').on(table.clientId)],
)

export const loginSessions = sqliteTable(
  'login_sessions',
  {
    ...tableColumns(kept.loginSessions),
    idHash: text('id_hash').primaryKey(),
    sid: text('sid').notNull().unique(),
    userId: userId(),
  },
  (table) => [index('login_sessions_user').on(table.userId)],
)

export const interactions = sqliteTable(
  'interactions',
  {
    ...tableColumns(kept.interactions),
    idHash: text('id_hash').primaryKey(),
  },
  (table) => [index('interactions_expiry').on(table.expiresAt)],
)

export const grants = sqliteTable(
  'grants',
  {
    ...tableColumns(kept.grants),
    id: text('id').primaryKey(),
    accountId: accountId(),
    userId: userId(),
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
    ...tableColumns(kept.authorizationCodes),
    hash: text('hash').primaryKey(),
    grantId: grantId(),
  },
  (table) => [index('authorization_codes_expiry').on(table.expiresAt)],
)

export const accessTokens = sqliteTable(
  'access_tokens',
  {
    ...tableColumns(kept.accessTokens),
    hash: text('hash').primaryKey(),
    grantId: grantId(),
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
    ...tableColumns(kept.refreshTokens),
    hash: text('hash').primaryKey(),
    grantId: grantId(),
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
    ...tableColumns(kept.auditEvents),
    id: integer('id').primaryKey(),
  },
  (table) => [
    index('audit_events_account').on(table.accountId, table.id),
    index('audit_events_actor').on(table.accountId, table.actor, table.id),
    index('audit_events_at').on(table.at),
    index('audit_events_ordered').on(table.outcome).where(sql`${table.outcome} = 'ordered'`),
  ],
)
