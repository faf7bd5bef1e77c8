import type { CommandQuery, LogInTurns, LogReads, Reads } from '../../ports/storage.ts'

/** These look where a fold puts things; all others read what every commit writes at once. */
const READ_WHAT_IS_FOLDED = [
  'findChargePoint',
  'listChargePoints',
  'findSession',
  'listSessions',
  'searchCommands',
  'exportCommands',
  'countCommands',
  'commandMethods',
  'oldestCommandId',
] as const satisfies readonly (keyof Reads)[]

/**
 * Whoever was answered finds it: a read that needs it waits for `fold` first. `fold` returns undefined when nothing
 * waits. When it fails (a full disk), the read goes on: what was put in place before is there.
 */
export function upToDate<Reader extends Reads>(reads: Reader, fold: Fold): Reader {
  const fresh: Partial<Record<keyof Reads, Read>> = {}
  for (const name of READ_WHAT_IS_FOLDED) fresh[name] = afterFold(name, reads[name] as Read, fold)
  return Object.assign(Object.create(reads) as Reader, fresh)
}

/** The same for the log's queries in turns: whoever waits for a fold has no turn yet. */
export function upToDateInTurns(log: LogInTurns, fold: Fold): LogInTurns {
  return (turn) => {
    const reads = log(turn)
    const fresh = Object.entries(reads).map(([name, read]) => [name, afterFold(name as keyof LogReads, read, fold)])
    return Object.fromEntries(fresh) as LogReads
  }
}

type Fold = () => Promise<void> | undefined
type Read = (...args: never[]) => Promise<unknown>

function afterFold(name: keyof Reads, read: Read, fold: Fold): Read {
  return async (...args) => {
    if (!continues(name, args[0])) await fold()?.catch(() => undefined)
    return read(...args)
  }
}

/**
 * A later page of the log: what waits has greater ids than everything that was folded before the first page. Without
 * this a running export would ask for a fold with every thousand rows.
 */
function continues(name: keyof Reads, query: unknown): boolean {
  if (name !== 'searchCommands' && name !== 'exportCommands') return false
  return (query as CommandQuery).belowId !== undefined
}
