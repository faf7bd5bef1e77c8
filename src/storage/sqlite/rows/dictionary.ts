/** Names that repeat in every log row, kept once and referred to by a small integer. */
import type { Database } from 'better-sqlite3'

/** A hostile station can invent names; memory stays bounded however many it sends. */
const REMEMBERED = 10_000

export interface LogNames {
  readonly chargePoint: (name: string) => number
  readonly method: (name: string) => number
  readonly protocol: (name: string) => number
  /** What is remembered may be wrong: after a rollback, a renamed row, or when another process wrote. */
  readonly forget: () => void
}

export function logNames(db: Database): LogNames {
  const chargePoints = dictionary(db, 'log_charge_points')
  const methods = dictionary(db, 'log_methods')
  const protocols = dictionary(db, 'log_protocols')
  return {
    chargePoint: chargePoints.keep,
    method: methods.keep,
    protocol: protocols.keep,
    forget: () => {
      for (const one of [chargePoints, methods, protocols]) one.forget()
    },
  }
}

function dictionary(db: Database, table: 'log_charge_points' | 'log_methods' | 'log_protocols') {
  const find = db.prepare<[string], number>(`SELECT key FROM ${table} WHERE name = ?`).pluck()
  const insert = db.prepare<[string]>(`INSERT INTO ${table} (name) VALUES (?)`)
  const known = new Map<string, number>()
  return {
    /** Key of a name, given one when it is new. Only inside a write transaction. */
    keep: (name: string): number => {
      const remembered = known.get(name)
      if (remembered !== undefined) return remembered
      const key = find.get(name) ?? Number(insert.run(name).lastInsertRowid)
      if (known.size >= REMEMBERED) known.clear()
      known.set(name, key)
      return key
    },
    forget: () => known.clear(),
  }
}
