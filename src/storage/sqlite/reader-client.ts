import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { LogInTurns, LogPageQuery, LogReads, Reads } from '../../domain/ports/storage.ts'
import { connectMethods, threadEnded } from '../../threads/rpc.ts'
import type { FlushJournal, ReaderThread } from '../database.ts'
import { anyOf, eachOperation } from '../each-operation.ts'
import { lineOf, lineOfList } from '../lines.ts'
import { HOT_READS, READS } from '../operations.ts'
import type { ThreadMethods } from './reader-thread.ts'
import { upToDate, upToDateInTurns } from './up-to-date.ts'

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
      // OCPP-DR5: one that did not come up, as no file handle was free, is tried again with the next read.
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
