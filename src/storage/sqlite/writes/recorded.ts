import type { Database } from 'better-sqlite3'
import { eq, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import type { Writes } from '../../../ports/storage.ts'
import type { AuditEvent } from '../../../ports/storage-oidc.ts'
import { auditEvents } from '../schema/oidc.ts'

type Recorded = 'recorded' | 'setAuditOutcome' | 'endAuditOutcomes' | 'deleteOldAudit'

/** ADMIN-C1: what was done and the record of it are one transaction. */
export function recordedWrites(client: Database, writes: Omit<Writes, Recorded>): Pick<Writes, Recorded> {
  const db = drizzle(client)
  // Named as in the index, which holds only these rows; a parameter would not be known to be in it.
  const ordered = sql`${auditEvents.outcome} = 'ordered'`
  const removeOld = client.prepare(
    'DELETE FROM audit_events WHERE id IN (SELECT id FROM audit_events WHERE at < ? ORDER BY at LIMIT ?)',
  )
  const operations = new Map<string, unknown>(Object.entries(writes))
  const both = client.transaction((event: AuditEvent, work: () => Promise<unknown>) => {
    // The operation has done its work when it returns its promise.
    const value = work()
    return { auditId: Number(db.insert(auditEvents).values(event).run().lastInsertRowid), value }
  })
  return {
    async recorded(event, operation, args) {
      const run = operations.get(operation) as ((...args: readonly unknown[]) => Promise<unknown>) | undefined
      if (!run) throw new Error(`There is no operation ${operation}.`)
      let value: Promise<unknown> | undefined
      const { auditId } = both.immediate(event, () => {
        value = run(...args)
        // Whoever waits for it is told below; until then a refusal is nobody's.
        value.catch(() => undefined)
        return value
      })
      try {
        return { auditId, value: await value }
      } catch (error) {
        // A failed operation has changed nothing, so there is nothing to tell.
        db.delete(auditEvents).where(eq(auditEvents.id, auditId)).run()
        throw error
      }
    },
    setAuditOutcome: async (auditId, outcome, subject) => {
      const change = { outcome, ...(subject !== undefined && { subject }) }
      db.update(auditEvents).set(change).where(eq(auditEvents.id, auditId)).run()
    },
    endAuditOutcomes: async () => db.update(auditEvents).set({ outcome: 'unknown' }).where(ordered).run().changes,
    deleteOldAudit: async (before, limit) => removeOld.run(before, limit).changes,
  }
}
