/** A balancer in front of several nodes: a new connection goes to the ready node that has the fewest of them. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

const LOOK_EVERY_MS = 250
const LOOK_LIMIT_MS = 1_000

interface Target {
  port: number
  readonly sockets: Set<Socket>
  isReady: boolean
}

export class Balancer {
  readonly #server: Server
  readonly #targets: readonly Target[]
  readonly #timer: NodeJS.Timeout

  private constructor(server: Server, targets: readonly Target[]) {
    this.#server = server
    this.#targets = targets
    server.on('connection', (client: Socket) => this.#forward(client, new Set()))
    this.#timer = setInterval(() => void this.#look(), LOOK_EVERY_MS)
  }

  /** @param ports of the nodes on this machine, whether they run or not */
  static async listen(ports: readonly number[]): Promise<Balancer> {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const balancer = new Balancer(
      server,
      ports.map((port) => ({ port, sockets: new Set(), isReady: true })),
    )
    await balancer.#look()
    return balancer
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  get ocppUrl(): string {
    return `${this.url.replace('http', 'ws')}/ocpp`
  }

  get readyCount(): number {
    return this.#targets.filter(({ isReady }) => isReady).length
  }

  /** Another node is in its place. */
  replace(index: number, port: number): void {
    const target = this.#targets[index]
    if (target) target.port = port
  }

  /** As a network that fails for a moment. */
  breakAll(): void {
    for (const { sockets } of this.#targets) for (const socket of sockets) socket.destroy()
  }

  close(): void {
    clearInterval(this.#timer)
    this.#server.close()
    this.breakAll()
  }

  async #look(): Promise<void> {
    await Promise.all(
      this.#targets.map(async (target) => {
        const asked = fetch(`http://127.0.0.1:${target.port}/readyz`, { signal: AbortSignal.timeout(LOOK_LIMIT_MS) })
        target.isReady = await asked.then(
          ({ status }) => status === 200,
          () => false,
        )
      }),
    )
  }

  /** @param tried nodes that did not take the connection: nothing of it was sent to them */
  #forward(client: Socket, tried: ReadonlySet<Target>): void {
    const left = this.#targets.filter((one) => one.isReady && !tried.has(one))
    const target = left.sort((a, b) => a.sockets.size - b.sockets.size)[0]
    client.on('error', () => undefined)
    if (!target) {
      client.destroy()
      return
    }
    const upstream = connect(target.port, '127.0.0.1')
    target.sockets.add(upstream)
    let isOpen = false
    upstream.on('connect', () => {
      isOpen = true
      client.pipe(upstream)
      upstream.pipe(client)
    })
    upstream.on('error', () => undefined)
    upstream.on('close', () => {
      target.sockets.delete(upstream)
      if (isOpen) client.destroy()
      else this.#forward(client, new Set([...tried, target]))
    })
    client.on('close', () => upstream.destroy())
  }
}
