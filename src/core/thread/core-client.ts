/** The core for the main thread: the same `Core`, worked in the core thread; and what they exchange. */

import { once } from 'node:events'
import { setFlagsFromString } from 'node:v8'
import { Worker } from 'node:worker_threads'
import type {
  Answered,
  AskPartner,
  Core,
  HookSettings,
  Log,
  SignerSettings,
  SocketEvents,
} from '../../domain/ports/core.ts'
import type { Writes } from '../../domain/ports/storage.ts'
import { connectMethods, exposeMethods } from '../../threads/rpc.ts'
import type { CoreSettings } from '../core-settings.ts'

export interface CoreThread {
  readonly core: Core
  readonly writes: Writes
  readonly salt: bigint
  /** Places acknowledged changes where readers look, for all or one charge point; undefined: nothing waits. */
  putInPlace(chargePointId?: string): Promise<void> | undefined
  /** Must be called before the first connection. */
  connectSockets(sockets: SocketEvents): void
  onDeliveries(run: () => void): void
  /** Until it is set every question is left open. */
  onPartnerQuestions(answer: AskPartner): void
  /** Resolves with the reason when the thread ends without being closed. */
  readonly crashed: Promise<Error>
  close(): Promise<void>
}

/** Twice the default: fewer objects that live for one group are copied, which saves a twentieth of the CPU. */
const THREAD_LIMITS = { maxYoungGenerationSizeMb: 96 }

/** Process-wide: parallel helpers shorten no pause, and took a sixth of the CPU per call. */
const COLLECTOR_FLAG = '--no-parallel-scavenge'

/** Starts the thread, which opens the database and runs the migrations; rejects when it cannot. */
export async function startCoreThread(start: CoreThreadStart, log: Log): Promise<CoreThread> {
  setFlagsFromString(COLLECTOR_FLAG)
  const waiting: Waiting = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const worker = new Worker(threadFile(), { workerData: { ...start, waiting }, resourceLimits: THREAD_LIMITS })
  let sockets: SocketEvents | undefined
  let deliveriesCommitted: (() => void) | undefined
  let askPartner: AskPartner = async () => ({ allowed: 'unknown' })
  let closing = false
  let ended = false
  const tell = (connection: number, text: string): void =>
    text === '' ? sockets?.done(connection) : sockets?.send(connection, text)
  const crashed = new Promise<Error>((resolve) => {
    worker.on('error', resolve)
    worker.on('exit', (code) => {
      ended = true
      if (!closing) resolve(new Error(`The core thread ended with code ${code}.`))
    })
  })
  const salt = await new Promise<bigint>((resolve, reject) => {
    worker.on('message', (message: FromCore) => {
      if ('frames' in message) eachFrame(message.frames, tell)
      else if ('due' in message) deliveriesCommitted?.()
      else if ('close' in message) sockets?.close(...message.close)
      else if ('setLimits' in message) sockets?.setLimits(...message.setLimits)
      else if ('log' in message) log[message.log.level](message.log.fields, message.log.message)
      else if ('ready' in message) resolve(message.ready.salt)
    })
    void crashed.then(reject)
  })
  const methods = connectMethods<ThreadMethods>(worker)
  exposeMethods<MainMethods>(worker, { askPartner: (question) => askPartner(question) })
  const post = (message: ToCore): void => worker.postMessage(message)
  // One turn of the event loop reads many sockets: their frames cross together.
  const incoming = batchFrames((frames) => post({ frames }), setImmediate)
  const inOrder = (message: ToCore): void => {
    incoming.flush()
    post(message)
  }
  const reported: Reported = {
    opened: (...opened) => inOrder({ opened }),
    closed: (...closed) => inOrder({ closed }),
    submit: incoming.add,
    alive: (connection) => inOrder({ alive: connection }),
    drain: () => {
      incoming.flush()
      return methods.drain()
    },
  }
  return {
    salt,
    crashed,
    putInPlace: (chargePointId) => (Atomics.load(waiting, 0) > 0 ? methods.putInPlace(chargePointId) : undefined),
    connectSockets(events) {
      sockets = events
    },
    onDeliveries(run) {
      deliveriesCommitted = run
    },
    onPartnerQuestions(answer) {
      askPartner = answer
    },
    // The thread's proxy answers any name, so it becomes the prototype.
    core: Object.assign(Object.create(methods) as typeof methods, reported),
    writes: writesThrough(methods),
    async close() {
      closing = true
      // A crashed thread lost its memory; acknowledged changes are on the disk.
      if (ended) return
      await methods.close()
      const exited = once(worker, 'exit')
      await worker.terminate()
      await exited
    },
  }
}

/** Must stay in order with the frames; the thread itself answers the rest. */
type Reported = Omit<Core, Exclude<Answered, 'drain'>>

function writesThrough(methods: ThreadMethods): Writes {
  return new Proxy({} as Writes, {
    get: (_, name: keyof Writes | 'then') =>
      name === 'then' ? undefined : (...args: Parameters<Writes[typeof name]>) => methods.write(name, ...args),
  })
}

/** Beside the bundle; tests run from the sources and use the bundle of their set-up. */
function threadFile(): URL {
  const fromSource = import.meta.url.endsWith('.ts')
  return new URL(fromSource ? '../../../dist/core-thread.js' : './core-thread.js', import.meta.url)
}

export interface CoreThreadStart {
  readonly databaseUrl: string
  readonly settings: CoreSettings
  readonly certificates: SignerSettings
  readonly vatHook?: HookSettings | undefined
  readonly node: { readonly name: string; readonly version: string }
}

/** Number of committed change sets that readers cannot see yet; shared memory, so that asking is free at zero. */
export type Waiting = Int32Array<SharedArrayBuffer>

/** All that `Core` answers, every write, and the thread's own methods. */
export interface ThreadMethods extends Pick<Core, Answered> {
  putInPlace(chargePointId?: string): Promise<void>
  write<Name extends keyof Writes>(name: Name, ...args: Parameters<Writes[Name]>): Promise<unknown>
  close(): Promise<void>
}

/** What the core thread asks of the main thread. */
export interface MainMethods {
  readonly askPartner: AskPartner
}

export type ToCore =
  /** connection, text, connection, text, … in order of arrival */
  | { readonly frames: readonly (number | string)[] }
  | { readonly opened: Parameters<Core['opened']> }
  | { readonly closed: Parameters<Core['closed']> }
  | { readonly alive: number }

export type FromCore =
  | { readonly ready: { readonly salt: bigint } }
  /** As above; an empty text: one text of this connection was processed. */
  | { readonly frames: readonly (number | string)[] }
  | { readonly setLimits: readonly [connection: number, isUnaccepted: boolean] }
  | { readonly due: true }
  | { readonly close: readonly [connection: number, code: number, reason: string] }
  | { readonly log: { readonly level: 'info' | 'warn' | 'error'; readonly fields: object; readonly message: string } }

/** Beyond this a batch leaves at once: it would be copied in one go. */
const BATCH_CHARACTERS = 256 * 1024

/** Gathers frames until the end of the turn: flat arrays, cheap to clone. */
export function batchFrames(
  post: (frames: readonly (number | string)[]) => void,
  later: (run: () => void) => void,
): { readonly add: (connection: number, text: string) => void; readonly flush: () => void } {
  let frames: (number | string)[] = []
  let characters = 0
  const flush = (): void => {
    if (frames.length === 0) return
    const batch = frames
    frames = []
    characters = 0
    post(batch)
  }
  return {
    add(connection, text) {
      if (frames.length === 0) later(flush)
      frames.push(connection, text)
      characters += text.length
      if (characters > BATCH_CHARACTERS) flush()
    },
    // Order matters: later posts must follow the frames before them.
    flush,
  }
}

export function eachFrame(frames: readonly (number | string)[], run: (connection: number, text: string) => void): void {
  for (let index = 0; index + 1 < frames.length; index += 2) run(frames[index] as number, frames[index + 1] as string)
}
