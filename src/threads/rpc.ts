/**
 * Calling an object that lives in another thread: one message per call, one per answer. Anything else on the same
 * port is left alone, so a thread may carry its hot traffic beside it.
 */
import type { MessagePort, Worker } from 'node:worker_threads'

type Port = Pick<MessagePort, 'on' | 'postMessage'>
type Method = (...args: never[]) => unknown

interface Call {
  readonly call: number
  readonly method: string
  readonly args: readonly unknown[]
}

interface CarriedError {
  readonly name: string
  readonly message: string
  readonly code?: string
}

type Answer = { readonly answer: number } & ({ readonly value: unknown } | { readonly error: CarriedError })

/** Answers calls to the methods of `object` that arrive on `port`. */
export function exposeMethods(port: Port, object: object): void {
  const methods = object as Record<string, Method | undefined>
  port.on('message', (message: unknown) => {
    if (isCall(message)) void answer(methods, message).then((reply) => port.postMessage(reply))
  })
}

/**
 * A stand-in whose methods run in the worker. Calls that are open when the worker ends reject with
 * `THREAD_ENDED`, so nobody waits for ever.
 */
export function connectMethods<T extends object>(worker: Worker | MessagePort): T {
  const open = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>()
  let last = 0
  let ended: Error | undefined
  const end = (error: Error): void => {
    ended ??= error
    for (const { reject } of open.values()) reject(error)
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
  worker.on('exit', () => end(threadEnded()))
  worker.on('close', () => end(threadEnded()))

  const call = (method: string, args: readonly unknown[]): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (ended) return reject(ended)
      const number = ++last
      open.set(number, { resolve, reject })
      worker.postMessage({ call: number, method, args } satisfies Call)
    })
  return new Proxy({} as T, {
    get: (_, name) =>
      // A proxy that answers `then` would be taken for a promise by `await`.
      typeof name === 'string' && name !== 'then' ? (...args: unknown[]) => call(name, args) : undefined,
  })
}

async function answer(methods: Record<string, Method | undefined>, { call, method, args }: Call): Promise<Answer> {
  try {
    const run = methods[method]
    if (!run) throw new Error(`The thread has no method ${method}.`)
    return { answer: call, value: await run.apply(methods, args as never[]) }
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
  return Object.assign(new Error(message), { name, ...(code !== undefined && { code }) })
}

function threadEnded(): Error {
  return Object.assign(new Error('The thread has ended.'), { code: 'THREAD_ENDED' })
}

function isCall(message: unknown): message is Call {
  return typeof message === 'object' && message !== null && 'call' in message
}

function isAnswer(message: unknown): message is Answer {
  return typeof message === 'object' && message !== null && 'answer' in message
}
