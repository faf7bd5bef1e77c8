import { logIdAt } from '../../../domain/message-log/log-id.ts'
import type {
  NodeAddress,
  OtherNodes,
  Presence,
  PresentElsewhere,
  Whereabouts,
} from '../../../domain/ports/other-nodes.ts'
import type { ChargePointStatus } from '../../../domain/ports/sessions.ts'
import { COMMAND_COLUMNS, type CommandRow, OUT, readCommand } from '../../rows/command-row.ts'
import type { PostgresAddress } from '../connection/address.ts'
import { type After, createPool, gathered, type Pool } from '../connection/pool.ts'
import { jsonToDatabase, toDatabase } from '../connection/text.ts'
import { ALIVE, NOW_MS } from '../functions/group.ts'
import type { Node } from '../hot/node.ts'
import { Mailbox } from './mailbox.ts'

const CONNECTIONS = 3
const ASKED_AT_ONCE = 200

const STORED = `SELECT ${COMMAND_COLUMNS} FROM commands AS command
  WHERE command.charge_point = (SELECT key FROM log_charge_points WHERE name = $1) AND command.id >= $2
    AND command.direction = ${OUT} AND command.method = (SELECT key FROM log_methods WHERE name = $3)
    AND command.request = $4
  ORDER BY command.id DESC LIMIT 1`

export function createOtherNodes(
  address: PostgresAddress,
  node: Node,
  after: After,
): OtherNodes & { close(): Promise<void> } {
  const pool = createPool(address, CONNECTIONS)
  const own = () => node.identity()
  // A tool that only changes settings sends no requests.
  let made: Mailbox | undefined
  const mailbox = (): Mailbox => {
    made ??= new Mailbox({ address, pool, own, after, monotonic: () => performance.now() })
    return made
  }
  // Before each order that is for another node: those of one turn are one question.
  const whereaboutsOfOne = gathered<string, OwnerRows>(async (ids) => {
    const rows = await readWhereabouts(pool, ids)
    return ids.map((id) => rows.filter((row) => row.id === id))
  }, ASKED_AT_ONCE)
  return {
    async whereabouts(ids) {
      const identity = await own()
      const rows = ids.length === 1 ? await whereaboutsOfOne(ids[0] ?? '') : await readWhereabouts(pool, ids)
      return new Map(rows.map((row) => [row.id, whereaboutsOf(row, { address: identity, epochs: node.epochs })]))
    },
    presentElsewhere: async (offlineMs, accountId) => readElsewhere(pool, await own(), offlineMs, accountId),
    send: (to, request, limitMs) => mailbox().send(to, request, limitMs),
    tellAll: (request) => mailbox().tellAll(request),
    serve: (answer) => mailbox().serve(answer),
    stopServing: () => made?.stopServing(),
    refused: (ids) => readRefused(pool, ids),
    publish: async (presences) => publishPresences(pool, await own(), presences),
    async storedCommand(chargePointId, { method, request, since }) {
      const values = [toDatabase(chargePointId), logIdAt(since), toDatabase(method), toDatabase(request)]
      const { rows } = await pool.rows<CommandRow>(STORED, values)
      return rows[0] && readCommand(rows[0], chargePointId)
    },
    async close() {
      await made?.close()
      await pool.close()
    },
  }
}

/** The owners of charge points, and their connections: one statement however many they are. */
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

type OwnerRows = readonly OwnerRow[]

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
function whereaboutsOf(
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

async function readWhereabouts(pool: Pool, ids: readonly string[]): Promise<OwnerRows> {
  const { rows } = await pool.rows<OwnerRow>(WHEREABOUTS, [ids.map(toDatabase)])
  return rows
}

async function readElsewhere(
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

async function readRefused(pool: Pool, ids: readonly string[]): Promise<readonly string[]> {
  const { rows } = await pool.rows<{ readonly n: number }>(REFUSED, [ids.map(toDatabase)])
  return rows.flatMap(({ n }) => ids[n - 1] ?? [])
}

async function publishPresences(
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
