import { is } from 'drizzle-orm'
import { SQLiteTable } from 'drizzle-orm/sqlite-core'
import * as accounts from './accounts.ts'
import * as chargePoints from './charge-points.ts'
import * as commands from './commands.ts'
import * as journal from './journal.ts'
import * as oidc from './oidc.ts'
import * as sessions from './sessions.ts'
import * as webhooks from './webhooks.ts'

/** The tables of a SQLite database, but those of records. */
export const ALL_TABLES = [accounts, chargePoints, commands, journal, oidc, sessions, webhooks]
  .flatMap((module) => Object.values(module) as unknown[])
  .filter((value): value is SQLiteTable => is(value, SQLiteTable))
