/** A search in one go: who asks, whose charge point, the newest row, the page and the total (SEARCH-Q14). */
import type { Database } from 'better-sqlite3'
import { freezeWindow } from '../../../domain/message-log/search-window.ts'
import type { CommandQuery, LogPage, LogPageQuery } from '../../../domain/ports/storage.ts'
import type { Steps } from '../../../threads/turns.ts'
import type { SearchSteps } from './command-search.ts'
import { newestCommand } from './log-query.ts'
import type { Stopwatch } from './slices.ts'

interface CredentialRow {
  readonly accountId: string
  readonly secretHash: string
  readonly expiresAt: number | null
  readonly revokedAt: number | null
  /** As JSON. */
  readonly scopes: string | null
}

export function logPageSteps(
  db: Database,
  { searchCommands, countCommands }: Pick<SearchSteps, 'searchCommands' | 'countCommands'>,
  stopwatch: Stopwatch,
): (query: LogPageQuery) => Steps<LogPage> {
  const credentialOf = db.prepare<[string], CredentialRow>(
    `SELECT account_id AS accountId, secret_hash AS secretHash, expires_at AS expiresAt, revoked_at AS revokedAt, scopes
     FROM credentials WHERE id = ?`,
  )
  const accountOf = db.prepare<[string], string>('SELECT account_id FROM charge_points WHERE id = ?').pluck()
  const newestOf = newestCommand(db)

  const isAsItWas = ({ accountId, credential }: LogPageQuery): boolean => {
    if (!credential) return true
    const row = credentialOf.get(credential.id)
    return (
      row?.accountId === accountId &&
      row.secretHash === credential.secretHash &&
      row.expiresAt === (credential.expiresAt ?? null) &&
      row.revokedAt === null &&
      row.scopes === (credential.scopes ? JSON.stringify(credential.scopes) : null)
    )
  }

  return function* page(query) {
    if (!isAsItWas(query)) return { missing: 'credential' }
    const { chargePointId, filter, limit, belowId, offset, count } = query
    if (accountOf.get(chargePointId) !== query.accountId) return { missing: 'chargePoint' }
    const window = freezeWindow(query, query.newestId ?? newestOf(chargePointId) ?? 0)
    if (window.fromId >= window.toId) {
      return { window, rows: [], ...(count && { total: { value: 0, isExact: true }, countMs: 0 }) }
    }
    const asked: CommandQuery = {
      chargePointId,
      ...window,
      filter,
      limit,
      ...(belowId !== undefined && { belowId }),
      ...(offset !== undefined && { offset }),
    }
    const rows = limit === 0 ? [] : yield* searchCommands(asked)
    if (!count) return { window, rows }
    const startedAt = stopwatch()
    const total = yield* countCommands(asked, count.scanLimit)
    return { window, rows, total, countMs: stopwatch() - startedAt }
  }
}
