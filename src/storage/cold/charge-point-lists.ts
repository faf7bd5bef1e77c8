import type { Reads } from '../../domain/ports/storage.ts'
import type { ChargePointFilter, ChargePointOrder, LabelOrder } from '../../domain/ports/storage-queries.ts'
import { VIEW_COLUMNS, VIEWED_FROM, type ViewRow, viewsOf } from './charge-points.ts'
import { all, column, type Dialect, first, type Operations, type Value } from './work.ts'

export function chargePointLists(dialect: Dialect) {
  const conditions = conditionsOf(dialect)
  const sortedBy = chargePointOrders(dialect)
  return {
    *findChargePoints({ accountId, filter, sort, online = [], descending, after, limit }) {
      const by = sortedBy(sort, online)
      const asked = [{ sql: 'p.account_id = ?', values: [accountId] }, ...conditions(filter)]
      if (after) {
        const position = `(${by.sql}, p.id) ${descending ? '<' : '>'} (?, ?)`
        asked.push({ sql: position, values: [...by.values, ...after] })
      }
      const direction = descending ? 'DESC' : 'ASC'
      const found = yield* all<ViewRow & { readonly sortedBy: string | number }>(
        `SELECT ${by.sql} AS "sortedBy", ${VIEW_COLUMNS} ${VIEWED_FROM} WHERE ${asked.map(({ sql }) => sql).join(' AND ')}
         ORDER BY "sortedBy" ${direction}, p.id ${direction} LIMIT ?`,
        [...by.values, ...asked.flatMap(({ values }) => values), limit],
      )
      return (yield* viewsOf(dialect, found)).map(([{ sortedBy: place }, view]) => ({ sortedBy: place, view }))
    },
    *countChargePoints({ accountId, filter }) {
      const asked = [{ sql: 'p.account_id = ?', values: [accountId] }, ...conditions(filter)]
      const counted = yield* first<{ readonly count: number }>(
        `SELECT count(*) AS "count" ${VIEWED_FROM} WHERE ${asked.map(({ sql }) => sql).join(' AND ')}`,
        asked.flatMap(({ values }) => values),
      )
      return counted?.count ?? 0
    },
    *listLabelled(accountId, labels) {
      const labelled = conditions({ labels })
      return yield* column<string>(
        `SELECT p.id FROM charge_points p WHERE ${['p.account_id = ?', ...labelled.map(({ sql }) => sql)].join(' AND ')}`,
        [accountId, ...labelled.flatMap(({ values }) => values)],
      )
    },
  } satisfies Partial<Operations<Reads>>
}

interface Condition {
  readonly sql: string
  readonly values: readonly Value[]
}

function conditionsOf(dialect: Dialect): (filter: ChargePointFilter) => Condition[] {
  const { among, anyContains, hasMember, textMember } = dialect
  const charges = chargingIn(dialect)
  const searched = anyContains('?', ['p.id', 'p.name', textMember('s.document', 'serialNumber')])
  return (filter) => {
    const { within, without, statuses, charging, labels = [], securityProfile, registrationStatuses, q } = filter
    const conditions: Condition[] = []
    const when = (requested: Value | undefined, sql: string): void => {
      if (requested !== undefined) conditions.push({ sql, values: [requested] })
    }
    when(within, among('p.id', '?'))
    when(without, `NOT (${among('p.id', '?')})`)
    when(
      statuses?.map((status) => status.toLowerCase()),
      `EXISTS (SELECT 1 FROM connectors c WHERE c.charge_point_id = p.id AND ${among('lower(c.status)', '?')})`,
    )
    const faulted = (sql: string): string =>
      `EXISTS (SELECT 1 FROM connectors c WHERE c.charge_point_id = p.id AND lower(c.status) = 'faulted' AND ${sql})`
    when(filter.errorCode, faulted('c.error_code = ?'))
    when(filter.faultedSince, faulted('coalesce(c.since, c.updated_at) <= ?'))
    when(filter.silentSince, `coalesce(${dialect.numberMember('s.document', 'lastSeenAt')}, 0) <= ?`)
    if (charging !== undefined) conditions.push({ sql: charges, values: [] })
    for (const name of ['vendor', 'model', 'firmwareVersion'] as const) {
      when(filter[name], `${textMember('s.document', name)} = ?`)
    }
    for (const label of labels) conditions.push({ sql: hasMember('p.labels', '?', '?'), values: label })
    if (filter.siteless) conditions.push({ sql: `coalesce(${textMember('p.labels', 'site')}, '') = ''`, values: [] })
    when(securityProfile, 'p.security_profile = ?')
    when(registrationStatuses, among('p.registration_status', '?'))
    if (q !== undefined) {
      // Once for each column that PostgreSQL names it for.
      conditions.push({ sql: searched, values: Array<string>(searched.split('?').length - 1).fill(caseless(q)) })
    }
    return conditions
  }
}

export const SAYS_CHARGING = `EXISTS (SELECT 1 FROM connectors c WHERE c.charge_point_id = p.id AND lower(c.status) = 'charging')`

/** 2.0.1 stations report a charging connector as occupied: their transaction says that it charges. */
export function chargingIn({ by }: Dialect): string {
  // An index of charging transactions exists, too, but would be walked once for every station.
  return `(${SAYS_CHARGING} OR EXISTS (SELECT 1 FROM sessions e ${by('sessions_open')} WHERE e.charge_point_id = p.id
    AND e.account_id = p.account_id AND e.state = 'charging' AND e.state NOT IN ('completed', 'failed')))`
}

/** Case-insensitive; accents composed or not. */
export function caseless(text: string): string {
  return text.normalize('NFC').toLowerCase()
}

/** Sort keys for lists of charge points, computed in the single walk that finds them. */
const LABEL = 'label:'

function isLabelOrder(order: ChargePointOrder): order is LabelOrder {
  return order.startsWith(LABEL)
}

/** An unknown start sorts behind all times. */
const NEVER = 9_000_000_000_000_000
const OFFLINE = 1
const PENDING = 2
const REJECTED = 3
const CHARGING = 4
const OCCUPIED = 5
const UNKNOWN = 8
const DISABLED = 10

/** Connectors' states, the most urgent first; out of service counts where all of them are. */
const SAID = `CASE lower(c.status) WHEN 'faulted' THEN 0 WHEN 'charging' THEN ${CHARGING}
  WHEN 'occupied' THEN ${OCCUPIED} WHEN 'preparing' THEN ${OCCUPIED} WHEN 'suspendedev' THEN ${OCCUPIED}
  WHEN 'suspendedevse' THEN ${OCCUPIED} WHEN 'finishing' THEN ${OCCUPIED}
  WHEN 'reserved' THEN 6 WHEN 'available' THEN 7 WHEN 'unavailable' THEN 9 ELSE ${UNKNOWN} END`
const isOutlet = (row: string): string => `(${row}.connector_id > 0 OR coalesce(${row}.evse_id, 0) > 0)`
/** The station's own status counts where it is a fault, or the only one. */
const COUNTED = `FROM connectors c WHERE c.charge_point_id = p.id AND (${isOutlet('c')} OR lower(c.status) = 'faulted'
  OR NOT EXISTS (SELECT 1 FROM connectors o WHERE o.charge_point_id = p.id AND ${isOutlet('o')}))`
const WORST = `(SELECT min(${SAID}) ${COUNTED})`

function chargePointOrders({ among, by, memberNamed, numberMember, textMember }: Dialect) {
  const reported = (name: string): string => `coalesce(${textMember('s.document', name)}, '')`
  const seenAt = numberMember('s.document', 'lastSeenAt')
  const goneAt = `coalesce(${seenAt}, ${NEVER})`
  const running = `FROM sessions e ${by('sessions_open')} WHERE e.charge_point_id = p.id AND e.account_id = p.account_id
    AND e.state = 'charging' AND e.state NOT IN ('completed', 'failed')`
  const here = among('p.id', '?')
  const undecided = `WHEN p.registration_status = 'Rejected' THEN`
  // 2.0.1 only reports the plugged-in cable: the session says that it charges.
  const state = `CASE ${undecided} ${REJECTED} WHEN p.registration_status = 'Pending' THEN ${PENDING}
    WHEN coalesce(p.disabled, 0) = 1 THEN ${DISABLED} WHEN NOT (${here}) THEN ${OFFLINE}
    WHEN ${WORST} = ${OCCUPIED} AND EXISTS (SELECT 1 ${running}) THEN ${CHARGING} ELSE coalesce(${WORST}, ${UNKNOWN}) END`
  const since = `CASE ${undecided} ${goneAt} WHEN p.registration_status = 'Pending' THEN p.created_at
    WHEN coalesce(p.disabled, 0) = 1 THEN ${NEVER} WHEN NOT (${here}) THEN ${goneAt}
    ELSE coalesce((SELECT min(coalesce(c.since, c.updated_at)) ${COUNTED} AND ${SAID} = ${WORST}), ${NEVER}) END`
  const power = `CASE WHEN ${here}
    THEN CAST(coalesce((SELECT sum(e.power_milli_w) ${running}), 0) AS bigint) ELSE 0 END`
  const plain: Readonly<Record<Exclude<ChargePointOrder, 'state' | 'since' | 'power' | LabelOrder>, string>> = {
    id: 'p.id',
    name: `coalesce(p.name, '')`,
    lastSeenAt: `coalesce(${seenAt}, 0)`,
    site: `coalesce(${textMember('p.labels', 'site')}, '')`,
    model: `trim(${reported('vendor')} || ' ' || ${reported('model')})`,
    firmwareVersion: reported('firmwareVersion'),
    serialNumber: reported('serialNumber'),
    protocol: reported('protocol'),
    securityProfile: 'p.security_profile',
  }
  const live = { state, since, power }
  const label = `coalesce(${memberNamed('p.labels', '?')}, '')`

  return (
    order: ChargePointOrder,
    online: readonly string[],
  ): { readonly sql: string; readonly values: readonly Value[] } => {
    if (order === 'state' || order === 'since' || order === 'power') return { sql: live[order], values: [online] }
    if (isLabelOrder(order)) return { sql: label, values: [order.slice(LABEL.length)] }
    return { sql: plain[order], values: [] }
  }
}
