/**
 * Who did what (ADMIN-C1, ADMIN-C2, ADMIN-C4). A route or a form declares that it is recorded. Its first change in the
 * database carries the record, as `ordered`, into the same transaction; before its first order to the core the record
 * is committed. What became of it follows when it is over. An order that changes nothing is recorded then.
 */

import { AsyncLocalStorage } from 'node:async_hooks'
import type { Core } from '../../domain/ports/core.ts'
import type { Writes } from '../../domain/ports/storage.ts'
import type { AuditEvent, AuditOutcome } from '../../domain/ports/storage-oidc.ts'
import { oneLine } from '../../domain/typed-text.ts'

type Audited = Omit<AuditEvent, 'outcome'>

interface Underway {
  event: Audited
  answer?: string | undefined
  answered?: AuditOutcome | undefined
  isOnlyAsked?: true | undefined
  /** The record is being stored, with the first change or before the first order. Undefined: it was not, or in vain. */
  storing?: Promise<number | undefined>
  /** What is still done in its name, such as a timer that it set, is no part of it. */
  isOver?: true | undefined
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

const ORDERS: ReadonlySet<string> = new Set<keyof Core>([
  'sendCommand',
  'startSession',
  'stopSession',
  'settle',
  'decideBlock',
  'orderReport',
  'settleConfigurations',
  'removeChargePoint',
  'disconnect',
])

/** The same operations; what they change while something is being audited is stored together with its record. */
export function auditedWrites(writes: Writes): Writes {
  return wrapped(writes, (name, operation) => async (...args) => {
    const one = NOT_CARRYING.has(name) ? undefined : current()
    if (!one || one.storing) return operation(...args)
    const both = writes.recorded({ ...one.event, outcome: 'ordered' }, name, args)
    store(
      one,
      both.then(({ auditId }) => auditId),
    )
    return (await both).value
  })
}

/** The same operations; what is ordered of the core while something is being audited has its record stored before. */
export function auditedCore<Some extends object>(core: Some, writes: Pick<Writes, 'audit'>): Some {
  return wrapped(core, (name, operation) => {
    if (!ORDERS.has(name)) return operation
    return async (...args) => {
      const one = current()
      if (one) await stored(one, writes)
      return operation(...args)
    }
  })
}

const MAX_SUBJECT_CHARACTERS = 300

/** Names the order where its address names only the subject (ADMIN-C7); before any change. @param of the subject */
export function orderIs(words: string, of?: string): void {
  const one = current()
  if (!one || one.storing) return
  one.event = { ...one.event, subject: orderOf(words, of ?? one.event.subject) }
}

/** Says what came of it, in the words of the answer, and what that means for the outcome (ADMIN-C7). */
export function answerIs(words: string, outcome: AuditOutcome = 'done'): void {
  const one = current()
  if (one) Object.assign(one, { answer: words, answered: outcome })
}

/** The id of its record, once its first change is stored: later outcomes are added there. */
export async function auditIdOfOrder(): Promise<number | undefined> {
  return current()?.storing
}

/** The caller is asked to confirm first: no order yet, and recorded only if it has changed something. */
export function isOnlyAsked(): void {
  const one = current()
  if (one) one.isOnlyAsked = true
}

/** @example orderOf('Reset (hard)', 'LOG-0020') === 'Reset (hard) of LOG-0020' */
export function orderOf(words: string, of: string | undefined): string {
  return cut(of === undefined ? words : `${words} of ${of}`)
}

function cut(subject: string): string {
  return oneLine(subject, MAX_SUBJECT_CHARACTERS)
}

function current(): Underway | undefined {
  const one = underway.getStore()
  return one?.isOver ? undefined : one
}

/** @throws what the storage does: an order without a record does not leave */
async function stored(one: Underway, writes: Pick<Writes, 'audit'>): Promise<void> {
  while (one.storing) if ((await one.storing) !== undefined) return
  const auditId = writes.audit({ ...one.event, outcome: 'ordered' })
  store(one, auditId)
  await auditId
}

/** What could not be stored has changed nothing: the next change takes the record with it. */
function store(one: Underway, auditId: Promise<number>): void {
  one.storing = auditId.catch(() => {
    delete one.storing
    return undefined
  })
}

type Operation = (...args: readonly unknown[]) => unknown

function wrapped<Some extends object>(some: Some, wrap: (name: string, operation: Operation) => Operation): Some {
  return new Proxy(some, {
    get(target, name, receiver) {
      const operation = Reflect.get(target, name, receiver) as unknown
      return typeof operation === 'function' && typeof name === 'string'
        ? wrap(name, operation as Operation)
        : operation
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
  outcomeOf: (done: T) => { readonly outcome: AuditOutcome; readonly subject?: string | undefined },
): Promise<T> {
  const one: Underway = { event }
  const keep = async (outcome: AuditOutcome, made?: string): Promise<void> => {
    const { answer } = one
    const known = one.event.subject
    // What was made is the subject only where the order itself named none.
    const about = known ?? made
    const reported = answer === undefined ? about : cut(about === undefined ? answer : `${about}: ${answer}`)
    const subject = reported === known ? undefined : reported
    const auditId = await one.storing
    one.isOver = true
    if (auditId === undefined) {
      if (!one.isOnlyAsked) await writes.audit({ ...one.event, ...(subject !== undefined && { subject }), outcome })
      return
    }
    // It is done all the same, and recorded as ordered: the caller still gets its outcome.
    await writes.setAuditOutcome(auditId, outcome, subject).catch(report)
  }
  const report = (fault: Error): void =>
    log.error(
      { action: event.kind, error: fault.message },
      'what became of an order could not be kept in the audit log',
    )
  let done: T
  try {
    done = await underway.run(one, async () => work())
  } catch (error) {
    await keep(outcomeOfError(error)).catch(report)
    throw error
  }
  const { outcome, subject } = outcomeOf(done)
  await keep(outcome === 'done' ? (one.answered ?? outcome) : outcome, subject)
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
