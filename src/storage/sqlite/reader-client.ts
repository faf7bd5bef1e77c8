import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { LogInTurns, LogReads, Reads } from '../../domain/ports/storage.ts'
import type { CommandQuery, LogPageQuery } from '../../domain/ports/storage-queries.ts'
import { connectMethods, threadEnded } from '../../threads/rpc.ts'
import type { FlushJournal, ReaderThread } from '../database.ts'
import { anyOf, eachOperation, HOT_READS, type Looks, lineOf, lineOfList, READS } from '../operations.ts'
import type { ThreadMethods } from './reader-thread.ts'

/** Two times 2 MB for young objects instead of two times 16. */
const THREAD_LIMITS = { maxYoungGenerationSizeMb: 6 }

interface Thread {
  readonly worker: Worker
  readonly methods: ThreadMethods
}

/** Starts with its first read: an installation without searches does without the second one. */
export function readerThread(path: string, putInPlace: FlushJournal): ReaderThread {
  let thread: Thread | undefined
  let closing = false
  let crash: (error: Error) => void
  const crashed = new Promise<Error>((resolve) => {
    crash = resolve
  })
  const start = (): Thread => {
    if (closing) throw threadEnded()
    const worker = new Worker(workerFile(), { workerData: { path }, name: 'reader', resourceLimits: THREAD_LIMITS })
    let answered = false
    const ended = (error: Error): void => {
      if (closing) return
      // OCPP-DR5: without a free file handle the start fails, and the next read tries again.
      if (answered) crash(error)
      else if (thread?.worker === worker) thread = undefined
    }
    worker.once('message', () => {
      answered = true
    })
    worker.on('error', ended)
    worker.on('exit', (code) => ended(new Error(`A reader thread ended with code ${code}.`)))
    return { worker, methods: connectMethods<ThreadMethods>(worker) }
  }
  const methods = (): ThreadMethods => {
    thread ??= start()
    return thread.methods
  }
  return Object.assign(upToDate(listsInTurns(methods), putInPlace), {
    crashed,
    inTurns: upToDateInTurns(logInTurns(methods), putInPlace),
    async close() {
      closing = true
      await thread?.methods.close().catch(() => undefined)
      await thread?.worker.terminate()
    },
  })
}

function listsInTurns(methods: () => ThreadMethods): Reads {
  return eachOperation(READS, (_, name) => async (...args) => {
    const line = lineOfList(name as keyof Reads, args)
    return line ? (await methods().inTurn(line, name as keyof Reads, args)).value : anyOf(methods(), name)(...args)
  })
}

function logInTurns(methods: () => ThreadMethods): LogInTurns {
  return (turn) => {
    const { signal } = turn
    return eachOperation(HOT_READS, (_, name) => async (...args) => {
      const line = lineOf(turn, name === 'readLogPage' && (args[0] as LogPageQuery).count ? 2 : 1)
      const asked = [line, name as keyof LogReads, args] as const
      const done = await (signal ? methods().inTurn(...asked, signal) : methods().inTurn(...asked))
      turn.waited?.(done.waitedMs)
      return done.value
    })
  }
}

/** Beside the bundle, or in dist/ when the sources run in the tests. */
function workerFile(): string {
  const fromSources = import.meta.url.endsWith('.ts')
  return fileURLToPath(new URL(fromSources ? '../../../dist/reader-thread.js' : './reader-thread.js', import.meta.url))
}

/** A read in place first awaits `flush`, of its charge point if it has one. If that fails (a full disk), it goes on. */
export function upToDate(reads: Reads, flush: FlushJournal): Reads {
  return eachOperation(READS, (_, name) => afterFlush(name as keyof Reads, anyOf(reads, name), flush))
}

/** As `upToDate`, for the log's queries in turns: a query that waits for a flush has no turn yet. */
function upToDateInTurns(log: LogInTurns, flush: FlushJournal): LogInTurns {
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
