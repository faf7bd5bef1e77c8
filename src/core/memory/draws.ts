/** The newest measurements of each EVSE, for stations that only have limits. */
import type { Draw } from '../../domain/charging/records.ts'

export class Draws {
  /** Lazy: most stations have no limits. */
  #byEvse: Map<number, Draw> | undefined

  of(evseId: number): Draw | undefined {
    if (evseId !== 0) return this.#byEvse?.get(evseId)
    const all = [...(this.#byEvse?.values() ?? [])]
    if (all.length === 0) return undefined
    const amps = all.flatMap((one) => one.amps ?? [])
    return {
      at: Math.min(...all.map(({ at }) => at)),
      ...(amps.length > 0 && { amps: amps.reduce((sum, each) => sum + each, 0) }),
    }
  }

  put(evseId: number, draw: Draw): void {
    this.#byEvse ??= new Map()
    this.#byEvse.set(evseId, draw)
  }
}
