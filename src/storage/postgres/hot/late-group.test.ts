import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { emptyDatabase, type PostgresDatabase } from '../../../../test/postgres/databases.ts'
import { loadChargePoint } from '../../../../test/support/storage/testing.ts'
import { aChargePoint, changeSet, NOW } from '../../../../test/support/storage-contract/records.ts'
import type { Store } from '../../database.ts'
import { databaseAt } from '../../open.ts'

/** The message of the protocol after which the server carries out what it was asked. */
const SYNC = Buffer.from([0x53, 0, 0, 0, 4])

/** A network that loses the way back of one group and brings the group itself to the server when it is told to. */
class Network {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #held: { readonly upstream: Socket; readonly text: Buffer } | undefined
  /** The next group is held back, and its connection ends for whoever sent it. */
  holdsNext = false

  constructor(host: string, port: number) {
    this.#server = createServer((client) => {
      const upstream = connect(port, host)
      for (const socket of [client, upstream]) {
        this.#sockets.add(socket)
        socket.on('error', () => undefined)
      }
      let held: Buffer | undefined
      client.on('data', (text) => {
        if (held === undefined && !(this.holdsNext && text.includes('pilotwire_commit_group'))) {
          upstream.write(text)
          return
        }
        this.holdsNext = false
        held = Buffer.concat([held ?? Buffer.alloc(0), text])
        if (!held.subarray(-SYNC.length).equals(SYNC)) return
        this.#held = { upstream, text: held }
        client.destroy()
      })
      upstream.on('data', (text) => client.write(text))
      client.on('close', () => {
        if (held === undefined) upstream.destroy()
      })
      upstream.on('close', () => client.destroy())
    })
  }

  async listen(): Promise<number> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return (this.#server.address() as AddressInfo).port
  }

  get holds(): boolean {
    return this.#held !== undefined
  }

  /** What was held arrives. @returns what the server answers */
  async deliver(): Promise<string> {
    if (!this.#held) throw new Error('Nothing was held.')
    const { upstream, text } = this.#held
    let answer = Buffer.alloc(0)
    const ready = new Promise<void>((resolve) => {
      upstream.on('data', (more: Buffer) => {
        answer = Buffer.concat([answer, more])
        // Ready for the next query, outside of a transaction.
        if (answer.subarray(-6).equals(Buffer.from([0x5a, 0, 0, 0, 5, 0x49]))) resolve()
      })
    })
    upstream.write(text)
    await ready
    return answer.toString('latin1')
  }

  close(): void {
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
  }
}

// STORE-N2: a group whose connection ended before it reached the server
let database: PostgresDatabase
let network: Network
let store: Store
beforeEach(async () => {
  database = await emptyDatabase()
  const address = new URL(database.url)
  network = new Network(address.hostname, Number(address.port || 5432))
  address.hostname = '127.0.0.1'
  address.port = String(await network.listen())
  store = await databaseAt(address.href).openStore()
  await store.writes.createAccount({ id: 'A', name: 'A', createdAt: NOW })
  await store.writes.createChargePoint(aChargePoint())
  await loadChargePoint(store.core, 'CP1')
})
afterEach(async () => {
  await store.close()
  network.close()
  await database.drop()
})

it('is stored by its repetition, and has no effect when it arrives after all', async () => {
  const seen = (at: number) => store.core.commit([changeSet({ status: { lastSeenAt: at } })])
  network.holdsNext = true
  expect(await seen(NOW + 1)).toEqual([{ ok: true }])
  expect(network.holds).toBe(true)
  expect(await seen(NOW + 2)).toEqual([{ ok: true }])
  expect(await network.deliver()).toContain('PW002')
  expect((await loadChargePoint(store.core, 'CP1'))?.status).toEqual({ lastSeenAt: NOW + 2 })
  expect(await seen(NOW + 3)).toEqual([{ ok: true }])
})
