/** A pooler in transaction mode: a client has another connection to the server for each of its transactions. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface TransactionPooler {
  /** The database's address through it. */
  readonly url: string
  close(): Promise<void>
}

const READY = 'Z'.charCodeAt(0)
const IDLE = 'I'.charCodeAt(0)
const HEADER = 5

interface Backend {
  readonly socket: Socket
  client: Socket | undefined
}

/** @param most connections to the server */
export async function poolTransactions(databaseUrl: string, most: number): Promise<TransactionPooler> {
  const target = new URL(databaseUrl)
  const idle: Backend[] = []
  const waiting: ((backend: Backend) => void)[] = []
  const sockets = new Set<Socket>()
  let opened = 0

  const release = (backend: Backend): void => {
    backend.client = undefined
    const next = waiting.shift()
    if (next) next(backend)
    else idle.push(backend)
  }
  /** As the client greets; what the server answers to that is not passed on. */
  const open = (greeting: Buffer): void => {
    opened++
    const socket = connect(Number(target.port), target.hostname)
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.write(greeting)
    const backend: Backend = { socket, client: undefined }
    let rest = Buffer.alloc(0)
    socket.on('data', (data: Buffer) => {
      rest = Buffer.concat([rest, data])
      while (rest.length >= HEADER && rest.length > rest.readInt32BE(1)) {
        const message = rest.subarray(0, 1 + rest.readInt32BE(1))
        rest = rest.subarray(message.length)
        backend.client?.write(message)
        if (message[0] === READY && message[HEADER] === IDLE) release(backend)
      }
    })
  }
  const server = createServer((client) => {
    sockets.add(client)
    client.on('error', () => undefined)
    let bound: Backend | undefined
    let held: Buffer[] = []
    client.once('data', (greeting: Buffer) => {
      if (opened < most) open(greeting)
      // Welcome, and ready for a question.
      client.write(Buffer.from([82, 0, 0, 0, 8, 0, 0, 0, 0, READY, 0, 0, 0, 5, IDLE]))
      client.on('data', (data: Buffer) => {
        if (data[0] === 'X'.charCodeAt(0)) {
          client.end()
          return
        }
        if (bound?.client === client) {
          bound.socket.write(data)
          return
        }
        held.push(data)
        if (held.length > 1) return
        const use = (backend: Backend): void => {
          bound = backend
          backend.client = client
          for (const one of held) backend.socket.write(one)
          held = []
        }
        const free = idle.shift()
        if (free) use(free)
        else {
          if (opened < most) open(greeting)
          waiting.push(use)
        }
      })
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(databaseUrl)
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
