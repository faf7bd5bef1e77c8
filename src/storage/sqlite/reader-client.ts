/** The reading side of the port, answered by its own thread. */
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { connectMethods } from '../../threads/rpc.ts'
import type { Reads } from '../store.ts'

export interface ReaderThread extends Reads {
  /** See `SqliteWriter.salt`. */
  readonly salt: bigint
  /** Resolves with the reason when the thread ends without being closed: nothing can be read through it any more. */
  readonly crashed: Promise<Error>
  /** Lets the running query finish, then ends the thread. */
  readonly close: () => Promise<void>
}

type ThreadMethods = Reads & { salt(): Promise<bigint>; close(): Promise<void> }

/** Resolves once the thread has opened the database; rejects with its sentence when it cannot. */
export async function startReaderThread(path: string): Promise<ReaderThread> {
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
  // The stand-in answers any name, so it can only be inherited from, not copied.
  return Object.assign(Object.create(methods) as Reads, { salt, crashed, close })
}

/** Beside the bundle, or in dist/ when the sources run in the tests. */
function workerFile(): string {
  const fromSources = import.meta.url.endsWith('.ts')
  return fileURLToPath(new URL(fromSources ? '../../../dist/reader-thread.js' : './reader-thread.js', import.meta.url))
}
