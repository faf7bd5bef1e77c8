import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type pg from 'pg'
import type { PostgresAddress } from './address.ts'
import { connect } from './connect.ts'
import { ConnectionLost, isAway } from './failures.ts'
import type { Bound } from './text.ts'

export interface Result<Row> {
  readonly rows: readonly Row[]
  readonly changes: number
}

/** A server keeps each prepared statement of each connection, which rare ones are not worth. */
const PREPARED = 400

export class Session {
  readonly pid: number
  readonly #client: pg.Client
  readonly #names = new Map<string, string>()
  #isBroken = false
  #isDoubtful = false

  private constructor(client: pg.Client, pid: number) {
    this.#client = client
    this.pid = pid
    client.on('error', () => {
      this.#isBroken = true
    })
    client.on('end', () => {
      this.#isBroken = true
    })
    // The commit is on this server's disk alone: its durability is unknown.
    client.on('notice', ({ message }) => {
      if (message?.includes('canceling wait for synchronous replication')) this.#isDoubtful = true
    })
  }

  static async open(address: PostgresAddress): Promise<Session> {
    const { client, pid } = await connect(address)
    return new Session(client, pid)
  }

  static async during<T>(address: PostgresAddress, work: (session: Session) => Promise<T>): Promise<T> {
    const session = await Session.open(address)
    try {
      return await work(session)
    } finally {
      await session.end()
    }
  }

  get isBroken(): boolean {
    return this.#isBroken
  }

  /** Called with the notified channel; with none when the session ends. */
  onNotification(heard: (channel?: string) => void): void {
    this.#client.on('notification', ({ channel }) => heard(channel))
    this.#client.on('end', () => heard())
  }

  rows<Row>(text: string, values: readonly Bound[] = []): Promise<Result<Row>> {
    return this.#query<Row>(text, values, undefined)
  }

  arrays(text: string, values: readonly Bound[] = []): Promise<Result<readonly unknown[]>> {
    return this.#query<readonly unknown[]>(text, values, 'array')
  }

  async value<T>(text: string, values: readonly Bound[] = []): Promise<T | undefined> {
    const { rows } = await this.arrays(text, values)
    return rows[0]?.[0] as T | undefined
  }

  async run(text: string): Promise<void> {
    await this.#sent(() => this.#client.query(text))
  }

  /** @param next the next piece of rows in COPY's text; undefined at the end */
  async copyIn(text: string, next: () => string | undefined): Promise<void> {
    await this.#sent(() => this.#client.query(new CopyIn(text, next)).done)
  }

  async end(): Promise<void> {
    this.#isBroken = true
    await this.#client.end().catch(() => undefined)
  }

  async #query<Row>(text: string, values: readonly Bound[], rowMode: 'array' | undefined): Promise<Result<Row>> {
    const name = this.#nameOf(text)
    const config = { text, values: values as Bound[], name, rowMode }
    const { rows, rowCount } = await this.#sent(() => this.#client.query(config as pg.QueryConfig))
    return { rows: rows as Row[], changes: rowCount ?? 0 }
  }

  async #sent<T>(send: () => Promise<T>): Promise<T> {
    if (this.#isBroken) throw new ConnectionLost('The connection to the database has ended.')
    try {
      const answer = await send()
      if (!this.#isDoubtful) return answer
      await this.end()
      throw new ConnectionLost('The database stopped waiting for its standby.')
    } catch (error) {
      if (!isAway(error)) throw error
      this.#isBroken = true
      throw new ConnectionLost('The connection to the database ended before it answered.', { cause: error })
    }
  }

  #nameOf(text: string): string | undefined {
    const known = this.#names.get(text)
    if (known !== undefined || this.#names.size >= PREPARED) return known
    const name = `p${this.#names.size}`
    this.#names.set(text, name)
    return name
  }
}

/** Members of the driver's connection that its types lack. */
interface CopyConnection {
  readonly stream: Writable
  query(text: string): void
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
  sendCopyFail(message: string): void
}

class CopyIn implements pg.Submittable {
  readonly done: Promise<void>
  readonly #text: string
  readonly #next: () => string | undefined
  #isOver = false
  #failure: unknown
  #resolve: () => void = () => undefined
  #reject: (error: unknown) => void = () => undefined

  constructor(text: string, next: () => string | undefined) {
    this.#text = text
    this.#next = next
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
  }

  submit(connection: unknown): void {
    const { query } = connection as CopyConnection
    query.call(connection, this.#text)
  }

  handleCopyInResponse(connection: CopyConnection): void {
    void this.#feed(connection)
  }

  handleCommandComplete(): void {
    this.#isOver = true
  }

  handleError(error: unknown): void {
    this.#isOver = true
    this.#reject(this.#failure ?? error)
  }

  handleReadyForQuery(): void {
    this.#resolve()
  }

  async #feed(connection: CopyConnection): Promise<void> {
    try {
      for (let piece = this.#next(); piece !== undefined && !this.#isOver; piece = this.#next()) {
        connection.sendCopyFromChunk(Buffer.from(piece, 'utf8'))
        // Yields to the socket: the server works on this piece while the next one is made.
        if (connection.stream.writableNeedDrain) await Promise.race([once(connection.stream, 'drain'), this.done])
        else await setImmediate()
      }
      if (!this.#isOver) connection.endCopyFrom()
    } catch (error) {
      this.#failure = error
      if (!this.#isOver) connection.sendCopyFail('The rows could not be read.')
    }
  }
}
