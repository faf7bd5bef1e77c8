import type { Database, Statement } from 'better-sqlite3'

/** Few shapes are in use; a client that tries out thousands must not fill the memory. */
const KEPT = 500

export function statementCache(db: Database): (sql: string) => Statement<unknown[]> {
  const kept = new Map<string, Statement<unknown[]>>()
  return (sql) => {
    const found = kept.get(sql)
    if (found) return found
    const made = db.prepare<unknown[]>(sql)
    const [oldest] = kept.keys()
    if (kept.size >= KEPT && oldest !== undefined) kept.delete(oldest)
    kept.set(sql, made)
    return made
  }
}
