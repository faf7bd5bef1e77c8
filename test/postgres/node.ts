/** Servers that share a PostgreSQL database, each a process of its own, so that it can be paused and killed. */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { freePort } from '../free-port.ts'

const SECRET_KEY = randomBytes(32).toString('base64')

export interface NodeProcess {
  readonly url: string
  readonly process: ChildProcess
  /** Of the first start of the installation. */
  readonly credential: string | undefined
  /** What it said beside its output. */
  notes(): string
  get(
    path: string,
    credential?: string,
  ): Promise<{ readonly status: number; readonly body: Readonly<Record<string, unknown>> }>
  kill(signal: NodeJS.Signals): Promise<number | null>
}

/** @throws with what it said when it does not start */
export async function startNode(
  databaseUrl: string,
  name: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<NodeProcess> {
  const port = await freePort()
  const child = spawn(process.execPath, ['dist/main.js', 'serve', '--json'], {
    env: {
      PATH: process.env.PATH,
      PILOTWIRE_DATABASE_URL: databaseUrl,
      PILOTWIRE_SECRET_KEY: SECRET_KEY,
      PILOTWIRE_PORT: String(port),
      PILOTWIRE_BASE_URL: `http://localhost:${port}`,
      PILOTWIRE_NODE_NAME: name,
      PILOTWIRE_LOG_LEVEL: 'silent',
      PILOTWIRE_OCPP_REPORTS: 'manual',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (data: Buffer) => {
    said += data.toString('utf8')
  })
  const ended = once(child, 'exit')
  const line = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line').then(([text]) => String(text)),
    ended.then(() => undefined),
  ])
  if (line === undefined) throw new Error(said)
  const { firstStart } = JSON.parse(line) as { readonly firstStart?: { readonly credential: string } }
  const url = `http://127.0.0.1:${port}`
  return {
    url,
    process: child,
    credential: firstStart?.credential,
    notes: () => said,
    async get(path, credential) {
      const response = await fetch(url + path, {
        headers: credential === undefined ? {} : { authorization: `Bearer ${credential}` },
      })
      return { status: response.status, body: (await response.json()) as Readonly<Record<string, unknown>> }
    },
    async kill(signal) {
      child.kill(signal)
      const [code] = (await ended) as [number | null]
      return code
    },
  }
}

/** A charge point that speaks when it is told to. */
export interface Socket {
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>
  call(action: string, payload: object): Promise<readonly unknown[]>
  /** Sends without waiting. */
  send(action: string, payload: object): void
  readonly frames: readonly (readonly unknown[])[]
  end(): void
}

let calls = 0

/** Where a node cannot take it yet, as another one may still have it, it comes again, as charge points do. */
export async function connect(node: Pick<NodeProcess, 'url'>, identity: string): Promise<Socket> {
  const frames: (readonly unknown[])[] = []
  const waiting = new Map<string, (frame: readonly unknown[]) => void>()
  const heard = (data: Buffer): void => {
    const frame = JSON.parse(data.toString('utf8')) as readonly unknown[]
    frames.push(frame)
    waiting.get(String(frame[1]))?.(frame)
  }
  const url = `${node.url.replace('http', 'ws')}/ocpp/${identity}`
  let socket = new WebSocket(url, 'ocpp1.6').on('message', heard)
  while (!(await isTaken(socket))) {
    await wait(AGAIN_MS)
    socket = new WebSocket(url, 'ocpp1.6').on('message', heard)
  }
  const closed = new Promise<{ readonly code: number; readonly reason: string }>((resolve) => {
    socket.once('close', (code: number, reason: Buffer) => resolve({ code, reason: String(reason) }))
  })
  socket.on('error', () => undefined)
  const send = (action: string, payload: object): string => {
    const id = `call ${++calls}`
    socket.send(JSON.stringify([2, id, action, payload]))
    return id
  }
  return {
    closed,
    frames,
    send,
    call: (action, payload) =>
      new Promise((resolve) => {
        waiting.set(send(action, payload), resolve)
      }),
    end: () => socket.terminate(),
  }
}

const AGAIN_MS = 250

/** False: 503. Rejects at any other refusal. */
function isTaken(socket: WebSocket): Promise<boolean> {
  return new Promise((resolve, reject) => {
    socket.once('open', () => resolve(true))
    socket.on('error', reject)
    socket.once('unexpected-response', (request, { statusCode }) => {
      request.destroy()
      if (statusCode === 503) resolve(false)
      else reject(new Error(`Unexpected server response: ${statusCode}`))
    })
  })
}
