/** Look-ups in the log, and what a search of it begins with. */
import { freezeWindow } from '../../domain/message-log/search.ts'
import type { Reads } from '../../domain/ports/storage.ts'
import type { CommandQuery, LogPage, LogPageQuery } from '../../domain/ports/storage-queries.ts'
import { COMMAND_COLUMNS, type CommandRow, readCommand } from '../rows/command-row.ts'
import { type Dialect, first, type Operations, value, type Work } from './work.ts'

const KEY = '(SELECT key FROM log_charge_points WHERE name = ?)'

export function commandReads({ searched }: Dialect) {
  const find = `SELECT ${COMMAND_COLUMNS} FROM commands AS command WHERE command.charge_point = ${KEY} AND command.id = ?`
  const idOf = (order: string) => (chargePointId: string) =>
    value<number>(`SELECT id FROM ${searched} WHERE charge_point = ${KEY} ORDER BY id ${order} LIMIT 1`, [
      chargePointId,
    ])
  return {
    *findCommand(chargePointId, id) {
      const row = yield* first<CommandRow>(find, [chargePointId, id])
      return row && readCommand(row, chargePointId)
    },
    oldestCommandId: idOf('ASC'),
    newestCommandId: idOf('DESC'),
  } satisfies Partial<Operations<Reads>>
}

/** A page of the log before it is searched: its owner, and the query that follows. */
interface PageOwner {
  readonly accountId: string | null
  readonly secretHash: string | null
  readonly expiresAt: number | null
  readonly revokedAt: number | null
  /** As JSON. */
  readonly scopes: string | null
  readonly owner: string | null
  readonly newest: number | null
}

const whoAsks = (searched: string): string => `SELECT c.account_id AS "accountId", c.secret_hash AS "secretHash",
    c.expires_at AS "expiresAt", c.revoked_at AS "revokedAt", c.scopes AS "scopes", p.account_id AS "owner",
    (SELECT max(id) FROM ${searched} WHERE charge_point = ${KEY.replace('?', '@id')}) AS "newest"
  FROM (SELECT 1) AS one LEFT JOIN credentials AS c ON c.id = @credentialId LEFT JOIN charge_points AS p ON p.id = @id`

/** The answer where there is nothing to search, else the search. */
export function* openPage(
  { searched }: Dialect,
  query: LogPageQuery,
): Work<LogPage | { readonly asked: CommandQuery }> {
  const { credential, chargePointId: id } = query
  const who = yield* first<PageOwner>(whoAsks(searched), { id, credentialId: credential?.id ?? null })
  if (!isAsItWas(query, who)) return { missing: 'credential' }
  if (who?.owner !== query.accountId) return { missing: 'chargePoint' }
  const { chargePointId, filter, limit, belowId, offset, count } = query
  const window = freezeWindow(query, query.newestId ?? who.newest ?? 0)
  if (window.fromId < window.toId) return { asked: { chargePointId, ...window, filter, limit, belowId, offset } }
  return { window, rows: [], ...(count && { total: { value: 0, isExact: true }, countMs: 0 }) }
}

function isAsItWas({ accountId, credential }: LogPageQuery, now: PageOwner | undefined): boolean {
  if (!credential) return true
  return (
    now?.accountId === accountId &&
    now.secretHash === credential.secretHash &&
    now.expiresAt === (credential.expiresAt ?? null) &&
    now.revokedAt === null &&
    now.scopes === (credential.scopes ? JSON.stringify(credential.scopes) : null)
  )
}
