import type { LogReads, Reads } from '../../domain/ports/storage.ts'
import { coldReads } from '../cold/cold-port.ts'
import type { ReaderThread, ReadingSide } from '../database.ts'
import { anyOf, eachOperation, withFailures } from '../each-operation.ts'
import { HOT_READS } from '../operations.ts'
import type { PostgresAddress } from './connection/address.ts'
import { storageError } from './connection/failures.ts'
import { createPool, type Pool } from './connection/pool.ts'
import { readingRun } from './connection/run-work.ts'
import { postgresDialect } from './dialect.ts'
import { logInTurns } from './log/in-turns.ts'
import { logReadsOn } from './log/log-reads.ts'
import { singleCommands } from './log/single-commands.ts'
import { gatheredLookUps } from './look-ups.ts'
import { logSalt, requireMigrated, requireWhole } from './migrate.ts'
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
  return { ...coldReads(postgresDialect, run), ...gatheredLookUps(run), ...singleCommands(pool), ...log }
}
