import type { CommandQuery, LogInTurns, LogReads, Reads } from '../../domain/ports/storage.ts'
import type { FlushJournal } from '../database.ts'
import { anyOf, eachOperation } from '../each-operation.ts'
import { type Looks, READS } from '../operations.ts'

/** A read in place first awaits `flush`, of its charge point if it has one. If that fails (a full disk), it goes on. */
export function upToDate(reads: Reads, flush: FlushJournal): Reads {
  return eachOperation(READS, (_, name) => afterFlush(name as keyof Reads, anyOf(reads, name), flush))
}

/** As `upToDate`, for the log's queries in turns: a query that waits for a flush has no turn yet. */
export function upToDateInTurns(log: LogInTurns, flush: FlushJournal): LogInTurns {
  return (turn) => eachOperation(log(turn), (read, name) => afterFlush(name as keyof LogReads, read as Read, flush))
}

type Read = (...args: readonly unknown[]) => Promise<unknown>

function afterFlush(name: keyof Reads, read: Read, flush: FlushJournal): Read {
  const { looks, about } = READS[name]
  if (looks === 'at once') return read
  const lookOf = (args: readonly unknown[]): Looks =>
    typeof looks === 'function' ? (looks as (...args: readonly unknown[]) => Looks)(...args) : looks
  const chargePointOf = (args: readonly unknown[]): string | undefined =>
    (about as ((...args: readonly unknown[]) => string) | undefined)?.(...args)
  return async (...args) => {
    const look = lookOf(args)
    if (look === 'in place' || (look !== 'at once' && !isLaterPage(args[0])))
      await flush(chargePointOf(args))?.catch(() => undefined)
    return read(...args)
  }
}

/** Later commits have greater ids than the first page's flush: a running export need not flush with every page. */
function isLaterPage(query: unknown): boolean {
  return (query as CommandQuery).belowId !== undefined
}
