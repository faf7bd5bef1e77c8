import type { CommandQuery, LogInTurns, LogReads, Reads } from '../../domain/ports/storage.ts'
import type { PutInPlace } from '../database.ts'
import { anyOf, eachOperation } from '../each-operation.ts'
import { type Looks, READS } from '../operations.ts'

/**
 * Whoever was answered finds it: a read that looks in place waits for `flush` first, of its charge point if it is about
 * one. `flush` returns undefined when nothing waits. When it fails (a full disk), the read goes on: what was put in
 * place before is there.
 */
export function upToDate(reads: Reads, flush: PutInPlace): Reads {
  return eachOperation(READS, (_, name) => afterFlush(name as keyof Reads, anyOf(reads, name), flush))
}

/** The same for the log's queries in turns: whoever waits for a flush has no turn yet. */
export function upToDateInTurns(log: LogInTurns, flush: PutInPlace): LogInTurns {
  return (turn) => eachOperation(log(turn), (read, name) => afterFlush(name as keyof LogReads, read as Read, flush))
}

type Read = (...args: readonly unknown[]) => Promise<unknown>

function afterFlush(name: keyof Reads, read: Read, flush: PutInPlace): Read {
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

/**
 * What waits has greater ids than everything that was flushed before the first page. Without this a running export
 * would ask for a flush with every thousand rows.
 */
function isLaterPage(query: unknown): boolean {
  return (query as CommandQuery).belowId !== undefined
}
