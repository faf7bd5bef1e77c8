/** Each charge point's changes in the journal, as far as this process wrote them (STORE-J4). */

export interface WaitingOfChargePoint {
  /** Log ids, rising, that are not in the search yet. */
  readonly commands: number[]
  /** The journal row with the first waiting change. */
  since: number
  changes: number
}

export class WaitingChanges {
  readonly #ofChargePoint = new Map<string, WaitingOfChargePoint>()
  #changes = 0
  #newest = 0
  #cleared = 0

  get changes(): number {
    return this.#changes
  }

  /** The greatest id of a row so far, a mark's included. */
  get newest(): number {
    return this.#newest
  }

  hasRowsUpTo(row: number): boolean {
    return this.#cleared < Math.min(row, this.#newest)
  }

  chargePoints(): Iterable<readonly [chargePointId: string, WaitingOfChargePoint]> {
    return this.#ofChargePoint
  }

  of(chargePointId: string): WaitingOfChargePoint | undefined {
    return this.#ofChargePoint.get(chargePointId)
  }

  noticeRow(id: number): void {
    this.#newest = id
  }

  add(chargePointId: string, command: number | undefined): void {
    let known = this.#ofChargePoint.get(chargePointId)
    if (!known) {
      known = { commands: [], since: this.#newest, changes: 0 }
      this.#ofChargePoint.set(chargePointId, known)
    }
    if (command !== undefined) known.commands.push(command)
    known.changes++
    this.#changes++
  }

  /** The first `changes` of a charge point are placed, with all rows up to this one. */
  placed(chargePointId: string, changes: number, row: number): void {
    const known = this.#ofChargePoint.get(chargePointId)
    if (!known) return
    known.changes -= changes
    known.since = row + 1
    this.#changes -= changes
    if (known.changes === 0) this.#ofChargePoint.delete(chargePointId)
  }

  /** Its rows up to this one are no longer in the journal. */
  cleared(row: number): void {
    this.#cleared = Math.max(this.#cleared, row)
  }
}
