import { customType, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import * as kept from '../../domain/accounts/records.ts'
import { tableColumns } from './field-columns.ts'

/** Text that compares, sorts and is unique regardless of ASCII case: e-mail addresses, id tokens (TOKEN-Z1). */
export const caselessText = customType<{ data: string; driverData: string }>({
  dataType: () => 'text COLLATE NOCASE',
})

export const accounts = sqliteTable('accounts', {
  ...tableColumns(kept.accounts),
  id: text('id').primaryKey(),
})

export const accountId = () =>
  text('account_id')
    .notNull()
    .references(() => accounts.id)

export const users = sqliteTable(
  'users',
  {
    ...tableColumns(kept.users),
    id: text('id').primaryKey(),
    accountId: accountId(),
    email: caselessText('email').notNull().unique(),
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
    ...tableColumns(kept.credentials),
    id: text('id').primaryKey(),
    accountId: accountId(),
  },
  (table) => [index('credentials_account').on(table.accountId)],
)

export const idTokens = sqliteTable(
  'id_tokens',
  {
    ...tableColumns(kept.idTokens),
    accountId: accountId(),
    id: caselessText('id').notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.id] })],
)

export const passwordLinks = sqliteTable(
  'password_links',
  {
    ...tableColumns(kept.passwordLinks),
    hash: text('hash').primaryKey(),
    userId: userId(),
  },
  (table) => [index('password_links_user').on(table.userId)],
)

export const secondFactors = sqliteTable('second_factors', {
  ...tableColumns(kept.secondFactors),
  userId: text('user_id')
    .primaryKey()
    .references(() => users.id),
})
