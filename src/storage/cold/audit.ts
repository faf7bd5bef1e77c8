import { eq } from 'drizzle-orm'
import type { AdministrationWrites } from '../../domain/ports/storage-administration.ts'
import type { AuditEvent } from '../../domain/ports/storage-oidc.ts'
import { auditEvents } from '../schema/oidc.ts'
import { change, type Operations, type Run, type RunOf, remove, type Tours, update, value, type Work } from './work.ts'

/** In the transaction of the event. @returns its id */
export function* keepEvent(event: AuditEvent): Work<number> {
  const { at, kind, accountId, userId, clientId, grantId, ip, actor, role, subject, outcome } = event
  const columns = [at, kind, accountId, userId, clientId, grantId, ip, actor, role, subject, outcome]
  const id = yield* value<number>(
    `INSERT INTO audit_events (at, kind, account_id, user_id, client_id, grant_id, ip, actor, role, subject, outcome)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
    columns.map((one) => one ?? null),
  )
  return id ?? 0
}

// Spelled as in the partial index; with a parameter the planner would not use it.
const END = `UPDATE audit_events SET outcome = 'unknown' WHERE outcome = 'ordered'`
const REMOVE_OLD = 'DELETE FROM audit_events WHERE id IN (SELECT id FROM audit_events WHERE at < ? ORDER BY at LIMIT ?)'

export const auditWrites = {
  *setAuditOutcome(auditId, outcome, subject) {
    yield* update(auditEvents, { outcome, subject }, eq(auditEvents.id, auditId))
  },
  endAuditOutcomes: () => change(END),
  deleteOldAudit: (before, limit) => change(REMOVE_OLD, [before, limit]),
} satisfies Partial<Operations<AdministrationWrites>>

type AnyOperations = Readonly<Record<string, ((...args: readonly unknown[]) => Work<unknown>) | undefined>>
type AnyTours = Readonly<Record<string, ((run: Run, ...args: readonly unknown[]) => Promise<unknown>) | undefined>>

/** ADMIN-C1: a change and its record are one transaction; of several transactions, the first one. */
export function recordedTour(operations: object, tours: object, runOf: RunOf) {
  return {
    async recorded(_, event, name, args) {
      const run = runOf(name, args)
      const operation = (operations as AnyOperations)[name]
      if (operation) return both(run, event, () => operation(...args))
      const tour = (tours as AnyTours)[name]
      if (!tour) throw new Error(`There is no operation ${name}.`)
      let auditId: number | undefined
      const recording: Run = async (work) => {
        if (auditId !== undefined) return run(work)
        const done = await both(run, event, work)
        auditId = done.auditId
        return done.value
      }
      try {
        const value = await tour(recording, ...args)
        auditId ??= await run(() => keepEvent(event))
        return { auditId, value }
      } catch (error) {
        const kept = auditId
        if (kept !== undefined) await run(() => remove(auditEvents, eq(auditEvents.id, kept)))
        throw error
      }
    },
  } satisfies Partial<Tours<AdministrationWrites>>
}

function both<T>(run: Run, event: AuditEvent, work: () => Work<T>): Promise<{ auditId: number; value: T }> {
  return run(function* () {
    const value = yield* work()
    return { auditId: yield* keepEvent(event), value }
  })
}
