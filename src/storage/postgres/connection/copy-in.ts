/** COPY … FROM STDIN as a query of the driver: COPY's text, a piece at a time, as fast as the server takes it. */
import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type pg from 'pg'

/** Members of the driver's connection that its types lack. */
interface CopyConnection {
  readonly stream: Writable
  query(text: string): void
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
  sendCopyFail(message: string): void
}

export class CopyIn implements pg.Submittable {
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
