/** Newest first. Each filter has an index in list order and names it, as SQLite's planner has no statistics. */
import type { SessionFilter } from '../../domain/ports/storage-queries.ts'
import type { Dialect } from './dialect.ts'
import type { Value } from './work.ts'

interface SessionWhere {
  /** From `FROM` to the conditions; the position may be added with `AND`. */
  readonly sql: string
  readonly values: Readonly<Record<string, Value>>
}

/** Verbatim the conditions of partial indices. */
export const ENDED = `state IN ('completed', 'failed')`
export const RUNNING = `state NOT IN ('completed', 'failed')`

export interface Order {
  readonly at: string
  readonly newestFirst: string
  readonly below: string
}

const orderBy = (at: string): Order => ({
  at,
  newestFirst: `ORDER BY ${at} DESC, id DESC`,
  // SQLite seeks in an expression index by the first comparison only.
  below: `${at} <= @belowAt AND (${at}, id) < (@belowAt, @belowId)`,
})

export const BY_CREATION = orderBy('created_at')
/** Verbatim the expression of its index. */
export const BY_START = orderBy('CASE WHEN started_at IS NULL THEN created_at ELSE started_at END')

export function sessionWhere(
  { among, by, caseless }: Dialect,
  filter: SessionFilter,
  index = indexFor(filter),
  more: readonly string[] = [],
): SessionWhere {
  const { accountId, chargePointIds, state, running, idToken, externalReference } = filter
  const { from, to, startedFrom, startedTo, begunFrom, begunTo } = filter
  const conditions = ['account_id = @accountId', ...more]
  const values: Record<string, Value> = { accountId }
  const add = (name: string, value: Value | undefined, condition: string): void => {
    if (value === undefined) return
    conditions.push(condition)
    values[name] = value
  }
  const [only] = chargePointIds ?? []
  if (chargePointIds?.length === 1) add('chargePointId', only, 'charge_point_id = @chargePointId')
  else add('chargePointIds', chargePointIds, among('charge_point_id', '@chargePointIds'))
  add('state', state, 'state = @state')
  if (running) conditions.push(RUNNING)
  add('idToken', idToken, `${caseless('id_token')} = ${caseless('@idToken')}`)
  add('externalReference', externalReference, 'external_reference = @externalReference')
  add('from', from, 'created_at >= @from')
  add('to', to, 'created_at < @to')
  if (startedFrom !== undefined || startedTo !== undefined) conditions.push('started_at IS NOT NULL')
  add('startedFrom', startedFrom, `${BY_START.at} >= @startedFrom`)
  add('startedTo', startedTo, `${BY_START.at} < @startedTo`)
  add('begunFrom', begunFrom, `${BY_START.at} >= @begunFrom`)
  add('begunTo', begunTo, `${BY_START.at} < @begunTo`)
  return { sql: `FROM sessions ${by(index)} WHERE ${conditions.join(' AND ')}`, values }
}

export function indexFor({ chargePointIds, state, running, idToken, externalReference }: SessionFilter): string {
  if (externalReference !== undefined) return 'sessions_reference'
  if (idToken !== undefined) return 'sessions_id_token'
  if (chargePointIds?.length === 1) return 'sessions_charge_point_created'
  // Few sessions run at once: sorting them is fast.
  if (running) return 'sessions_open'
  return state === undefined ? 'sessions_account_created' : 'sessions_state'
}

/** An index that leaves few of an account's sessions applies. */
export function isNarrow({ chargePointIds, idToken, externalReference }: SessionFilter): boolean {
  return externalReference !== undefined || idToken !== undefined || chargePointIds?.length === 1
}

export function isEnded({ state }: SessionFilter): boolean {
  return state === 'completed' || state === 'failed'
}

export function isRunning(filter: SessionFilter): boolean {
  return filter.running === true || (filter.state !== undefined && !isEnded(filter))
}
