/**
 * Where in the journal each charge point's changes wait, and which of the journal's rows nothing waits in any more.
 * Only rows of this process: what another one wrote is that one's to take away (STORE-J4).
 */

/** A row of the journal. */
export interface JournalRow {
  readonly id: number
  /** Charge points that have something in it which is not in its place. */
  waiting: number
}

export interface WaitingOfChargePoint {
  /** Log ids, rising, that are not in the search yet. */
  readonly commands: number[]
  /** In the order of their commits. */
  readonly rows: JournalRow[]
  /** Change sets. */
  changes: number
}

/** What follows for the journal when these charge points are in place. */
export interface Settling {
  readonly placed: readonly string[]
  /** Nothing waits in them any more. */
  readonly gone: readonly JournalRow[]
  /** Charge points of which a row that must stay still holds something: it must not be put in place once more. */
  readonly marked: readonly string[]
  /** Marks that no row is left for. */
  readonly outdated: readonly number[]
}

export class WaitingRows {
  /** In the order in which they began to wait. */
  readonly #ofChargePoint = new Map<string, WaitingOfChargePoint>()
  readonly #rows = new Set<JournalRow>()
  #marks: readonly number[] = []
  #changes = 0
  #newest = 0

  /** Change sets that wait. */
  get changes(): number {
    return this.#changes
  }

  /** The greatest id of a row so far, a mark's included. */
  get newest(): number {
    return this.#newest
  }

  /** The oldest row in which something waits. */
  get oldest(): number | undefined {
    const { value } = this.#rows.values().next()
    return value?.id
  }

  chargePoints(): Iterable<readonly [chargePointId: string, WaitingOfChargePoint]> {
    return this.#ofChargePoint
  }

  of(chargePointId: string): WaitingOfChargePoint | undefined {
    return this.#ofChargePoint.get(chargePointId)
  }

  beginRow(id: number): JournalRow {
    const row = { id, waiting: 0 }
    this.#newest = id
    this.#rows.add(row)
    return row
  }

  /** One change set of the row's group. */
  add(row: JournalRow, chargePointId: string, command: number | undefined): void {
    let known = this.#ofChargePoint.get(chargePointId)
    if (!known) {
      known = { commands: [], rows: [], changes: 0 }
      this.#ofChargePoint.set(chargePointId, known)
    }
    if (command !== undefined) known.commands.push(command)
    if (known.rows.at(-1) !== row) {
      known.rows.push(row)
      row.waiting++
    }
    known.changes++
    this.#changes++
  }

  /** Changes nothing yet: the transaction in which it is written may fail. */
  settling(placed: readonly string[]): Settling {
    const left = new Map<JournalRow, number>()
    for (const id of placed) {
      for (const row of this.#rowsOf(id)) left.set(row, (left.get(row) ?? row.waiting) - 1)
    }
    const isGone = (row: JournalRow): boolean => left.get(row) === 0
    const marked = placed.filter((id) => !this.#rowsOf(id).every(isGone))
    let oldest = Number.POSITIVE_INFINITY
    for (const row of this.#rows) {
      if (isGone(row)) continue
      oldest = row.id
      break
    }
    const outdated = this.#marks.filter((mark) => mark < oldest)
    return { placed, gone: [...left.keys()].filter(isGone), marked, outdated }
  }

  /** `mark`: the row that says so of the marked ones. */
  settled({ placed, gone, outdated }: Settling, mark: number | undefined): void {
    for (const id of placed) {
      const known = this.#ofChargePoint.get(id)
      for (const row of known?.rows ?? []) row.waiting--
      this.#changes -= known?.changes ?? 0
      this.#ofChargePoint.delete(id)
    }
    for (const row of gone) this.#rows.delete(row)
    this.#marks = this.#marks.filter((one) => !outdated.includes(one))
    if (mark === undefined) return
    this.#marks = [...this.#marks, mark]
    this.#newest = mark
  }

  #rowsOf(chargePointId: string): readonly JournalRow[] {
    return this.#ofChargePoint.get(chargePointId)?.rows ?? []
  }
}
