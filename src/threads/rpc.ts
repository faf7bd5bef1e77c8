/** Calls an object in another thread: a message per call and per answer. The port may carry other traffic, too. */
import type { MessagePort, Worker } from 'node:worker_threads'

interface Port {
  on(event: 'message', listener: (message: unknown) => void): unknown
  postMessage(message: unknown): void
}
type Method = (...args: never[]) => unknown

interface Call {
  readonly call: number
  readonly method: string
  readonly args: readonly unknown[]
  /** The caller may cancel it; the method gets a signal behind its arguments. */
  readonly cancellable?: true | undefined
}

interface Cancel {
  readonly cancel: number
}

interface CarriedError {
  readonly name: string
  readonly message: string
  readonly code?: string | undefined
}

type Answer = { readonly answer: number } & ({ readonly value: unknown } | { readonly error: CarriedError })

/** Answers calls to the methods of `object` that arrive on `port`. `Methods` is what the other side connects to. */
export function exposeMethods<Methods extends object>(port: Port, object: Methods): void {
  const methods = object as Record<string, Method | undefined>
  const cancellable = new Map<number, AbortController>()
  port.on('message', (message: unknown) => {
    if (isCancel(message)) cancellable.get(message.cancel)?.abort()
    if (!isCall(message)) return
    const { call } = message
    const controller = message.cancellable && new AbortController()
    if (controller) cancellable.set(call, controller)
    void answer(methods, message, controller?.signal).then((reply) => {
      cancellable.delete(call)
      port.postMessage(reply)
    })
  })
}

/**
 * A proxy whose methods run in the worker. Open calls reject with `THREAD_ENDED` when the worker ends.
 * A signal as the last argument is passed on: the method gets it, and decides what happens to the call.
 */
export function connectMethods<T extends object>(worker: Worker | MessagePort): T {
  const open = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>()
  let last = 0
  let ended: Error | undefined
  const end = (reason?: Error): void => {
    ended ??= threadEnded(reason)
    for (const { reject } of open.values()) reject(ended)
    open.clear()
  }
  worker.on('message', (message: unknown) => {
    if (!isAnswer(message)) return
    const waiting = open.get(message.answer)
    open.delete(message.answer)
    if ('error' in message) waiting?.reject(revive(message.error))
    else waiting?.resolve(message.value)
  })
  worker.on('error', (error: Error) => end(error))
  for (const event of ['exit', 'close']) worker.on(event, () => end())

  const call = (method: string, args: readonly unknown[]): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (ended) return reject(ended)
      const number = ++last
      const signal = args.at(-1)
      if (!(signal instanceof AbortSignal)) {
        open.set(number, { resolve, reject })
        worker.postMessage({ call: number, method, args } satisfies Call)
        return
      }
      const cancel = (): void => worker.postMessage({ cancel: number } satisfies Cancel)
      const settled = (): void => signal.removeEventListener('abort', cancel)
      open.set(number, {
        resolve: (value) => {
          settled()
          resolve(value)
        },
        reject: (error) => {
          settled()
          reject(error)
        },
      })
      worker.postMessage({ call: number, method, args: args.slice(0, -1), cancellable: true } satisfies Call)
      if (signal.aborted) cancel()
      else signal.addEventListener('abort', cancel, { once: true })
    })
  return new Proxy({} as T, {
    get: (_, name) =>
      // `await` would take a proxy with `then` for a promise.
      typeof name === 'string' && name !== 'then' ? (...args: unknown[]) => call(name, args) : undefined,
  })
}

async function answer(
  methods: Record<string, Method | undefined>,
  { call, method, args }: Call,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  try {
    const run = methods[method]
    if (!run) throw new Error(`The thread has no method ${method}.`)
    return { answer: call, value: await run.apply(methods, (signal ? [...args, signal] : args) as never[]) }
  } catch (error) {
    return { answer: call, error: carry(error) }
  }
}

function carry(error: unknown): CarriedError {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) }
  const code = (error as { code?: unknown }).code
  return { name: error.name, message: error.message, ...(typeof code === 'string' && { code }) }
}

function revive({ name, message, code }: CarriedError): Error {
  return Object.assign(new Error(message), { name, code })
}

export function threadEnded(reason?: Error): Error {
  const message = reason ? `The thread has ended: ${reason.message}` : 'The thread has ended.'
  return Object.assign(new Error(message), { code: 'THREAD_ENDED' })
}

function isCall(message: unknown): message is Call {
  return typeof message === 'object' && message !== null && 'call' in message
}

function isCancel(message: unknown): message is Cancel {
  return typeof message === 'object' && message !== null && 'cancel' in message
}

function isAnswer(message: unknown): message is Answer {
  return typeof message === 'object' && message !== null && 'answer' in message
}
