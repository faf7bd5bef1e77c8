/** What every request looks up before its own work: all that is asked at once is one statement each. */
import { sql } from 'drizzle-orm'
import type { Reads } from '../../domain/ports/storage.ts'
import { findChargePoints } from '../cold/charge-points.ts'
import { list, type Run, type Work, worded } from '../cold/work.ts'
import { credentials } from '../schema/accounts.ts'
import { gathered } from './connection/gathered.ts'
import { postgresDialect } from './dialect.ts'

const MAX_AT_ONCE = 500

export function gatheredLookUps(run: Run): Pick<Reads, 'findCredential' | 'findChargePoint'> {
  const byId = <Found extends { readonly id: string }>(find: (ids: readonly string[]) => Work<readonly Found[]>) =>
    gathered<string, Found | undefined>(async (ids) => {
      const found = new Map((await run(() => find(ids))).map((one) => [one.id, one]))
      return ids.map((id) => found.get(id))
    }, MAX_AT_ONCE)
  return {
    findCredential: byId((ids) =>
      list(credentials, worded(postgresDialect.among('?', '?'), credentials.id, sql.param(ids))),
    ),
    findChargePoint: byId((ids) => findChargePoints(postgresDialect, ids)),
  }
}
