/**
 * STORE-M1: requests between nodes through a table, a statement per turn. A missed notification costs a second. Groups
 * are never committed with one, as all commits of the server would wait for each other.
 */

import { randomUUID } from 'node:crypto'
import type { NodeAddress, Sent } from '../../../domain/ports/other-nodes.ts'
import type { PostgresAddress } from '../connection/address.ts'
import type { After, Pool } from '../connection/pool.ts'
import { Session } from '../connection/session.ts'
import { jsonToDatabase } from '../connection/text.ts'
import { ALIVE, NOW_MS } from '../functions/group.ts'

const LOOK_EVERY_MS = 1_000
const TAKEN_AT_ONCE = 500
/** A node that was away for longer has no use for older messages. */
const REPORTED_FOR_MS = 60_000
const CLEAR_EVERY_LOOKS = 60
const CHANNEL = 'pilotwire_node_'

const WAKE = `SELECT count(pg_notify('${CHANNEL}' || x.channel, '')) FROM (SELECT DISTINCT channel FROM put) AS x`
const PUT = `WITH put AS (INSERT INTO node_requests (id, reader, to_slot, to_incarnation, request, expires_at)
    SELECT id, reader, slot, incarnation, request, ${NOW_MS} + "limitMs"
    FROM json_to_recordset($1) AS x(id text, reader text, slot bigint, incarnation bigint, request text,
      "limitMs" bigint)
    ON CONFLICT (id) DO NOTHING RETURNING to_slot || '_' || to_incarnation AS channel)
  ${WAKE}`
const TELL = `WITH put AS (INSERT INTO node_requests (id, to_slot, to_incarnation, request, expires_at)
    SELECT gen_random_uuid()::text, n.slot, n.incarnation, $3, ${NOW_MS} + ${REPORTED_FOR_MS}
    FROM nodes AS n WHERE (n.slot <> $1 OR n.incarnation <> $2) AND n.state <> 'fenced'
    RETURNING to_slot || '_' || to_incarnation AS channel)
  ${WAKE}`
const TAKE = `UPDATE node_requests SET taken_at = ${NOW_MS} WHERE id IN (SELECT id FROM node_requests
    WHERE to_slot = $1 AND to_incarnation = $2 AND taken_at IS NULL AND expires_at > ${NOW_MS}
    ORDER BY position LIMIT ${TAKEN_AT_ONCE} FOR UPDATE SKIP LOCKED)
  RETURNING id, position, reader, request`
const ANSWER = `WITH put AS (UPDATE node_requests AS r SET answer = x.answer
    FROM json_to_recordset($1) AS x(id text, answer text) WHERE r.id = x.id RETURNING r.reader AS channel)
  ${WAKE}`
const READ = 'DELETE FROM node_requests WHERE reader = $1 AND answer IS NOT NULL RETURNING id, answer'
const WITHDRAW = 'DELETE FROM node_requests WHERE id = ANY($1) RETURNING id, taken_at AS "takenAt", answer'
const LIVING = `SELECT slot, incarnation FROM nodes AS n WHERE ${ALIVE}`
const CLEAR = `DELETE FROM node_requests WHERE expires_at < ${NOW_MS} - ${REPORTED_FOR_MS}`

interface Context {
  readonly address: PostgresAddress
  readonly pool: Pool
  readonly own: () => Promise<NodeAddress>
  readonly after: After
  readonly monotonic: () => number
}

interface Waiting {
  readonly to: NodeAddress
  readonly until: number
  readonly settle: (sent: Sent) => void
}

interface Asked {
  readonly id: string
  readonly reader: string
  readonly slot: number
  readonly incarnation: number
  readonly request: string
  readonly limitMs: number
}

interface Answered {
  readonly id: string
  readonly answer: string
}

type Taken = Pick<Asked, 'id' | 'request'> & { readonly position: number; readonly reader: string | null }
type Withdrawn = Pick<Asked, 'id'> & { readonly takenAt: number | null; readonly answer: string | null }

export class Mailbox {
  readonly #parts: Context
  readonly #reader = randomUUID()
  readonly #waiting = new Map<string, Waiting>()
  readonly #ask: Batches<Asked>
  readonly #tell: Batches<Answered>
  #answer: ((request: string) => Promise<string>) | undefined
  #listening: { readonly session: Session; readonly to: string } | undefined
  #looking: Promise<void> | undefined
  #isToTake = false
  #isToRead = false
  #looks = 0
  #cancel = (): void => undefined
  #isClosed = false

  constructor(parts: Context) {
    this.#parts = parts
    const { pool, after } = parts
    const sending = (sql: string) => (rows: readonly object[]) => pool.rows(sql, [jsonToDatabase(rows)])
    this.#ask = createBatches<Asked>(sending(PUT), after, ({ id }) => this.#waiting.has(id))
    this.#tell = createBatches<Answered>(sending(ANSWER), after, () => !this.#isClosed)
    this.#lookLater()
  }

  send(to: NodeAddress, request: string, limitMs: number): Promise<Sent> {
    return new Promise((settle) => {
      if (this.#isClosed) return settle({ outcome: 'not taken' })
      const id = randomUUID()
      this.#waiting.set(id, { to, until: this.#parts.monotonic() + limitMs, settle })
      this.#ask.add({ id, reader: this.#reader, slot: to.slot, incarnation: to.incarnation, request, limitMs })
      if (!this.#listening) this.#wake()
    })
  }

  async tellAll(request: string): Promise<void> {
    const { slot, incarnation } = await this.#parts.own()
    await this.#parts.pool.rows(TELL, [slot, incarnation, request])
  }

  serve(answer: (request: string) => Promise<string>): void {
    this.#answer = answer
    this.#wake()
  }

  stopServing(): void {
    this.#answer = undefined
  }

  /** Sends answers, if the database is there; waiting callers learn that theirs is unknown. */
  async close(): Promise<void> {
    this.#cancel()
    const late = new Promise<void>((resolve) => this.#parts.after(LOOK_EVERY_MS, resolve))
    await Promise.race([this.#tell.whenSent(), late])
    this.#isClosed = true
    await this.#looking
    for (const { settle } of this.#waiting.values()) settle({ outcome: 'not known' })
    this.#waiting.clear()
    await this.#listening?.session.end()
  }

  #lookLater(): void {
    if (this.#isClosed) return
    this.#cancel()
    this.#cancel = this.#parts.after(LOOK_EVERY_MS, () => {
      this.#wake()
      void this.#looking?.then(() => this.#settleLost()).finally(() => this.#lookLater())
    })
  }

  /** @param channel of the notification; without one both are checked */
  #wake(channel?: string): void {
    if (this.#isClosed) return
    const isAnswer = channel === CHANNEL + this.#reader
    if (!isAnswer) this.#isToTake = true
    if (isAnswer || channel === undefined) this.#isToRead = true
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined
    })
  }

  async #look(): Promise<void> {
    while ((this.#isToTake || this.#isToRead) && !this.#isClosed) {
      const [isToTake, isToRead] = [this.#isToTake, this.#isToRead]
      this.#isToTake = false
      this.#isToRead = false
      try {
        await this.#listen()
        if (isToTake) await this.#take()
        if (isToRead) await this.#readAnswers()
      } catch {
        // The database is away; everything is still there in a second.
        return
      }
    }
  }

  async #listen(): Promise<void> {
    if (!this.#answer && this.#waiting.size === 0) return
    const { slot, incarnation } = await this.#parts.own()
    const to = `${slot}_${incarnation}`
    const known = this.#listening
    if (known?.to === to && !known.session.isBroken) return
    this.#listening = undefined
    await known?.session.end()
    const session = await Session.open(this.#parts.address)
    session.onNotification((channel) => this.#wake(channel))
    await session.run(`LISTEN "${CHANNEL}${to}"; LISTEN "${CHANNEL}${this.#reader}"`)
    this.#listening = { session, to }
  }

  async #take(): Promise<void> {
    if (!this.#answer) return
    const { slot, incarnation } = await this.#parts.own()
    const { rows } = await this.#parts.pool.rows<Taken>(TAKE, [slot, incarnation])
    if (rows.length === TAKEN_AT_ONCE) this.#isToTake = true
    for (const { id, reader, request } of [...rows].sort((a, b) => a.position - b.position)) {
      void this.#answer(request).then((answer) => {
        if (reader !== null) this.#tell.add({ id, answer })
      })
    }
  }

  async #readAnswers(): Promise<void> {
    if (this.#waiting.size === 0) return
    const { rows } = await this.#parts.pool.rows<Answered>(READ, [this.#reader])
    for (const { id, answer } of rows) this.#settle(id, { outcome: 'answered', answer })
  }

  /** Requests past their time, or whose node is gone. Untaken ones are withdrawn, so that no node takes them later. */
  async #settleLost(): Promise<void> {
    const { pool, monotonic } = this.#parts
    try {
      if (++this.#looks % CLEAR_EVERY_LOOKS === 0) await pool.rows(CLEAR)
      if (this.#waiting.size === 0) return
      const asked = [...this.#waiting]
      const living = (await pool.rows<NodeAddress>(LIVING)).rows
      const isLiving = ({ slot, incarnation }: NodeAddress): boolean =>
        living.some((one) => one.slot === slot && one.incarnation === incarnation)
      const lost = asked.filter(([, { to, until }]) => until <= monotonic() || !isLiving(to)).map(([id]) => id)
      if (lost.length === 0) return
      const { rows } = await pool.rows<Withdrawn>(WITHDRAW, [lost])
      for (const id of lost) {
        const row = rows.find((one) => one.id === id)
        if (row?.answer) this.#settle(id, { outcome: 'answered', answer: row.answer })
        else this.#settle(id, { outcome: row && row.takenAt === null ? 'not taken' : 'not known' })
      }
    } catch {
      // The database is away: nothing is known before it is back.
    }
  }

  #settle(id: string, sent: Sent): void {
    this.#waiting.get(id)?.settle(sent)
    this.#waiting.delete(id)
  }
}

/** Rows sent together: those of one turn, and those gathered while others are under way. */
const AGAIN_MS = 100

interface Batches<Row> {
  add(row: Row): void
  /** All rows so far were sent or became unnecessary. */
  whenSent(): Promise<void>
}

/** @param isRequested asked before each attempt: rows without a waiting caller are dropped */
function createBatches<Row>(
  send: (rows: readonly Row[]) => Promise<unknown>,
  after: After,
  isRequested: (row: Row) => boolean,
): Batches<Row> {
  let gathered: Row[] = []
  let isUnderWay = false
  let sent: Promise<void> = Promise.resolve()
  const sendAll = async (): Promise<void> => {
    while (gathered.length > 0) {
      const rows = gathered.filter(isRequested)
      gathered = []
      if (rows.length === 0) continue
      try {
        await send(rows)
      } catch {
        gathered = [...rows, ...gathered]
        await new Promise<void>((resolve) => after(AGAIN_MS, resolve))
      }
    }
    isUnderWay = false
  }
  return {
    add(row) {
      gathered.push(row)
      if (isUnderWay) return
      isUnderWay = true
      sent = new Promise<void>((resolve) => setImmediate(resolve)).then(sendAll)
    },
    whenSent: () => sent,
  }
}
