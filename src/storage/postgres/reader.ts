import { type SQLChunk, sql } from 'drizzle-orm'
import type { LogInTurns, LogReads, Reads, Turn } from '../../domain/ports/storage.ts'
import type { LogPageQuery } from '../../domain/ports/storage-queries.ts'
import { TurnError } from '../../threads/turns.ts'
import { findChargePoints } from '../cold/charge-points.ts'
import { coldReads } from '../cold/cold-port.ts'
import { oidcReads } from '../cold/oidc/reads.ts'
import { list, type Run, type Work, worded } from '../cold/work.ts'
import type { ReaderThread, ReadingSide } from '../database.ts'
import { anyOf, eachOperation, HOT_READS, lineOf, withFailures } from '../operations.ts'
import { credentials, users } from '../schema/accounts.ts'
import { type PostgresAddress, storageError } from './connection/address.ts'
import { type After, createPool, gathered, type Pool, readingRun } from './connection/pool.ts'
import type { Session } from './connection/session.ts'
import { postgresDialect } from './dialect.ts'
import { logReadsOn } from './log/log-reads.ts'
import { logSalt, requireMigrated, requireWhole } from './migrate.ts'
import { newestLogId } from './partitions.ts'
import { after } from './writer.ts'

/** Look-ups at once; searches use connections of their own (SEARCH-Q10). */
const LOOK_UPS = 6
const SEARCHES = 4

/** @param what `also unfinished`: even while a copy into it is unfinished (copy/target.ts) */
export async function openPostgresReader(
  address: PostgresAddress,
  what: 'whole' | 'also unfinished' = 'whole',
): Promise<ReadingSide & { readonly close: () => Promise<void> }> {
  const { reads, salt, close } = await open(address, what)
  return { ...reads, salt, close }
}

export async function startPostgresReader(address: PostgresAddress): Promise<ReaderThread> {
  const { reads, salt, close, lookUps } = await open(address, 'whole')
  const searches = createPool(address, SEARCHES)
  return {
    ...reads,
    inTurns: (turn) =>
      withFailures(logInTurns(searches, lookUps, salt, after)(turn), (error) => storageError(error, address.shown)),
    // It runs in its caller's thread.
    crashed: new Promise<Error>(() => undefined),
    close: async () => {
      await searches.close()
      await close()
    },
  }
}

async function open(
  address: PostgresAddress,
  what: 'whole' | 'also unfinished',
): Promise<{
  readonly reads: Reads
  readonly salt: bigint
  readonly lookUps: Pool
  readonly close: () => Promise<void>
}> {
  const { shown } = address
  const lookUps = createPool(address, LOOK_UPS)
  try {
    const salt = await lookUps.use(async (session) => {
      await requireMigrated(session, shown)
      if (what === 'whole') await requireWhole(session, shown)
      return logSalt(session, shown)
    })
    const reads = withFailures(readsOf(lookUps, salt), (error) => storageError(error, shown))
    return { reads, salt, lookUps, close: lookUps.close }
  } catch (error) {
    await lookUps.close()
    throw storageError(error, shown)
  }
}

function readsOf(pool: Pool, salt: bigint): Reads {
  const log = eachOperation<LogReads>(HOT_READS, (_, name) => (...args) => {
    return pool.use((session) => anyOf(logReadsOn(session, salt), name)(...args))
  })
  const run = readingRun(pool)
  const greatestCommandId = (): Promise<number> => pool.use(newestLogId)
  return { ...coldReads(postgresDialect, run), ...gatheredLookUps(run), greatestCommandId, ...log }
}

// The log's queries in turns per line (SEARCH-Q12); a slow or abandoned one is cancelled at the server.

/** @param control a pool for what must not wait behind searches */
function logInTurns(pool: Pool, control: Pool, salt: bigint, after: After): LogInTurns {
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

/** The look-ups of every request: all questions of a turn are one statement each. */
const MAX_AT_ONCE = 500

type LookUps = Pick<Reads, 'findCredential' | 'findUser' | 'findChargePoint' | 'findAccessToken'>

export function gatheredLookUps(run: Run): LookUps {
  const byId = <Found extends { readonly id: string }>(find: (ids: readonly string[]) => Work<readonly Found[]>) =>
    gathered<string, Found | undefined>(async (ids) => {
      const found = new Map((await run(() => find(ids))).map((one) => [one.id, one]))
      return ids.map((id) => found.get(id))
    }, MAX_AT_ONCE)
  const amongIds = (column: SQLChunk, ids: readonly string[]) =>
    worded(postgresDialect.among('?', '?'), column, sql.param(ids))
  const { findAccessToken } = oidcReads(postgresDialect)
  return {
    findCredential: byId((ids) => list(credentials, amongIds(credentials.id, ids))),
    findUser: byId((ids) => list(users, amongIds(users.id, ids))),
    // Several statements: an application's requests with the same token share them.
    findAccessToken: gathered(async (hashes) => {
      const asked = [...new Set(hashes)].map(async (hash) => [hash, await run(() => findAccessToken(hash))] as const)
      const found = new Map(await Promise.all(asked))
      return hashes.map((hash) => found.get(hash))
    }, MAX_AT_ONCE),
    findChargePoint: byId((ids) => findChargePoints(postgresDialect, ids)),
  }
}
