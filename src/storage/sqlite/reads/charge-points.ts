/** Charge points found, sorted and paged by key, in one walk over those of the account. */
import type { Database } from 'better-sqlite3'
import type { ChargePointStatus } from '../../../ports/sessions.ts'
import type {
  ChargePoint,
  ChargePointFilter,
  ChargePointOrder,
  ChargePointQuery,
  ConnectorView,
  Reads,
  SortedChargePoint,
} from '../../../ports/storage.ts'
import { present } from '../rows/present.ts'

const SORTED_BY: Readonly<Record<ChargePointOrder, string>> = {
  id: 'p.id',
  name: `coalesce(p.name, '')`,
  lastSeenAt: `coalesce(s.document ->> '$.lastSeenAt', 0)`,
}

interface Row {
  readonly sortedBy: string | number
  readonly id: string
  readonly accountId: string
  readonly name: string | null
  readonly passwordHash: string | null
  readonly securityProfile: ChargePoint['securityProfile']
  readonly protocols: string | null
  readonly validation: ChargePoint['validation'] | null
  readonly registrationStatus: ChargePoint['registrationStatus']
  readonly disabled: number | null
  readonly createdAt: number
  readonly labels: string | null
  readonly document: string | null
}

export type ConnectorRow = { readonly [Name in keyof ConnectorView]: ConnectorView[Name] | null } & {
  readonly chargePointId: string
}

export const CONNECTOR_COLUMNS = `c.charge_point_id AS chargePointId, c.evse_id AS evseId, c.connector_id AS connectorId,
  c.status AS status, c.error_code AS errorCode, c.vendor_error_code AS vendorErrorCode, c.info AS info,
  c.updated_at AS updatedAt, c.since AS since`

export function chargePointReads(db: Database): Pick<Reads, 'findChargePoints' | 'listLabelled'> {
  db.function('any_contains', { deterministic: true, varargs: true }, anyContains)
  const connectors = db.prepare<[string], ConnectorRow>(
    `SELECT ${CONNECTOR_COLUMNS} FROM connectors c WHERE c.charge_point_id IN (SELECT value FROM json_each(?))
     ORDER BY c.charge_point_id, c.evse_id, c.connector_id`,
  )
  return {
    async findChargePoints(query) {
      const { sql, values } = statementOf(query)
      const rows = db.prepare<unknown[], Row>(sql).all(...values)
      const found = new Map<string, ConnectorRow[]>(rows.map(({ id }) => [id, []]))
      for (const row of connectors.all(JSON.stringify([...found.keys()]))) found.get(row.chargePointId)?.push(row)
      return rows.map((row) => sortedOf(row, found.get(row.id) ?? []))
    },
    async listLabelled(accountId, labels) {
      const conditions = [{ sql: 'p.account_id = ?', values: [accountId] }, ...conditionsOf({ labels })]
      const where = conditions.map((condition) => condition.sql).join(' AND ')
      const ids = db.prepare<unknown[], string>(`SELECT p.id FROM charge_points p WHERE ${where}`).pluck()
      return ids.all(...conditions.flatMap((condition) => condition.values))
    },
  }
}

function statementOf({ accountId, filter, sort, descending, after, limit }: ChargePointQuery) {
  const by = SORTED_BY[sort]
  const conditions: Condition[] = [{ sql: 'p.account_id = ?', values: [accountId] }, ...conditionsOf(filter)]
  if (after) conditions.push({ sql: `(${by}, p.id) ${descending ? '<' : '>'} (?, ?)`, values: after })
  const direction = descending ? 'DESC' : 'ASC'
  const sql = `SELECT ${by} AS sortedBy, p.id AS id, p.account_id AS accountId, p.name AS name,
      p.password_hash AS passwordHash, p.security_profile AS securityProfile, p.protocols AS protocols,
      p.validation AS validation, p.registration_status AS registrationStatus, p.disabled AS disabled,
      p.created_at AS createdAt, p.labels AS labels, s.document AS document
    FROM charge_points p LEFT JOIN charge_point_statuses s ON s.charge_point_id = p.id
    WHERE ${conditions.map((condition) => condition.sql).join(' AND ')}
    ORDER BY ${by} ${direction}, p.id ${direction} LIMIT ?`
  return { sql, values: [...conditions.flatMap((condition) => condition.values), limit] }
}

interface Condition {
  readonly sql: string
  readonly values: readonly unknown[]
}

function conditionsOf(filter: ChargePointFilter): readonly Condition[] {
  const { within, without, statuses, charging, labels = [], securityProfile, registrationStatuses, q } = filter
  const conditions: Condition[] = []
  const when = (value: unknown, sql: string, ...values: readonly unknown[]): void => {
    if (value !== undefined) conditions.push({ sql, values })
  }
  const amongst = (column: string): string => `${column} IN (SELECT value FROM json_each(?))`
  when(within, amongst('p.id'), JSON.stringify(within))
  when(without, `NOT ${amongst('p.id')}`, JSON.stringify(without))
  when(
    statuses,
    `EXISTS (SELECT 1 FROM connectors c WHERE c.charge_point_id = p.id AND lower(c.status) IN (SELECT value FROM json_each(?)))`,
    JSON.stringify(statuses?.map((status) => status.toLowerCase())),
  )
  when(charging, CHARGING)
  for (const name of ['vendor', 'model', 'firmwareVersion'] as const) {
    when(filter[name], `s.document ->> '$.${name}' = ?`, filter[name])
  }
  for (const [key, value] of labels) {
    when(key, 'EXISTS (SELECT 1 FROM json_each(p.labels) l WHERE l.key = ? AND l.value = ?)', key, value)
  }
  when(securityProfile, 'p.security_profile = ?', securityProfile)
  when(registrationStatuses, amongst('p.registration_status'), JSON.stringify(registrationStatuses))
  const searched = `p.id, p.name, s.document ->> '$.serialNumber'`
  when(q, `any_contains(?, ${searched})`, q === undefined ? undefined : caseless(q))
  return conditions
}

/** Stations of 2.0.1 call a connector that charges occupied: their transaction says that it does. */
export const CHARGING = `(EXISTS (SELECT 1 FROM connectors c WHERE c.charge_point_id = p.id AND lower(c.status) = 'charging')
  OR EXISTS (SELECT 1 FROM sessions e WHERE e.charge_point_id = p.id AND e.account_id = p.account_id
    AND e.state = 'charging' AND e.state NOT IN ('completed', 'failed')))`

/** What people type is found whatever its case, accents composed or not. */
function caseless(text: string): string {
  return text.normalize('NFC').toLowerCase()
}

function anyContains(part: unknown, ...texts: readonly unknown[]): number {
  return texts.some((text) => typeof text === 'string' && caseless(text).includes(String(part))) ? 1 : 0
}

function sortedOf({ sortedBy, document, ...row }: Row, connectors: readonly ConnectorRow[]): SortedChargePoint {
  const chargePoint: ChargePoint = present({
    ...row,
    protocols: row.protocols === null ? null : (JSON.parse(row.protocols) as readonly string[]),
    labels: row.labels === null ? null : (JSON.parse(row.labels) as NonNullable<ChargePoint['labels']>),
    disabled: row.disabled === null ? null : row.disabled === 1,
  })
  const status = document === null ? {} : (JSON.parse(document) as ChargePointStatus)
  return { sortedBy, view: { ...chargePoint, status, connectors: connectors.map(connectorOf) } }
}

export function connectorOf({ chargePointId: _, ...row }: ConnectorRow): ConnectorView {
  return present(row) as ConnectorView
}
