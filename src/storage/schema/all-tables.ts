import { is } from 'drizzle-orm'
import { SQLiteTable } from 'drizzle-orm/sqlite-core'
import * as accounts from './accounts.ts'
import * as chargePoints from './charge-points.ts'
import * as commands from './commands.ts'
import * as journal from './journal.ts'
import * as oidc from './oidc.ts'
import { RECORD_TABLES as records } from './records.ts'
import * as sessions from './sessions.ts'
import * as webhooks from './webhooks.ts'

/** Every table of a SQLite database. */
export const ALL_TABLES = [accounts, chargePoints, commands, journal, oidc, records, sessions, webhooks]
  .flatMap((module) => Object.values(module) as unknown[])
  .filter((value): value is SQLiteTable => is(value, SQLiteTable))
