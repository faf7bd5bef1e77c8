/** Sort keys for lists of charge points, computed in the single walk that finds them. */
import type { ChargePointOrder, LabelOrder } from '../../domain/ports/storage.ts'
import type { Dialect } from './dialect.ts'
import type { Value } from './work.ts'

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

export function chargePointOrders({ among, by, memberNamed, numberMember, textMember }: Dialect) {
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
