/** How far each session's energy was counted (CONSOLE-A3): only this node writes it, so it remembers from commit on. */
import { keepNewest } from '../../../limits/keep-newest.ts'
import {
  type Counted,
  type CountedSession,
  countEnergy,
  type EnergyPoint,
  type EnergySlots,
  type KnownEnergy,
} from '../../documents/energy-slots.ts'

/** Sessions that charge at once on one node; forgotten ones are read again. */
const REMEMBERED = 100_000

export class CountedEnergy {
  readonly #stored = new Map<string, KnownEnergy>()
  readonly #staged = new Map<string, KnownEnergy>()

  /** @returns `isNew`: without a known row, so none may exist */
  count(
    session: CountedSession,
    points: readonly EnergyPoint[],
    power: number | undefined,
    slots: EnergySlots,
  ): Counted & { readonly isNew: boolean } {
    const known = this.#staged.get(session.id) ?? this.#stored.get(session.id)
    const counted = countEnergy(session, known, points, power, slots)
    this.#staged.set(session.id, { ...counted, milliWh: session.energyMilliWh })
    return { ...counted, isNew: known === undefined }
  }

  keep(): void {
    for (const [id, known] of this.#staged) this.remember(id, known)
    this.#staged.clear()
  }

  drop(): void {
    this.#staged.clear()
  }

  remember(id: string, known: KnownEnergy): void {
    keepNewest(this.#stored, id, known, REMEMBERED)
  }

  forget(id: string): void {
    this.#staged.delete(id)
    this.#stored.delete(id)
  }

  forgetAll(): void {
    this.#staged.clear()
    this.#stored.clear()
  }
}
