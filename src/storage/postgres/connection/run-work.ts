/** Runs the work of the cold port: each statement one round trip, a write in one serializable transaction. */
import type { Run, Work } from '../../cold/work.ts'
import { asError } from '../../storage-error.ts'
import { ConnectionLost, isConflict, isUniqueViolation } from './failures.ts'
import type { Pool } from './pool.ts'
import type { Session } from './session.ts'
import { bind } from './text.ts'

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

export type Line = <T>(work: () => Promise<T>) => Promise<T>

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
