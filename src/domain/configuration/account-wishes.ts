/**
 * What an account wants of its fleet, found by what is set: a change of one configuration or set of monitors costs what
 * that one sets, however many others there are (CONFIG-A12).
 */

import { type Selectable, selects } from '../blocks/selector.ts'
import { intentName } from '../intents/intent-name.ts'
import type { Want } from '../intents/records.ts'
import { monitorWantOf, namesOfMonitors } from '../monitors/desired.ts'
import type { MonitorSet } from '../monitors/records.ts'
import { namesOfConfiguration, outranks, wantOf } from './desired.ts'
import type { Configuration } from './records.ts'

/** A configuration or a set of monitors, and where in it this stands. */
interface Entry<Wish> {
  readonly wish: Wish
  readonly at: number
}

/** Who sets this, each by its name. */
interface Setters {
  readonly configurations: Map<string, Entry<Configuration>>
  readonly monitorSets: Map<string, Entry<MonitorSet>>
}

export class AccountWishes {
  readonly #configurations = new Map<string, Configuration>()
  readonly #monitorSets = new Map<string, MonitorSet>()
  readonly #setters = new Map<string, Setters>()

  get isEmpty(): boolean {
    return this.#configurations.size + this.#monitorSets.size === 0
  }

  putConfiguration(name: string, wish: Configuration | undefined): void {
    const before = this.#configurations.get(name)
    for (const set of before ? namesOfConfiguration(before) : []) this.#forget(set, 'configurations', name)
    if (!wish) return void this.#configurations.delete(name)
    this.#configurations.set(name, wish)
    for (const [at, set] of namesOfConfiguration(wish).entries()) {
      this.#settersOf(set).configurations.set(name, { wish, at })
    }
  }

  putMonitorSet(name: string, wish: MonitorSet | undefined): void {
    const before = this.#monitorSets.get(name)
    for (const set of before ? namesOfMonitors(before) : []) this.#forget(set, 'monitorSets', name)
    if (!wish) return void this.#monitorSets.delete(name)
    this.#monitorSets.set(name, wish)
    for (const [at, set] of namesOfMonitors(wish).entries()) {
      this.#settersOf(set).monitorSets.set(name, { wish, at })
    }
  }

  /** All that is wanted of a station, at most one more than `most` of it. */
  namesFor(station: Selectable, protocol: string | undefined, most: number): ReadonlySet<string> {
    const names = new Set<string>()
    if (protocol === undefined) return names
    const kind = kindOf(protocol)
    for (const wish of this.#configurations.values()) {
      if (!selects(wish.selector, station)) continue
      for (const name of namesOfConfiguration(wish)) {
        if (name.startsWith(kind)) names.add(name)
        if (names.size > most) return names
      }
    }
    for (const wish of this.#monitorSets.values()) {
      if (!selects(wish.selector, station)) continue
      for (const name of namesOfMonitors(wish)) names.add(name)
      if (names.size > most) return names
    }
    return names
  }

  /**
   * Of these names what is wanted of the station: a configuration key of a station of 1.6, a variable of one of 2.0.1,
   * a monitor of both, of one that never connected nothing yet.
   */
  wantsFor(station: Selectable, protocol: string | undefined, names: Iterable<string>): readonly Want[] {
    const selected = new Map<Configuration | MonitorSet, boolean>()
    const isSelected = ({ wish }: Entry<Configuration | MonitorSet>): boolean => {
      const is = selected.get(wish) ?? selects(wish.selector, station)
      selected.set(wish, is)
      return is
    }
    const wants: Want[] = []
    for (const name of protocol === undefined ? [] : names) {
      const setters = this.#setters.get(name)
      if (!setters) continue
      const sets = [...setters.monitorSets.values()].filter(isSelected)
      if (sets.length > 0) wants.push(monitorWantOf(sets))
      if (setters.configurations.size === 0 || !name.startsWith(kindOf(protocol))) continue
      const [first, ...others] = [...setters.configurations.values()].filter(isSelected)
      if (!first) continue
      const { wish, at } = others.reduce((best, one) => (outranks(one.wish, best.wish) ? one : best), first)
      wants.push(wantOf(wish, at))
    }
    return wants
  }

  #settersOf(name: string): Setters {
    const known = this.#setters.get(name)
    if (known) return known
    const fresh: Setters = { configurations: new Map(), monitorSets: new Map() }
    this.#setters.set(name, fresh)
    return fresh
  }

  #forget(set: string, kind: keyof Setters, name: string): void {
    const setters = this.#setters.get(set)
    setters?.[kind].delete(name)
    if (setters && setters.configurations.size + setters.monitorSets.size === 0) this.#setters.delete(set)
  }
}

function kindOf(protocol: string | undefined): string {
  return intentName({ kind: protocol === 'ocpp1.6' ? 'configurationKey' : 'variable', key: '' })
}
