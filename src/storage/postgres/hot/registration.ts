/** A node's place among the others: its name, its slot, and the facts shown of all (STORE-N9). */
import type { NodeFacts } from '../../../domain/ports/nodes.ts'
import { DatabaseRefused } from '../../storage-error.ts'
import { inTransaction, type Pool } from '../connection/pool.ts'
import type { Session } from '../connection/session.ts'
import { NOW_MS, SILENT_MS } from '../functions/group.ts'

/** The room of log ids (STORE-I1). */
const SLOTS = 64
/** A live node is heard every second; a restart under the name of a killed one waits no longer than this. */
const SIGN_OF_LIFE_MS = 4_000
const LOOK_EVERY_MS = 250
const SHOWN_MS = 24 * 3_600_000
const NODE_LOCK = 0x70696c6f76

export interface NodeIdentity {
  readonly slot: number
  readonly incarnation: number
}

export interface NodeName {
  /** Empty: a tool's, which is not shown. */
  readonly name: string
  readonly version: string
}

interface NodeRow extends NodeIdentity {
  readonly name: string
  readonly state: string
  readonly seenAt: number
  readonly silentMs: number
}

class NameInUse extends Error {
  readonly by: NodeRow

  constructor(by: NodeRow) {
    super(`The name ${by.name} is in use.`)
    this.by = by
  }
}

/** @throws DatabaseRefused when a live node has this name, or all slots are taken */
export async function register(
  pool: Pool,
  node: NodeName,
  pause: (ms: number) => Promise<void>,
): Promise<NodeIdentity> {
  let gone: NodeRow | undefined
  for (;;) {
    try {
      return await pool.use((session) => takeSlot(session, node, gone))
    } catch (error) {
      if (!(error instanceof NameInUse)) throw error
      gone = error.by
      if (!(await isGone(pool, gone, pause))) {
        throw new DatabaseRefused(
          `A node with the name ${node.name} is running on this database: give each one a name of its own (PILOTWIRE_NODE_NAME).`,
        )
      }
    }
  }
}

/** A live node is heard meanwhile. */
async function isGone(pool: Pool, { slot, incarnation, seenAt }: NodeRow, pause: (ms: number) => Promise<void>) {
  for (let ms = 0; ms < SIGN_OF_LIFE_MS; ms += LOOK_EVERY_MS) {
    await pause(LOOK_EVERY_MS)
    const { rows } = await pool.rows<{ seenAt: number; incarnation: number; state: string }>(
      'SELECT seen_at AS "seenAt", incarnation, state FROM nodes WHERE slot = $1',
      [slot],
    )
    const [now] = rows
    if (!now || now.state === 'fenced' || now.incarnation !== incarnation) return true
    if (now.seenAt !== seenAt) return false
  }
  return true
}

async function takeSlot(session: Session, { name, version }: NodeName, gone: NodeRow | undefined) {
  return inTransaction(session, async () => {
    await session.rows('SELECT pg_advisory_xact_lock($1)', [NODE_LOCK])
    const { rows } = await session.rows<NodeRow>(
      `SELECT slot, incarnation, name, state, seen_at AS "seenAt", ${NOW_MS} - seen_at AS "silentMs"
       FROM nodes ORDER BY slot`,
    )
    const live = name === '' ? undefined : rows.find((row) => row.name === name && isLive(row))
    if (live && (live.slot !== gone?.slot || live.seenAt !== gone.seenAt)) throw new NameInUse(live)
    const free = live?.slot ?? freeSlot(rows, name)
    if (free === undefined) {
      throw new DatabaseRefused(
        `All ${SLOTS} nodes that an installation may have are running: this one cannot start. Stop another one first.`,
      )
    }
    const taken = await session.rows<NodeIdentity>(
      `INSERT INTO nodes (slot, incarnation, last_group, last_id, seen_at, since, name, version, state)
       VALUES ($1, 1, 0, 0, ${NOW_MS}, ${NOW_MS}, $2, $3, 'live')
       ON CONFLICT (slot) DO UPDATE SET incarnation = nodes.incarnation + 1, last_group = 0, last_results = NULL,
         seen_at = excluded.seen_at, since = excluded.since, name = excluded.name, version = excluded.version,
         state = 'live', connections = 0
       RETURNING slot, incarnation`,
      [free, name, version],
    )
    const [identity] = taken.rows
    if (!identity) throw new Error('The node was not registered.')
    return identity
  })
}

function isLive({ state, silentMs }: NodeRow): boolean {
  return state !== 'fenced' && silentMs <= SILENT_MS
}

/** Its former slot under this name; else an unused one; else that of the node that is gone the longest. */
function freeSlot(rows: readonly NodeRow[], name: string): number | undefined {
  const gone = rows.filter((row) => !isLive(row))
  const own = gone.find((row) => name !== '' && row.name === name)
  if (own) return own.slot
  const taken = new Set(rows.map(({ slot }) => slot))
  for (let slot = 0; slot < SLOTS; slot++) if (!taken.has(slot)) return slot
  return gone.sort((a, b) => b.silentMs - a.silentMs)[0]?.slot
}

const LIST = `SELECT DISTINCT ON (name) name, version, since, seen_at AS "lastSeenAt",
    CASE WHEN state = 'fenced' THEN 0 ELSE connections END AS connections,
    CASE WHEN state <> 'fenced' AND ${NOW_MS} - seen_at > ${SILENT_MS} THEN 'silent' ELSE state END AS state
  FROM nodes WHERE name <> '' AND (state <> 'fenced' OR ${NOW_MS} - seen_at < ${SHOWN_MS})
  ORDER BY name, since DESC`

export async function listNodes(session: Session): Promise<readonly NodeFacts[]> {
  return (await session.rows<NodeFacts>(LIST)).rows
}
