/** This process as a writer: its slot, its charge points, and the connection that commits groups. */

import type { PostgresAddress } from '../connection/address.ts'
import type { Pool } from '../connection/pool.ts'
import { Session } from '../connection/session.ts'
import { NOW_MS, TAKES } from '../functions/group.ts'
import { FUNCTIONS } from '../functions/names.ts'
import { type NodeIdentity, type NodeName, register } from './registration.ts'

const CLAIM = `SELECT * FROM ${FUNCTIONS.claim.name}($1, $2, $3, $4)`

interface LastGroup {
  readonly lastGroup: number
  readonly lastResults: string | null
}

export class Node {
  readonly epochs = new Map<string, number>()
  /** Lost, or read without ownership: loaded again before anything of them is stored. */
  readonly foreign = new Set<string>()
  lastGroup = 0
  readonly #address: PostgresAddress
  readonly #pool: Pool
  readonly #name: NodeName
  readonly #pause: (ms: number) => Promise<void>
  #session: Promise<Session> | undefined
  #identity: Promise<NodeIdentity> | undefined
  #isClosed = false

  constructor(address: PostgresAddress, pool: Pool, name: NodeName, pause: (ms: number) => Promise<void>) {
    this.#address = address
    this.#pool = pool
    this.#name = name
    this.#pause = pause
  }

  /** Lazy: a tool that only changes settings is no node. */
  identity(): Promise<NodeIdentity> {
    if (this.#isClosed) return Promise.reject(new Error('This node has ended.'))
    this.#identity ??= register(this.#pool, this.#name, this.#pause).catch((error: unknown) => {
      this.#identity = undefined
      throw error
    })
    return this.#identity
  }

  get isRegistered(): boolean {
    return this.#identity !== undefined
  }

  own(chargePoint: string, epoch: number): void {
    this.epochs.set(chargePoint, epoch)
    this.foreign.delete(chargePoint)
  }

  /** @param epoch at the time of the question: since then it may have become this node's again */
  disown(chargePoint: string, epoch: number | undefined): void {
    if (this.epochs.get(chargePoint) !== epoch) return
    this.epochs.delete(chargePoint)
    this.foreign.add(chargePoint)
  }

  /** Another process has the slot: nothing is owned any more. */
  forget(): void {
    this.#identity = undefined
    for (const id of this.epochs.keys()) this.foreign.add(id)
    this.epochs.clear()
    this.lastGroup = 0
  }

  async session(): Promise<Session> {
    const known = await this.#session?.catch(() => undefined)
    if (known && !known.isBroken) return known
    this.#session = Session.open(this.#address).then(async (session) => {
      // Else the planner plans for the lists of each group anew.
      await session.run('SET plan_cache_mode = force_generic_plan')
      return session
    })
    return this.#session
  }

  async claim(chargePoints: readonly string[]): Promise<void> {
    const { slot, incarnation } = await this.identity()
    const { rows } = await this.#pool.rows<{ charge_point: string; epoch: number }>(CLAIM, [
      slot,
      incarnation,
      chargePoints,
      TAKES.unconnected,
    ])
    for (const row of rows) this.own(row.charge_point, row.epoch)
  }

  /** Undefined: this node was fenced. An unstored group's number is used up, so a late arrival is refused. */
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
  async beat(connections: number, state: 'live' | 'draining'): Promise<boolean> {
    if (!this.#identity) return true
    const { slot, incarnation } = await this.#identity
    const { changes } = await this.#pool.rows(
      `UPDATE nodes SET seen_at = ${NOW_MS}, connections = $3, state = $4 WHERE slot = $1 AND incarnation = $2`,
      [slot, incarnation, connections, state],
    )
    return changes === 1
  }

  /** Returns the slot and all ownership, so that no other node waits for its silence. */
  async close(): Promise<void> {
    const identity = this.#identity
    this.#isClosed = true
    try {
      if (identity) {
        const { slot, incarnation } = await identity
        await this.#pool.rows(
          `UPDATE nodes SET state = 'fenced', incarnation = incarnation + 1, connections = 0, seen_at = ${NOW_MS}
            WHERE slot = $1 AND incarnation = $2`,
          [slot, incarnation],
        )
      }
    } catch {
      // Silence will end it.
    }
    await (await this.#session?.catch(() => undefined))?.end()
  }
}
