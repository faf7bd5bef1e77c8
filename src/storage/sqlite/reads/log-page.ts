/** A search in one go: caller, charge point, newest row, page and total (SEARCH-Q14). */
import type { Database } from 'better-sqlite3'
import type { LogReads } from '../../../domain/ports/storage.ts'
import type { InSteps } from '../../../threads/turns.ts'
import { openPage, type PageOwner } from '../../rows/log-page.ts'
import { newestCommand } from './log-query.ts'
import type { Stopwatch } from './slices.ts'

export function logPageSteps(
  db: Database,
  { searchCommands, countCommands }: Pick<InSteps<LogReads>, 'searchCommands' | 'countCommands'>,
  stopwatch: Stopwatch,
): InSteps<LogReads>['readLogPage'] {
  const credentialOf = db.prepare<[string], NonNullable<PageOwner['credential']>>(
    `SELECT account_id AS accountId, secret_hash AS secretHash, expires_at AS expiresAt, revoked_at AS revokedAt, scopes
     FROM credentials WHERE id = ?`,
  )
  const accountOf = db.prepare<[string], string>('SELECT account_id FROM charge_points WHERE id = ?').pluck()
  const newestOf = newestCommand(db)

  return function* page(query) {
    const { chargePointId, credential, limit, count, newestId } = query
    const opened = openPage(query, {
      credential: credential && credentialOf.get(credential.id),
      owner: accountOf.get(chargePointId),
      newest: newestId ?? newestOf(chargePointId),
    })
    if (!('asked' in opened)) return opened
    const { asked } = opened
    const window = { fromId: asked.fromId, toId: asked.toId }
    const rows = limit === 0 ? [] : yield* searchCommands(asked)
    if (!count) return { window, rows }
    const startedAt = stopwatch()
    const total = yield* countCommands(asked, count.scanLimit)
    return { window, rows, total, countMs: stopwatch() - startedAt }
  }
}
