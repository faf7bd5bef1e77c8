/** Charge points as every face reads them: registration, what the station reported, connectors. */
import { and, eq, ne } from 'drizzle-orm'
import type { ChargePointStatus } from '../../domain/ports/sessions.ts'
import type {
  ChargePoint,
  ChargePointChange,
  ChargePointView,
  ConnectorView,
  Reads,
  Writes,
} from '../../domain/ports/storage.ts'
import { present } from '../rows/present.ts'
import { chargePointStatuses, chargePoints, connectors } from '../schema/charge-points.ts'
import { logChargePoints } from '../schema/commands.ts'
import type { Dialect } from './dialect.ts'
import { removeRecordsOf } from './records.ts'
import { removeFromSelections } from './shared-charge-points.ts'
import { all, build, changed, first, type Operations, row, value, type Work } from './work.ts'

/** For `VIEWED_FROM`. */
export const VIEW_COLUMNS = `p.id AS "id", p.account_id AS "accountId", p.name AS "name",
  p.password_hash AS "passwordHash", p.security_profile AS "securityProfile", p.protocols AS "protocols",
  p.validation AS "validation", p.registration_status AS "registrationStatus", p.disabled AS "disabled",
  p.accept_expired AS "acceptExpired", p.subject_check AS "subjectCheck",
  p.expected_serial_number AS "expectedSerialNumber", p.created_at AS "createdAt",
  p.labels AS "labels", s.document AS "document"`

export const VIEWED_FROM = 'FROM charge_points p LEFT JOIN charge_point_statuses s ON s.charge_point_id = p.id'

type JsonColumn = 'protocols' | 'labels'
type FlagColumn = 'disabled' | 'acceptExpired'

export type ViewRow = {
  readonly [Name in keyof Required<Omit<ChargePoint, JsonColumn | FlagColumn>>]:
    | Required<ChargePoint>[Name]
    | (undefined extends ChargePoint[Name] ? null : never)
} & Readonly<Record<JsonColumn | 'document', string | null>> &
  Readonly<Record<FlagColumn, number | null>>

type ConnectorColumns = { readonly [Name in keyof ConnectorView]: ConnectorView[Name] | null }
export type ConnectorRow = ConnectorColumns & { readonly chargePointId: string }

export const CONNECTOR_COLUMNS = `c.charge_point_id AS "chargePointId", c.evse_id AS "evseId",
  c.connector_id AS "connectorId", c.status AS "status", c.error_code AS "errorCode",
  c.vendor_error_code AS "vendorErrorCode", c.info AS "info", c.updated_at AS "updatedAt", c.since AS "since"`

const CONNECTORS = `SELECT ${CONNECTOR_COLUMNS} FROM connectors c WHERE`
const IN_ORDER = 'ORDER BY c.charge_point_id, c.evse_id NULLS FIRST, c.connector_id'

/** Two statements: after a restart every station of the fleet is loaded within seconds. */
export function* findChargePoint(id: string): Work<ChargePointView | undefined> {
  const found = yield* first<ViewRow>(`SELECT ${VIEW_COLUMNS} ${VIEWED_FROM} WHERE p.id = ?`, [id])
  if (!found) return undefined
  return viewOf(found, yield* all<ConnectorRow>(`${CONNECTORS} c.charge_point_id = ? ${IN_ORDER}`, [id]))
}

/** The same for rows that were found, in their order. */
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
  return present(columns) as ConnectorView
}

function viewOf(found: ViewRow, reported: readonly ConnectorRow[]): ChargePointView {
  const { id, accountId, name, passwordHash, securityProfile, protocols, validation, registrationStatus } = found
  const chargePoint: ChargePoint = present({
    id,
    accountId,
    name,
    passwordHash,
    securityProfile,
    protocols: protocols === null ? null : (JSON.parse(protocols) as readonly string[]),
    validation,
    registrationStatus,
    disabled: flag(found.disabled),
    acceptExpired: flag(found.acceptExpired),
    subjectCheck: found.subjectCheck,
    expectedSerialNumber: found.expectedSerialNumber,
    createdAt: found.createdAt,
    labels: found.labels === null ? null : (JSON.parse(found.labels) as NonNullable<ChargePoint['labels']>),
  })
  const status = found.document === null ? {} : (JSON.parse(found.document) as ChargePointStatus)
  return { ...chargePoint, status, connectors: reported.map(connectorOf) }
}

function flag(stored: number | null): boolean | null {
  return stored === null ? null : stored === 1
}

export function chargePointReads(
  dialect: Dialect,
): Operations<Pick<Reads, 'findChargePoint' | 'listChargePoints' | 'countOpenChargePoints'>> {
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
  }
}

type ChargePointWrites = Pick<Writes, 'createChargePoint' | 'updateChargePoint' | 'deleteChargePoint'>

/** What the station said before the change is in its tables before it: the engine sees to that. */
export function chargePointWrites(dialect: Dialect): Operations<ChargePointWrites> {
  const { caseless } = dialect
  const own = (accountId: string, id: string) => and(eq(chargePoints.accountId, accountId), eq(chargePoints.id, id))
  return {
    *createChargePoint(chargePoint) {
      const { id, accountId } = chargePoint
      const same = `${caseless('id')} = ${caseless('?')}`
      const taken = yield* value<string>(`SELECT id FROM charge_points WHERE ${same}`, [id])
      if (taken !== undefined) return taken === id ? 'exists' : 'differsInCase'
      yield* changed(build.insert(chargePoints).values(chargePoint))
      // The log of a former owner stays with that owner; what the station said before anybody registered it, or under
      // this account, is shown again.
      const foreign = and(eq(logChargePoints.name, id), ne(logChargePoints.formerAccountId, accountId))
      yield* changed(build.update(logChargePoints).set({ name: null }).where(foreign))
      return 'created'
    },
    *updateChargePoint(accountId, id, { labels, ...change }) {
      const before = yield* row(
        build.select({ labels: chargePoints.labels }).from(chargePoints).where(own(accountId, id)),
      )
      if (!before) return undefined
      const update = build
        .update(chargePoints)
        .set({ id, ...change, ...(labels && { labels: mergedLabels(before.labels, labels) }) })
      yield* changed(update.where(own(accountId, id)))
      return yield* findChargePoint(id)
    },
    *deleteChargePoint(accountId, id) {
      if ((yield* changed(build.delete(chargePoints).where(own(accountId, id)))) === 0) return false
      yield* changed(build.delete(chargePointStatuses).where(eq(chargePointStatuses.chargePointId, id)))
      yield* changed(build.delete(connectors).where(eq(connectors.chargePointId, id)))
      yield* removeRecordsOf(id)
      yield* removeFromSelections(dialect, accountId, id)
      const log = build.update(logChargePoints).set({ formerAccountId: accountId })
      yield* changed(log.where(eq(logChargePoints.name, id)))
      return true
    },
  }
}

type Labels = NonNullable<ChargePoint['labels']>

/** RFC 7396 is what `null` means here. Absent: none. */
function mergedLabels(before: Labels | null, change: NonNullable<ChargePointChange['labels']>): Labels | null {
  const merged = Object.entries({ ...before, ...change }).filter((one): one is [string, string] => one[1] !== null)
  return merged.length === 0 ? null : Object.fromEntries(merged)
}
