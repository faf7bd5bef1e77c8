/** Connections lent out one at a time; broken ones are replaced on the next use. */

import type { Run, Work } from '../../cold/work.ts'
import { asError } from '../../storage-error.ts'
import { ConnectionLost, isConflict, isContentFault, isUniqueViolation, type PostgresAddress } from './address.ts'
import { Session } from './session.ts'
import { bind } from './text.ts'

export interface Pool {
  use<T>(work: (session: Session) => Promise<T>): Promise<T>
  rows: Session['rows']
  value: Session['value']
  close(): Promise<void>
}

export function createPool(address: PostgresAddress, most: number): Pool {
  const idle: Session[] = []
  const all = new Set<Session>()
  const waiting: (() => void)[] = []
  let lent = 0
  let isClosed = false

  const take = async (): Promise<Session> => {
    while (lent >= most && !isClosed) await new Promise<void>((resolve) => waiting.push(resolve))
    if (isClosed) throw new ConnectionLost('The database is closed.')
    lent++
    try {
      for (let session = idle.pop(); session; session = idle.pop()) {
        if (!session.isBroken) return session
        all.delete(session)
      }
      const session = await Session.open(address)
      all.add(session)
      return session
    } catch (error) {
      giveBack(undefined)
      throw error
    }
  }
  const giveBack = (session: Session | undefined): void => {
    lent--
    if (session?.isBroken || isClosed) {
      if (session) all.delete(session)
      void session?.end()
    } else if (session) idle.push(session)
    waiting.shift()?.()
  }

  const use: Pool['use'] = async (work) => {
    const session = await take()
    try {
      return await work(session)
    } finally {
      giveBack(session)
    }
  }

  return {
    use,
    rows: (text, values) => use((session) => session.rows(text, values)),
    value: (text, values) => use((session) => session.value(text, values)),
    async close() {
      isClosed = true
      for (const resume of waiting.splice(0)) resume()
      await Promise.all([...all].map((session) => session.end()))
    },
  }
}

export type After = (ms: number, run: () => void) => () => void

/** Repeats the work after a pause; failed work is repeated likewise. @returns ends it */
export function repeat(after: After, ms: number, work: () => Promise<unknown>): () => void {
  let isStopped = false
  let cancel = (): void => undefined
  const again = (): void => {
    cancel = after(ms, () => {
      work()
        .catch(() => undefined)
        .finally(() => {
          if (!isStopped) again()
        })
    })
  }
  again()
  return () => {
    isStopped = true
    cancel()
  }
}

/** Answers questions together, in one round trip, that callers ask in one turn or while others are under way. */
interface Asked<Question, Answer> {
  readonly question: Question
  resolve(answer: Answer): void
  reject(error: unknown): void
}

/** @param ask answers in order; a content fault is asked again one by one. @param most of one round trip */
export function gathered<Question, Answer>(
  ask: (questions: readonly Question[]) => Promise<readonly Answer[]>,
  most: number,
): (question: Question) => Promise<Answer> {
  let waiting: Asked<Question, Answer>[] = []
  let isUnderWay = false

  const answer = async (asked: readonly Asked<Question, Answer>[]): Promise<void> => {
    try {
      const answers = await ask(asked.map(({ question }) => question))
      for (const [index, { resolve }] of asked.entries()) resolve(answers[index] as Answer)
    } catch (error) {
      if (asked.length > 1 && isContentFault(error)) for (const one of asked) await answer([one])
      else for (const { reject } of asked) reject(error)
    }
  }
  const answerAll = async (): Promise<void> => {
    while (waiting.length > 0) {
      const now = waiting.slice(0, most)
      waiting = waiting.slice(most)
      await answer(now)
    }
    isUnderWay = false
  }

  return (question) =>
    new Promise((resolve, reject) => {
      waiting.push({ question, resolve, reject })
      if (isUnderWay) return
      isUnderWay = true
      setImmediate(() => void answerAll())
    })
}

/** Conflicting writes of two succeed the second time; those of a dozen servers need a few more. */
const MAX_ATTEMPTS = 30
/** A repeated violation is not caused by concurrent work. */
const MAX_VIOLATIONS = 3
const PAUSE_MS = 5

export function readingRun(pool: Pool): Run {
  return (work) => pool.use((session) => carryOut(session, work()))
}

/** `each statement sees what is stored`: for work that locks first; serialisable sees the state before the lock. */
type Isolation = 'serialisable' | 'each statement sees what is stored'

const BEGIN: Readonly<Record<Isolation, string>> = {
  serialisable: 'BEGIN ISOLATION LEVEL SERIALIZABLE',
  'each statement sees what is stored': 'BEGIN ISOLATION LEVEL READ COMMITTED',
}

type Line = <T>(work: () => Promise<T>) => Promise<T>

export function line(): Line {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const done = last.then(work)
    last = done.catch(() => undefined)
    return done
  }
}

interface Manner {
  /** At the end of the same transaction. */
  readonly also?: (session: Session) => Promise<void>
  readonly isolation?: Isolation | undefined
  /** All of it changes the same rows, so it runs one at a time. */
  readonly isInLine?: boolean | undefined
}

/**
 * Conflicting work is repeated, one at a time; so is a unique violation, which then sees the first one's row.
 * @param pause in ms, for other servers' work @param inLine this server's queue
 */
export function writingRun(
  pool: Pool,
  pause: (ms: number) => Promise<void>,
  inLine: Line,
  { also = async () => undefined, isolation = 'serialisable', isInLine = false }: Manner = {},
): Run {
  return async (work) => {
    const once = () =>
      pool.use((session) =>
        inTransaction(
          session,
          async () => {
            const value = await carryOut(session, work())
            await also(session)
            return value
          },
          isolation,
        ),
      )
    let violations = 0
    const mayPass = (error: unknown): boolean =>
      isConflict(error) || (isUniqueViolation(error) && ++violations < MAX_VIOLATIONS)
    const repeated = async (from: number): ReturnType<typeof once> => {
      for (let attempt = from; ; attempt++) {
        try {
          return await once()
        } catch (error) {
          if (attempt === MAX_ATTEMPTS || !mayPass(error)) throw error
          await pause(PAUSE_MS * attempt)
        }
      }
    }
    if (isInLine) return inLine(() => repeated(1))
    try {
      return await once()
    } catch (error) {
      if (!mayPass(error)) throw error
      return inLine(() => repeated(2))
    }
  }
}

/** Each of its statements sees what is stored, unless serializable. */
export async function inTransaction<T>(
  session: Session,
  work: () => Promise<T>,
  isolation: Isolation = 'each statement sees what is stored',
): Promise<T> {
  await session.run(BEGIN[isolation])
  try {
    const value = await work()
    await session.run('COMMIT')
    return value
  } catch (error) {
    if (!(error instanceof ConnectionLost)) await session.run('ROLLBACK').catch(() => session.end())
    throw asError(error)
  }
}

export async function carryOut<T>(session: Session, work: Work<T>): Promise<T> {
  let step = work.next()
  while (!step.done) {
    const statement = step.value
    const { text, values } = bind(statement)
    try {
      const answer = statement.rows === 'arrays' ? await session.arrays(text, values) : await session.rows(text, values)
      step = work.next(answer)
    } catch (error) {
      // Even if the work handles the fault, PostgreSQL refuses the rest of the transaction.
      step = work.throw(error)
    }
  }
  return step.value
}
