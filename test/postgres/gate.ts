/** What stands between a server and its PostgreSQL: it can be shut, or let nothing through without saying so. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface Gate {
  /** The database's address through it. */
  readonly url: string
  /** Texts that went to the database: at least one for each journey. */
  sent(): number
  /** Connections end, and new ones are refused. */
  shut(): void
  /** Connections stay, and nothing comes through. */
  stall(): void
  open(): void
  close(): Promise<void>
}

export async function gateTo(databaseUrl: string): Promise<Gate> {
  const { hostname, port } = new URL(databaseUrl)
  const pairs = new Map<Socket, Socket>()
  let sent = 0
  let state: 'open' | 'shut' | 'stalled' = 'open'
  const server = createServer((client) => {
    client.on('error', () => undefined)
    if (state === 'shut') {
      client.destroy()
      return
    }
    const backend = connect(Number(port), hostname)
    pairs.set(client, backend)
    backend.on('error', () => client.destroy())
    backend.on('close', () => client.destroy())
    client.on('close', () => {
      pairs.delete(client)
      backend.destroy()
    })
    client.on('data', () => sent++)
    client.pipe(backend).pipe(client)
    if (state === 'stalled') client.pause()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(databaseUrl)
  url.port = String((server.address() as AddressInfo).port)
  const endAll = (): void => {
    for (const client of pairs.keys()) client.destroy()
  }
  return {
    url: url.href,
    sent: () => sent,
    shut() {
      state = 'shut'
      endAll()
    },
    stall() {
      state = 'stalled'
      for (const [client, backend] of pairs) {
        client.unpipe(backend)
        client.pause()
        backend.unpipe(client)
        backend.pause()
      }
    },
    open() {
      state = 'open'
      // What was held back is lost with its connection.
      for (const client of pairs.keys()) if (client.isPaused()) client.destroy()
    },
    async close() {
      endAll()
      server.close()
      await once(server, 'close')
    },
  }
}
