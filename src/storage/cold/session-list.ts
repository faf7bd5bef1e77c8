/**
 * Lists of sessions: the newest first, whatever they are filtered by. Each filter has an index in the order of the list
 * and is named, because SQLite's planner has no statistics and would take any of them.
 */
import type { SessionFilter } from '../../domain/ports/storage.ts'
import type { Dialect } from './dialect.ts'
import type { Value } from './work.ts'

export interface SessionWhere {
  /** From `FROM` to the conditions; the position may be added with `AND`. */
  readonly sql: string
  readonly values: Readonly<Record<string, Value>>
}

/** Word for word the conditions of partial indices. */
export const ENDED = `state IN ('completed', 'failed')`
export const RUNNING = `state NOT IN ('completed', 'failed')`

export const NEWEST_FIRST = 'ORDER BY created_at DESC, id DESC'

/** A position in that order. */
export const BELOW = '(created_at, id) < (@belowAt, @belowId)'

/** @param index in place of the one that fits the filter */
export function sessionWhere(
  { among, by, caseless }: Dialect,
  filter: SessionFilter,
  index = indexFor(filter),
  more: readonly string[] = [],
): SessionWhere {
  const { accountId, chargePointIds, state, running, idToken, externalReference, from, to } = filter
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
  return { sql: `FROM sessions ${by(index)} WHERE ${conditions.join(' AND ')}`, values }
}

/** The one that leaves the fewest rows to look at. */
function indexFor({ chargePointIds, state, running, idToken, externalReference }: SessionFilter): string {
  if (externalReference !== undefined) return 'sessions_reference'
  if (idToken !== undefined) return 'sessions_id_token'
  if (chargePointIds?.length === 1) return 'sessions_charge_point_created'
  // Few sessions run at once: they are sorted in a moment.
  if (running) return 'sessions_open'
  return state === undefined ? 'sessions_account_created' : 'sessions_state'
}
