import type { CommandQuery, LogInTurns, LogReads, Reads } from '../../ports/storage.ts'
import type { PutInPlace } from '../database.ts'
import { type Looks, namesOf, READS } from '../operations.ts'

/**
 * Whoever was answered finds it: a read that looks in place waits for `fold` first, of its charge point if it is about
 * one. `fold` returns undefined when nothing waits. When it fails (a full disk), the read goes on: what was put in
 * place before is there.
 */
export function upToDate(reads: Reads, fold: PutInPlace): Reads {
  return Object.fromEntries(namesOf(READS).map((name) => [name, afterFold(name, reads[name] as Read, fold)])) as Pick<
    Reads,
    keyof Reads
  >
}

/** The same for the log's queries in turns: whoever waits for a fold has no turn yet. */
export function upToDateInTurns(log: LogInTurns, fold: PutInPlace): LogInTurns {
  return (turn) => {
    const reads = log(turn)
    const fresh = Object.entries(reads).map(([name, read]) => [name, afterFold(name as keyof LogReads, read, fold)])
    return Object.fromEntries(fresh) as LogReads
  }
}

type Read = (...args: never[]) => Promise<unknown>

function afterFold(name: keyof Reads, read: Read, fold: PutInPlace): Read {
  const { looks, about } = READS[name]
  if (looks === 'at once') return read
  const lookOf = (args: readonly unknown[]): Looks =>
    typeof looks === 'function' ? (looks as (...args: readonly unknown[]) => Looks)(...args) : looks
  const chargePointOf = (args: readonly unknown[]): string | undefined =>
    (about as ((...args: readonly unknown[]) => string) | undefined)?.(...args)
  return async (...args) => {
    const look = lookOf(args)
    if (look === 'in place' || (look !== 'at once' && !isLaterPage(args[0])))
      await fold(chargePointOf(args))?.catch(() => undefined)
    return read(...args)
  }
}

/**
 * What waits has greater ids than everything that was folded before the first page. Without this a running export
 * would ask for a fold with every thousand rows.
 */
function isLaterPage(query: unknown): boolean {
  return (query as CommandQuery).belowId !== undefined
}
