/** The owners of charge points, and their connections: one statement however many they are. */
import type { NodeAddress, Presence, PresentElsewhere, Whereabouts } from '../../../domain/ports/other-nodes.ts'
import type { ChargePointStatus } from '../../../domain/ports/sessions.ts'
import type { Pool } from '../connection/pool.ts'
import { jsonToDatabase, toDatabase } from '../connection/text.ts'
import { ALIVE, NOW_MS } from '../functions/group.ts'

interface OwnerRow {
  readonly id: string
  readonly slot: number
  readonly incarnation: number
  readonly epoch: number
  readonly isAlive: boolean
  readonly isConnected: boolean
  readonly offlineMs: number | null
  readonly clockSkewMs: number | null
  readonly status: string | null
}

export type OwnerRows = readonly OwnerRow[]

/** A silent node's charge points are offline since then; without a node, for longer than it matters. */
const PRESENCE = `o.connected IS NOT NULL AND n.slot IS NOT NULL AND ${ALIVE} AS "isConnected",
  CASE WHEN n.slot IS NULL THEN NULL WHEN o.connected IS NOT NULL AND ${ALIVE} THEN NULL
    WHEN o.connected IS NOT NULL THEN ${NOW_MS} - n.seen_at ELSE ${NOW_MS} - o.offline_since END AS "offlineMs",
  o.clock_skew_ms AS "clockSkewMs"`
const OF_ITS_NODE = 'nodes AS n ON n.slot = o.slot AND n.incarnation = o.incarnation'

const WHEREABOUTS = `SELECT o.charge_point AS id, o.slot, o.incarnation, o.epoch,
    n.slot IS NOT NULL AND ${ALIVE} AS "isAlive", ${PRESENCE}, s.document AS status
  FROM charge_point_owners AS o LEFT JOIN ${OF_ITS_NODE}
    LEFT JOIN charge_point_statuses AS s ON s.charge_point_id = o.charge_point
  WHERE o.charge_point = ANY($1)`

const ELSEWHERE = `SELECT * FROM (SELECT o.charge_point AS "chargePointId", c.account_id AS "accountId", ${PRESENCE}
  FROM charge_point_owners AS o JOIN ${OF_ITS_NODE} JOIN charge_points AS c ON c.id = o.charge_point
  WHERE (o.slot <> $1 OR o.incarnation <> $2) AND ($3::text IS NULL OR c.account_id = $3)) AS x
  WHERE "isConnected" OR "offlineMs" < $4`

const REFUSED = `SELECT x.n FROM unnest($1::text[]) WITH ORDINALITY AS x(id, n)
  LEFT JOIN charge_points AS c ON c.id = x.id WHERE c.id IS NULL OR c.disabled = 1`

/** Time from taking a charge point over to opening its connection; it counts as connected meanwhile. */
const OPENED_WITHIN_MS = 10_000

/** "No connection" does not apply to one being opened since then. */
const PUBLISH = `UPDATE charge_point_owners AS o
  SET connected = CASE WHEN x."isConnected" THEN coalesce(o.connected, ${NOW_MS}) END,
    offline_since = ${NOW_MS} - x."offlineMs", clock_skew_ms = x."clockSkewMs"
  FROM json_to_recordset($3) AS x("chargePointId" text, "isConnected" boolean, "offlineMs" bigint, "clockSkewMs" bigint)
  WHERE o.charge_point = x."chargePointId" AND o.slot = $1 AND o.incarnation = $2
    AND (x."isConnected" OR o.connected IS NULL
      OR o.connected <= ${NOW_MS} - least(coalesce(x."offlineMs", ${OPENED_WITHIN_MS}), ${OPENED_WITHIN_MS}))
  RETURNING o.charge_point AS id`

/** @param own this node's address, and whether its proof for a charge point is still the table's */
export function whereaboutsOf(
  row: OwnerRow,
  own: { readonly address: NodeAddress; readonly epochs: ReadonlyMap<string, number> },
): Whereabouts {
  const { id, slot, incarnation, isAlive, isConnected, offlineMs, clockSkewMs } = row
  const isOwn = slot === own.address.slot && incarnation === own.address.incarnation
  const status = row.status === null ? {} : (JSON.parse(row.status) as ChargePointStatus)
  const owner = isOwn
    ? own.epochs.get(id) === row.epoch
      ? 'this node'
      : 'no node'
    : isAlive
      ? 'another node'
      : 'no node'
  return {
    chargePointId: id,
    owner,
    address: { slot, incarnation },
    isConnected,
    offlineMs: offlineMs ?? undefined,
    clockSkewMs: clockSkewMs ?? 0,
    lastSeenAt: status.lastSeenAt,
    protocol: status.protocol,
  }
}

export async function readWhereabouts(pool: Pool, ids: readonly string[]): Promise<OwnerRows> {
  const { rows } = await pool.rows<OwnerRow>(WHEREABOUTS, [ids.map(toDatabase)])
  return rows
}

export async function readElsewhere(
  pool: Pool,
  own: NodeAddress,
  offlineMs: number,
  accountId: string | undefined,
): Promise<readonly PresentElsewhere[]> {
  const { rows } = await pool.rows<
    PresentElsewhere & { readonly offlineMs: number | null; readonly clockSkewMs: number | null }
  >(ELSEWHERE, [own.slot, own.incarnation, accountId ?? null, offlineMs])
  return rows.map(({ offlineMs: ms, clockSkewMs, ...row }) => ({
    ...row,
    offlineMs: ms ?? undefined,
    clockSkewMs: clockSkewMs ?? 0,
  }))
}

export async function readRefused(pool: Pool, ids: readonly string[]): Promise<readonly string[]> {
  const { rows } = await pool.rows<{ readonly n: number }>(REFUSED, [ids.map(toDatabase)])
  return rows.flatMap(({ n }) => ids[n - 1] ?? [])
}

export async function publishPresences(
  pool: Pool,
  own: NodeAddress,
  presences: readonly Presence[],
): Promise<ReadonlySet<string>> {
  const { rows } = await pool.rows<{ readonly id: string }>(PUBLISH, [
    own.slot,
    own.incarnation,
    jsonToDatabase(presences),
  ])
  return new Set(rows.map(({ id }) => id))
}
