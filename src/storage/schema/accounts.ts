import { customType, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { Budget, ChargeLimits, IdToken } from '../../domain/ports/id-tokens.ts'
import type { User } from '../../domain/ports/storage-records.ts'

/** Text that compares, sorts and is unique regardless of ASCII case: e-mail addresses, id tokens (TOKEN-Z1). */
export const caselessText = customType<{ data: string; driverData: string }>({
  dataType: () => 'text COLLATE NOCASE',
})

export const accounts = sqliteTable('accounts', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  createdAt: integer('created_at').notNull(),
  automaticSettlement: integer('automatic_settlement', { mode: 'boolean' }).$type<true>(),
})

export const accountId = () =>
  text('account_id')
    .notNull()
    .references(() => accounts.id)

export const users = sqliteTable(
  'users',
  {
    id: text('id').primaryKey(),
    accountId: accountId(),
    email: caselessText('email').notNull().unique(),
    name: text('name'),
    role: text('role').$type<User['role']>().notNull(),
    passwordHash: text('password_hash').notNull(),
    disabledAt: integer('disabled_at'),
    createdAt: integer('created_at').notNull(),
    signInEpoch: integer('sign_in_epoch'),
    breakGlass: integer('break_glass', { mode: 'boolean' }).$type<true>(),
  },
  (table) => [index('users_account').on(table.accountId)],
)

export const userId = () =>
  text('user_id')
    .notNull()
    .references(() => users.id)

export const identities = sqliteTable(
  'identities',
  {
    issuer: text('issuer').notNull(),
    subject: text('subject').notNull(),
    userId: userId(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.issuer, table.subject] }),
    uniqueIndex('identities_user').on(table.userId, table.issuer),
  ],
)

export const credentials = sqliteTable(
  'credentials',
  {
    id: text('id').primaryKey(),
    accountId: accountId(),
    name: text('name').notNull(),
    secretHash: text('secret_hash').notNull(),
    scopes: text('scopes', { mode: 'json' }).$type<readonly string[]>(),
    createdAt: integer('created_at').notNull(),
    expiresAt: integer('expires_at'),
    revokedAt: integer('revoked_at'),
    lastUsedAt: integer('last_used_at'),
  },
  (table) => [index('credentials_account').on(table.accountId)],
)

export const idTokens = sqliteTable(
  'id_tokens',
  {
    accountId: accountId(),
    id: caselessText('id').notNull(),
    type: text('type').notNull(),
    status: text('status').$type<IdToken['status']>().notNull(),
    expiresAt: integer('expires_at'),
    groupId: text('group_id'),
    createdAt: integer('created_at').notNull(),
    sessionLimits: text('session_limits', { mode: 'json' }).$type<ChargeLimits>(),
    budget: text('budget', { mode: 'json' }).$type<Budget>(),
    priority: integer('priority'),
    language: text('language'),
    tariffId: text('tariff_id'),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.id] })],
)

export const passwordLinks = sqliteTable(
  'password_links',
  {
    hash: text('hash').primaryKey(),
    userId: userId(),
    createdAt: integer('created_at').notNull(),
    expiresAt: integer('expires_at').notNull(),
    usedAt: integer('used_at'),
  },
  (table) => [index('password_links_user').on(table.userId)],
)

export const secondFactors = sqliteTable('second_factors', {
  userId: text('user_id')
    .primaryKey()
    .references(() => users.id),
  sealedSecret: text('sealed_secret').notNull(),
  recoveryHashes: text('recovery_hashes', { mode: 'json' }).$type<readonly string[]>().notNull(),
  confirmedAt: integer('confirmed_at'),
  lastStep: integer('last_step').notNull(),
})
