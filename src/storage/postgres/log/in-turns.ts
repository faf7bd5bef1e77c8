/** The log's queries in turns per line (SEARCH-Q12); a slow or abandoned one is cancelled at the server. */

import type { LogInTurns, LogPageQuery, LogReads, Turn } from '../../../domain/ports/storage.ts'
import { TurnError } from '../../../threads/turns.ts'
import { anyOf, eachOperation } from '../../each-operation.ts'
import { lineOf } from '../../lines.ts'
import { HOT_READS } from '../../operations.ts'
import type { Pool } from '../connection/pool.ts'
import type { After } from '../connection/repeat.ts'
import type { Session } from '../connection/session.ts'
import { logReadsOn } from './log-reads.ts'

/** @param control a pool for what must not wait behind searches */
export function logInTurns(pool: Pool, control: Pool, salt: bigint, after: After): LogInTurns {
  const lines = new Map<string, { last: Promise<unknown>; waiting: number }>()

  const cancellable = async <T>(turn: Turn, limitMs: number, work: (session: Session) => Promise<T>): Promise<T> =>
    pool.use(async (session) => {
      let ended: TurnError | undefined
      const cancel = (code: TurnError['code'], message: string) => (): void => {
        ended ??= new TurnError(code, message)
        void control
          .use((other) => other.rows('SELECT pg_cancel_backend($1::int)', [session.pid]))
          .catch(() => undefined)
      }
      const late = after(limitMs, cancel('TURN_TIMEOUT', 'The work took too long.'))
      const gone = cancel('TURN_CANCELLED', 'The caller cancelled the query.')
      turn.signal?.addEventListener('abort', gone)
      try {
        return await work(session)
      } catch (error) {
        throw ended ?? error
      } finally {
        late()
        turn.signal?.removeEventListener('abort', gone)
        // A cancellation under way must not hit the connection's next query.
        if (ended) await session.end()
      }
    })

  return (turn) => {
    const read = async (name: string, args: readonly unknown[]): Promise<unknown> => {
      const line = lineOf(turn, name === 'readLogPage' && (args[0] as LogPageQuery).count ? 2 : 1)
      const own = lines.get(line.key) ?? { last: Promise.resolve(), waiting: 0 }
      if (own.waiting >= (line.most ?? Number.POSITIVE_INFINITY)) {
        throw new TurnError('TURN_LINE_FULL', 'Too many queries are waiting in this line.')
      }
      lines.set(line.key, own)
      own.waiting++
      const startedAt = performance.now()
      const done = own.last.then(() => {
        if (turn.signal?.aborted) throw new TurnError('TURN_CANCELLED', 'The caller cancelled the query.')
        return cancellable(turn, line.limitMs ?? 5_000, (session) => {
          turn.waited?.(performance.now() - startedAt)
          return anyOf(logReadsOn(session, salt), name)(...args)
        })
      })
      own.last = done
        .catch(() => undefined)
        .finally(() => {
          own.waiting--
          if (own.waiting === 0) lines.delete(line.key)
        })
      return done
    }
    return eachOperation<LogReads>(
      HOT_READS,
      (_, name) =>
        (...args) =>
          read(name, args),
    )
  }
}
