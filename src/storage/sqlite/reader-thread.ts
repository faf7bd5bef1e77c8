/**
 * A reader's own thread: searches, counts and exports never delay the writer or the sockets (SEARCH-Q10), nor each
 * other (SEARCH-Q12). Single look-ups are answered at once, between two turns; everything else waits for its turn.
 */
import { parentPort, workerData } from 'node:worker_threads'
import type { Reads } from '../../domain/ports/storage.ts'
import { exposeMethods } from '../../threads/rpc.ts'
import { createTurns, type Line, type Steps, type Waited } from '../../threads/turns.ts'
import { openSqliteReader } from './writer.ts'

/** What `reader-client` calls besides the look-ups. */
export interface ThreadMethods extends Reads {
  close(): Promise<void>
  /** One of the reading operations, when it is the turn of its line. */
  inTurn(line: Line, name: keyof Reads, args: readonly unknown[], signal?: AbortSignal): Promise<Waited<unknown>>
}

/** A part of a scan takes this long (reads/slices.ts), so callers wait for two or three of them. */
const TURN_MS = 5

if (!parentPort) throw new Error('reader-thread is started by readerThread only.')

const { path } = workerData as { readonly path: string }
const { salt: _salt, close, behind: _, steps, ...reads } = openSqliteReader(path)
const turns = createTurns({ now: () => performance.now(), later: setImmediate, turnMs: TURN_MS })

function stepsOf(name: keyof Reads, args: readonly unknown[]): Steps<unknown> {
  const inSteps = steps[name as keyof typeof steps] as ((...args: readonly unknown[]) => Steps<unknown>) | undefined
  return inSteps ? inSteps(...args) : inOneStep(reads[name] as (...args: readonly unknown[]) => unknown, args)
}

/** A list is one statement. Its end includes its promise's. */
function* inOneStep(read: (...args: readonly unknown[]) => unknown, args: readonly unknown[]): Steps<unknown> {
  const value = read(...args)
  yield
  return value
}

exposeMethods<ThreadMethods>(parentPort, {
  ...reads,
  close: async () => close(),
  inTurn: async (line: Line, name: keyof Reads, args: readonly unknown[], signal?: AbortSignal) => {
    const { value, waitedMs } = await turns.take(line, () => stepsOf(name, args), signal)
    return { value: await value, waitedMs }
  },
})
