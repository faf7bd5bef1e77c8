/** The groups of one connection as lines that must not be overloaded: one for each group and phase. */
import type { Group } from './group.ts'
import type { PerPhase } from './phases.ts'

/** From the leaf to the root. Stored groups have no circles; one that arises anyway is cut here. */
export function pathOf(groups: ReadonlyMap<string, Group>, leaf: string): readonly Group[] {
  const path: Group[] = []
  for (let group = groups.get(leaf); group && !path.includes(group); group = groups.get(group.parent ?? '')) {
    path.push(group)
  }
  return path
}

export class Lines {
  readonly free: Float64Array
  readonly #at = new Map<string, number>()
  readonly #paths = new Map<string, readonly Group[]>()

  constructor(
    readonly groups: ReadonlyMap<string, Group>,
    capacities: ReadonlyMap<string, PerPhase>,
  ) {
    this.free = new Float64Array(groups.size * 3)
    for (const name of groups.keys()) {
      const at = this.#at.size * 3
      this.#at.set(name, at)
      capacities.get(name)?.forEach((amps, phase) => {
        this.free[at + phase] = amps
      })
    }
  }

  path(leaf: string): readonly Group[] {
    const known = this.#paths.get(leaf)
    if (known) return known
    const path = pathOf(this.groups, leaf)
    this.#paths.set(leaf, path)
    return path
  }

  under(leaf: string, phases: readonly number[]): readonly number[] {
    return this.path(leaf).flatMap(({ name, phases: of }) => {
      const at = this.#at.get(name) ?? 0
      return of === 1 ? [at] : phases.map((phase) => at + phase)
    })
  }

  nameAt(line: number): string {
    return [...this.#at.keys()][Math.floor(line / 3)] ?? ''
  }

  freeOf(name: string, phase: number): number {
    return this.free[(this.#at.get(name) ?? 0) + phase] ?? 0
  }

  room(lines: readonly number[]): number {
    let room = Number.POSITIVE_INFINITY
    for (const line of lines) room = Math.min(room, this.free[line] ?? 0)
    return room
  }

  take(lines: readonly number[], amps: number): void {
    for (const line of lines) this.free[line] = (this.free[line] ?? 0) - amps
  }
}
