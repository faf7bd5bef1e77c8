/**
 * Who did what (ADMIN-C1, ADMIN-C2). A route or a form declares that it is recorded; the first change that it makes in
 * the
 * database carries the record into the same transaction. What changes nothing there is recorded when it is over.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Writes } from '../ports/storage.ts'
import type { AuditEvent, AuditOutcome } from '../ports/storage-oidc.ts'

type Audited = Omit<AuditEvent, 'outcome'>

interface Underway {
  readonly event: Audited
  /** The first change has taken the record with it. */
  carried?: true
  /** Where it is stored. */
  auditId?: number
}

const underway = new AsyncLocalStorage<Underway>()

/** No changes that anybody ordered, or records themselves. */
const NOT_CARRYING: ReadonlySet<string> = new Set([
  'audit',
  'recorded',
  'setAuditOutcome',
  'touchCredential',
  'touchGrant',
  'touchLoginSession',
])

/** The same operations; what they change while something is being audited is stored together with its record. */
export function auditedWrites(writes: Writes): Writes {
  return new Proxy(writes, {
    get(target, name, receiver) {
      const operation = Reflect.get(target, name, receiver) as unknown
      if (typeof operation !== 'function' || typeof name !== 'string' || NOT_CARRYING.has(name)) return operation
      return async (...args: readonly unknown[]): Promise<unknown> => {
        const one = underway.getStore()
        if (!one || one.carried) return operation(...args)
        one.carried = true
        const { auditId, value } = await writes.recorded({ ...one.event, outcome: 'done' }, name, args)
        one.auditId = auditId
        return value
      }
    },
  })
}

export interface Auditing {
  readonly writes: Pick<Writes, 'audit' | 'setAuditOutcome'>
  readonly log: { error(fields: object, message: string): void }
}

/** @param outcomeOf what became of it, and of what, as far as that shows only now */
export async function audited<T>(
  { writes, log }: Auditing,
  event: Audited,
  work: () => Promise<T> | T,
  outcomeOf: (done: T) => { readonly outcome: AuditOutcome; readonly subject?: string },
): Promise<T> {
  const one: Underway = { event }
  const keep = async (outcome: AuditOutcome, made?: string): Promise<void> => {
    // What was made is the subject only where the order itself named none.
    const subject = event.subject === undefined ? made : undefined
    if (one.auditId === undefined) {
      await writes.audit({ ...event, ...(subject !== undefined && { subject }), outcome })
    } else if (outcome !== 'done' || subject !== undefined) {
      await writes.setAuditOutcome(one.auditId, outcome, subject)
    }
  }
  let done: T
  try {
    done = await underway.run(one, async () => work())
  } catch (error) {
    await keep(outcomeOfError(error)).catch((fault: Error) => {
      log.error({ action: event.kind, error: fault.message }, 'what failed could not be kept in the audit log')
    })
    throw error
  }
  const { outcome, subject } = outcomeOf(done)
  await keep(outcome, subject)
  return done
}

export function outcomeOfStatus(status: number): AuditOutcome {
  if (status < 400) return 'done'
  if (status === 403) return 'forbidden'
  return status < 500 ? 'refused' : 'failed'
}

function outcomeOfError(error: unknown): AuditOutcome {
  const status = error instanceof Error && 'status' in error ? error.status : undefined
  return outcomeOfStatus(typeof status === 'number' ? status : 500)
}
