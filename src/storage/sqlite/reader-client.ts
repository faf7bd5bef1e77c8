import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { LogInTurns, LogPageQuery, LogReads, Reads } from '../../domain/ports/storage.ts'
import { connectMethods } from '../../threads/rpc.ts'
import type { PutInPlace, ReaderThread } from '../database.ts'
import { anyOf, eachOperation } from '../each-operation.ts'
import { lineOf, lineOfList } from '../lines.ts'
import { HOT_READS, READS } from '../operations.ts'
import type { ThreadMethods } from './reader-thread.ts'
import { upToDate, upToDateInTurns } from './up-to-date.ts'

export async function startReaderThread(path: string, putInPlace: PutInPlace): Promise<ReaderThread> {
  const worker = new Worker(workerFile(), { workerData: { path }, name: 'reader' })
  let closing = false
  const crashed = new Promise<Error>((resolve) => {
    worker.on('error', resolve)
    worker.on('exit', (code) => {
      if (!closing) resolve(new Error(`A reader thread ended with code ${code}.`))
    })
  })
  const methods = connectMethods<ThreadMethods>(worker)
  const salt = await methods.salt()
  const close = async (): Promise<void> => {
    closing = true
    // A thread that has ended already needs no farewell.
    await methods.close().catch(() => undefined)
    await worker.terminate()
  }
  return Object.assign(upToDate(listsInTurns(methods), putInPlace), {
    salt,
    crashed,
    close,
    inTurns: upToDateInTurns(logInTurns(methods), putInPlace),
  })
}

function listsInTurns(methods: ThreadMethods): Reads {
  return eachOperation(READS, (_, name) => async (...args) => {
    const line = lineOfList(name as keyof Reads, args)
    return line ? (await methods.inTurn(line, name as keyof Reads, args)).value : anyOf(methods, name)(...args)
  })
}

function logInTurns(methods: ThreadMethods): LogInTurns {
  return (turn) => {
    const { signal } = turn
    return eachOperation(HOT_READS, (_, name) => async (...args) => {
      const line = lineOf(turn, name === 'readLogPage' && (args[0] as LogPageQuery).count ? 2 : 1)
      const asked = [line, name as keyof LogReads, args] as const
      const done = await (signal ? methods.inTurn(...asked, signal) : methods.inTurn(...asked))
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
