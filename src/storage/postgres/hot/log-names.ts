/** Numbers of methods and protocols never change: cached for good. Charge points may get another log: per group. */

import type { ChangeSet } from '../../../domain/ports/storage-records.ts'
import { keepNewest } from '../../../limits/keep-newest.ts'
import type { Pool } from '../connection/pool.ts'
import { toDatabase } from '../connection/text.ts'

const TABLES = ['log_methods', 'log_protocols'] as const
type Table = (typeof TABLES)[number]

/** Real ones are about a hundred; beyond this, invented names are asked for again. */
const MAX_NAMES = 10_000

const add = (table: Table): string => `INSERT INTO ${table} (name) SELECT x.name FROM unnest($1::text[]) AS x(name)
  WHERE NOT EXISTS (SELECT 1 FROM ${table} AS known WHERE md5(known.name) = md5(x.name)) ORDER BY 1
  ON CONFLICT (md5(name)) DO NOTHING`
const find = (table: Table): string =>
  `SELECT name, key FROM ${table} WHERE md5(name) = ANY(ARRAY(SELECT md5(x) FROM unnest($1::text[]) AS x))`

export class LogNames {
  readonly #pool: Pool
  readonly #keys: Readonly<Record<Table, Map<string, number>>> = { log_methods: new Map(), log_protocols: new Map() }

  constructor(pool: Pool) {
    this.#pool = pool
  }

  knows(sets: readonly ChangeSet[]): boolean {
    const { log_methods: methods, log_protocols: protocols } = this.#keys
    return sets.every(({ command }) => !command || (methods.has(command.method) && protocols.has(command.protocol)))
  }

  async learn(sets: readonly ChangeSet[]): Promise<void> {
    const requested: Readonly<Record<Table, Set<string>>> = { log_methods: new Set(), log_protocols: new Set() }
    for (const { command } of sets) {
      if (!command) continue
      requested.log_methods.add(command.method)
      requested.log_protocols.add(command.protocol)
    }
    await this.#pool.use(async (session) => {
      for (const table of TABLES) {
        const keys = this.#keys[table]
        const most = Math.max(MAX_NAMES, requested[table].size)
        const unknown: string[] = []
        for (const name of requested[table]) {
          const key = keys.get(name)
          if (key === undefined) unknown.push(name)
          // Keeps the present ones from replacing each other.
          else keepNewest(keys, name, key, most)
        }
        if (unknown.length === 0) continue
        const names = [[...new Set(unknown.map(toDatabase))]]
        await session.rows(add(table), names)
        const { rows } = await session.rows<{ name: string; key: number }>(find(table), names)
        for (const { name, key } of rows) keepNewest(keys, name, key, most)
      }
    })
  }

  /** A restored database may number them differently. */
  forget(): void {
    for (const table of TABLES) this.#keys[table].clear()
  }

  methodKey(name: string): number {
    return this.#key('log_methods', name)
  }

  protocolKey(name: string): number {
    return this.#key('log_protocols', name)
  }

  #key(table: Table, name: string): number {
    const key = this.#keys[table].get(name)
    if (key === undefined) throw new RangeError(`The database returned no number for a name in ${table}.`)
    return key
  }
}
