import { and, eq, ne } from 'drizzle-orm'
import type { ChargePointStatus } from '../../domain/ports/sessions.ts'
import type { ChargePointChange, Reads, Writes } from '../../domain/ports/storage.ts'
import type { Grant } from '../../domain/ports/storage-oidc.ts'
import type { ChargePoint, ChargePointView, ConnectorView } from '../../domain/ports/storage-records.ts'
import { columnsOf, readRow } from '../rows/present.ts'
import { chargePointStatuses, chargePoints, connectors } from '../schema/charge-points.ts'
import { logChargePoints } from '../schema/commands.ts'
import { removeRecordsOf } from './records.ts'
import {
  all,
  change,
  column,
  type Dialect,
  find,
  first,
  insert,
  type Operations,
  remove,
  update,
  value,
  type Work,
} from './work.ts'

export const VIEW_COLUMNS = `${columnsOf(chargePoints, 'p')}, s.document AS "document"`

export const VIEWED_FROM = 'FROM charge_points p LEFT JOIN charge_point_statuses s ON s.charge_point_id = p.id'

export interface ViewRow {
  readonly id: string
  readonly document: string | null
}

export interface ConnectorRow {
  readonly chargePointId: string
}

export const CONNECTOR_COLUMNS = columnsOf(connectors, 'c', ['connectorKey'])

const CONNECTORS = `SELECT ${CONNECTOR_COLUMNS} FROM connectors c WHERE`
const IN_ORDER = 'ORDER BY c.charge_point_id, c.evse_id NULLS FIRST, c.connector_id'

/** Two statements: after a restart every station of the fleet is loaded within seconds. */
export function* findChargePoint(id: string): Work<ChargePointView | undefined> {
  const found = yield* first<ViewRow>(`SELECT ${VIEW_COLUMNS} ${VIEWED_FROM} WHERE p.id = ?`, [id])
  if (!found) return undefined
  return viewOf(found, yield* all<ConnectorRow>(`${CONNECTORS} c.charge_point_id = ? ${IN_ORDER}`, [id]))
}

export function* findChargePoints(dialect: Dialect, ids: readonly string[]): Work<readonly ChargePointView[]> {
  const found = yield* all<ViewRow>(`SELECT ${VIEW_COLUMNS} ${VIEWED_FROM} WHERE ${dialect.among('p.id', '?')}`, [ids])
  return (yield* viewsOf(dialect, found)).map(([, view]) => view)
}

export function* viewsOf<Row extends ViewRow>(
  { among }: Dialect,
  found: readonly Row[],
): Work<readonly (readonly [row: Row, view: ChargePointView])[]> {
  const ofEach = new Map<string, ConnectorRow[]>(found.map(({ id }) => [id, []]))
  const condition = among('c.charge_point_id', '?')
  const reported = yield* all<ConnectorRow>(`${CONNECTORS} ${condition} ${IN_ORDER}`, [[...ofEach.keys()]])
  for (const one of reported) ofEach.get(one.chargePointId)?.push(one)
  return found.map((one) => [one, viewOf(one, ofEach.get(one.id) ?? [])])
}

export function connectorOf({ chargePointId: _, ...columns }: ConnectorRow): ConnectorView {
  return readRow(connectors, columns)
}

function viewOf(found: ViewRow, reported: readonly ConnectorRow[]): ChargePointView {
  const status = found.document === null ? {} : (JSON.parse(found.document) as ChargePointStatus)
  return { ...readRow(chargePoints, found), status, connectors: reported.map(connectorOf) }
}

export function chargePointReads(dialect: Dialect) {
  return {
    findChargePoint,
    *listChargePoints(accountId, { afterId, limit }) {
      const found = yield* all<ViewRow>(
        `SELECT ${VIEW_COLUMNS} ${VIEWED_FROM} WHERE p.account_id = ? AND p.id > ? ORDER BY p.id LIMIT ?`,
        [accountId, afterId ?? '', limit],
      )
      return (yield* viewsOf(dialect, found)).map(([, view]) => view)
    },
    *countOpenChargePoints() {
      const open = yield* value<number>(`SELECT count(*) FROM charge_points
        WHERE security_profile = 0 AND registration_status = 'Accepted' AND coalesce(disabled, 0) = 0`)
      return open ?? 0
    },
  } satisfies Partial<Operations<Reads>>
}

/** The engine places the station's earlier reports in its tables first. */
export function chargePointWrites(dialect: Dialect) {
  const { caseless } = dialect
  const own = (accountId: string, id: string) => and(eq(chargePoints.accountId, accountId), eq(chargePoints.id, id))
  return {
    *createChargePoint(chargePoint) {
      const { id, accountId } = chargePoint
      const same = `${caseless('id')} = ${caseless('?')}`
      const taken = yield* value<string>(`SELECT id FROM charge_points WHERE ${same}`, [id])
      if (taken !== undefined) return taken === id ? 'exists' : 'differsInCase'
      yield* insert(chargePoints, chargePoint)
      // A former owner keeps its log; reports from before the registration, or under this account, are shown again.
      const foreign = and(eq(logChargePoints.name, id), ne(logChargePoints.formerAccountId, accountId))
      yield* update(logChargePoints, { name: null }, foreign)
      return 'created'
    },
    *updateChargePoint(accountId, id, { labels, ...change }) {
      const before = yield* find(chargePoints, own(accountId, id))
      if (!before) return undefined
      const merged = labels && mergedLabels(before.labels, labels)
      yield* update(chargePoints, { id, ...change, labels: merged }, own(accountId, id))
      return yield* findChargePoint(id)
    },
    *deleteChargePoint(accountId, id) {
      if ((yield* remove(chargePoints, own(accountId, id))) === 0) return false
      yield* remove(chargePointStatuses, eq(chargePointStatuses.chargePointId, id))
      yield* remove(connectors, eq(connectors.chargePointId, id))
      yield* removeRecordsOf(id)
      yield* removeFromSelections(dialect, accountId, id)
      yield* update(logChargePoints, { formerAccountId: accountId }, eq(logChargePoints.name, id))
      return true
    },
  } satisfies Partial<Operations<Writes>>
}

type Labels = NonNullable<ChargePoint['labels']>

/** `null` removes a label (RFC 7396). Absent: none. */
function mergedLabels(before: Labels | undefined, change: NonNullable<ChargePointChange['labels']>): Labels | null {
  const merged = Object.entries({ ...before, ...change }).filter((one): one is [string, string] => one[1] !== null)
  return merged.length === 0 ? null : Object.fromEntries(merged)
}

// The charge points of grants and webhooks, while in their account: a later owner shares none (OIDC-C12).

/** The charge points of the account that a grant shares now: every query of an application uses this. */
export function* sharedNow<Some extends Pick<Grant, 'accountId' | 'chargePoints'>>(
  { among }: Dialect,
  grant: Some,
): Work<Some> {
  const { accountId, chargePoints } = grant
  if (chargePoints === undefined || chargePoints === 'all' || chargePoints.length === 0) return grant
  const sql = `SELECT id FROM charge_points WHERE account_id = ? AND ${among('id', '?')}`
  const own = new Set(yield* column<string>(sql, [accountId, chargePoints]))
  return { ...grant, chargePoints: chargePoints.filter((id) => own.has(id)) }
}

/** A removed charge point leaves the selections of its account. */
function* removeFromSelections(dialect: Dialect, accountId: string, chargePointId: string): Work<void> {
  for (const [table, list] of SELECTIONS) {
    const named = yield* all<{ readonly id: string; readonly ids: string }>(
      `SELECT id AS "id", ${list} AS "ids" FROM ${table}
        WHERE account_id = ? AND substr(${list}, 1, 1) = '[' AND ${dialect.holds(list, '?')}`,
      [accountId, chargePointId],
    )
    for (const { id, ids } of named) {
      const rest = (JSON.parse(ids) as readonly string[]).filter((one) => one !== chargePointId)
      yield* change(`UPDATE ${table} SET ${list} = ? WHERE id = ?`, [JSON.stringify(rest), id])
    }
  }
}

const SELECTIONS = [
  ['grants', 'charge_points'],
  ['webhook_subscriptions', 'charge_point_ids'],
] as const
