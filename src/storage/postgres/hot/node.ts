/**
 * This process among those that write to the database: its slot, the charge points that are its own, and the one
 * connection over which groups are committed.
 */

import { DatabaseRefused } from '../../storage-error.ts'
import type { PostgresAddress } from '../connection/address.ts'
import type { Pool } from '../connection/pool.ts'
import { Session } from '../connection/session.ts'
import { NOW_MS } from '../functions/group.ts'
import { FUNCTIONS } from '../functions/names.ts'

const SLOTS = 64
/** A node that was silent for so long, by the database's clock, is taken for gone. */
export const SILENT_MS = 15_000
const NODE_LOCK = 0x70696c6f76

export interface NodeIdentity {
  readonly slot: number
  readonly incarnation: number
}

interface NodeRow extends NodeIdentity {
  readonly name: string
  readonly state: string
  readonly silentMs: number
}

export interface LastGroup {
  readonly lastGroup: number
  readonly lastResults: string | null
}

export class Node {
  /** Proof that a charge point is ours: by its epoch. */
  readonly epochs = new Map<string, number>()
  lastGroup = 0
  readonly #address: PostgresAddress
  readonly #pool: Pool
  readonly #name: string
  readonly #version: string
  #session: Promise<Session> | undefined
  #identity: Promise<NodeIdentity> | undefined

  constructor(address: PostgresAddress, pool: Pool, name: string, version: string) {
    this.#address = address
    this.#pool = pool
    this.#name = name
    this.#version = version
  }

  /** Made when the first group or charge point needs it: a tool that only changes settings is no node. */
  identity(): Promise<NodeIdentity> {
    this.#identity ??= this.#register().catch((error: unknown) => {
      this.#identity = undefined
      throw error
    })
    return this.#identity
  }

  get isRegistered(): boolean {
    return this.#identity !== undefined
  }

  /** Somebody else has the slot: everything that was ours is not any more. */
  forget(): void {
    this.#identity = undefined
    this.epochs.clear()
    this.lastGroup = 0
  }

  /** The connection of the groups; a new one when the last has ended. */
  async session(): Promise<Session> {
    const known = await this.#session?.catch(() => undefined)
    if (known && !known.isBroken) return known
    this.#session = Session.open(this.#address)
    return this.#session
  }

  /** Those of them that are not ours yet. */
  async claim(chargePoints: readonly string[]): Promise<void> {
    const { slot, incarnation } = await this.identity()
    const { rows } = await this.#pool.use((session) =>
      session.rows<{ charge_point: string; epoch: number }>(`SELECT * FROM ${FUNCTIONS.claim.name}($1, $2, $3)`, [
        slot,
        incarnation,
        chargePoints,
      ]),
    )
    for (const row of rows) this.epochs.set(row.charge_point, row.epoch)
  }

  /**
   * What became of the last group: waits for it while the server still works on it, and has the answer stored before it
   * is believed. Where it was not stored its number is used up, so that it is refused should it still arrive. Undefined
   * when this node has been fenced.
   */
  async lookUpLastGroup(number: number): Promise<LastGroup | undefined> {
    const { slot, incarnation } = await this.identity()
    const session = await this.session()
    const { rows } = await session.rows<LastGroup>(
      `UPDATE nodes SET seen_at = ${NOW_MS},
         last_group = CASE WHEN last_group < $3::bigint THEN $3::bigint + 1 ELSE last_group END
       WHERE slot = $1 AND incarnation = $2
       RETURNING last_group AS "lastGroup", last_results AS "lastResults"`,
      [slot, incarnation, number],
    )
    return rows[0]
  }

  /** @returns false when this node has been fenced */
  async beat(): Promise<boolean> {
    if (!this.#identity) return true
    const { slot, incarnation } = await this.#identity
    const { changes } = await this.#pool.use((session) =>
      session.rows(`UPDATE nodes SET seen_at = ${NOW_MS} WHERE slot = $1 AND incarnation = $2`, [slot, incarnation]),
    )
    return changes === 1
  }

  /** Gives the slot back, so that nobody waits for it to be silent. */
  async close(): Promise<void> {
    try {
      if (this.#identity) {
        const { slot, incarnation } = await this.#identity
        await this.#pool.use((session) =>
          session.rows(
            `UPDATE nodes SET state = 'fenced', incarnation = incarnation + 1
            WHERE slot = $1 AND incarnation = $2`,
            [slot, incarnation],
          ),
        )
      }
    } catch {
      // It will be silent.
    }
    await (await this.#session?.catch(() => undefined))?.end()
  }

  #register(): Promise<NodeIdentity> {
    return this.#pool.use(async (session) => {
      await session.run('BEGIN')
      try {
        await session.rows('SELECT pg_advisory_xact_lock($1)', [NODE_LOCK])
        const { rows } = await session.rows<NodeRow>(
          `SELECT slot, incarnation, name, state, ${NOW_MS} - seen_at AS "silentMs" FROM nodes ORDER BY slot`,
        )
        const free = freeSlot(rows)
        if (free === undefined) {
          throw new DatabaseRefused(
            `All ${SLOTS} nodes that an installation may have are running: this one cannot start.`,
          )
        }
        const taken = await session.rows<NodeIdentity>(
          `INSERT INTO nodes (slot, incarnation, last_group, last_id, seen_at, since, name, version, state)
           VALUES ($1, 1, 0, 0, ${NOW_MS}, ${NOW_MS}, $2, $3, 'live')
           ON CONFLICT (slot) DO UPDATE SET incarnation = nodes.incarnation + 1, last_group = 0, last_results = NULL,
             seen_at = excluded.seen_at, since = excluded.since, name = excluded.name, version = excluded.version,
             state = 'live'
           RETURNING slot, incarnation`,
          [free, this.#name, this.#version],
        )
        await session.run('COMMIT')
        const [identity] = taken.rows
        if (!identity) throw new Error('The node was not registered.')
        return identity
      } catch (error) {
        await session.run('ROLLBACK').catch(() => session.end())
        throw error
      }
    })
  }
}

function freeSlot(rows: readonly NodeRow[]): number | undefined {
  for (let slot = 0; slot < SLOTS; slot++) {
    const row = rows.find((one) => one.slot === slot)
    if (!row || row.state === 'fenced' || row.silentMs > SILENT_MS) return slot
  }
  return undefined
}
