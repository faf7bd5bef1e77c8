/** Carries out the work of the cold port: each statement one journey, a write in one serialisable transaction. */
import type { Run, Work } from '../../cold/work.ts'
import { bind } from './bind.ts'
import { asError, ConnectionLost, isConflict } from './failures.ts'
import type { Pool } from './pool.ts'
import type { Session } from './session.ts'

/** Two that are in each other's way succeed the second time; a dozen at once need a few more. */
const MOST_ATTEMPTS = 30
const PAUSE_MS = 5

export function readingRun(pool: Pool): Run {
  return (work) => pool.use((session) => carryOut(session, work()))
}

/**
 * `each statement sees what is stored`: for work that takes a lock first. In a serialisable transaction it would see
 * what was there before it had the lock.
 */
export type Isolation = 'serialisable' | 'each statement sees what is stored'

const BEGIN: Readonly<Record<Isolation, string>> = {
  serialisable: 'BEGIN ISOLATION LEVEL SERIALIZABLE',
  'each statement sees what is stored': 'BEGIN ISOLATION LEVEL READ COMMITTED',
}

/**
 * @param pause waits so many milliseconds
 * @param also done in the same transaction, at its end
 */
export function writingRun(
  pool: Pool,
  pause: (ms: number) => Promise<void>,
  also: (session: Session) => Promise<void> = async () => undefined,
  isolation: Isolation = 'serialisable',
): Run {
  return async (work) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await pool.use((session) =>
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
      } catch (error) {
        if (!isConflict(error) || attempt === MOST_ATTEMPTS) throw error
        await pause(PAUSE_MS * attempt)
      }
    }
  }
}

export async function inTransaction<T>(
  session: Session,
  work: () => Promise<T>,
  isolation: Isolation = 'serialisable',
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
      // The work may know the fault; PostgreSQL then refuses the rest of the transaction all the same.
      step = work.throw(error)
    }
  }
  return step.value
}
