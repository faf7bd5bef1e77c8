/** What an account desires of its fleet, by name: a change costs only what it sets (CONFIG-A12). */

import { nameText } from '../device-model/variable-names.ts'
import type { IntentSource, Want } from '../intents/records.ts'
import { intentName } from '../intents/states.ts'
import type { LocalList } from '../local-lists/records.ts'
import { monitorWantOf, namesOfMonitors } from '../monitors/desired-monitors.ts'
import type { MonitorSet } from '../monitors/records.ts'
import type { IntentKind } from '../ports/blocks.ts'
import { type Selectable, selects } from '../selector.ts'
import type { Configuration } from './records.ts'

interface Entry<Desired> {
  readonly desired: Desired
  readonly at: number
}

interface Setters {
  readonly configurations: Map<string, Entry<Configuration>>
  readonly monitorSets: Map<string, Entry<MonitorSet>>
}

export class DesiredByAccount {
  readonly #configurations = new Map<string, Configuration>()
  readonly #monitorSets = new Map<string, MonitorSet>()
  readonly #localLists = new Map<string, LocalList>()
  readonly #setters = new Map<string, Setters>()

  get isEmpty(): boolean {
    return this.#configurations.size + this.#monitorSets.size === 0
  }

  putConfiguration(name: string, desired: Configuration | undefined): void {
    const before = this.#configurations.get(name)
    for (const set of before ? namesOfConfiguration(before) : []) this.#forget(set, 'configurations', name)
    if (!desired) return void this.#configurations.delete(name)
    this.#configurations.set(name, desired)
    for (const [at, set] of namesOfConfiguration(desired).entries()) {
      this.#settersOf(set).configurations.set(name, { desired, at })
    }
  }

  putMonitorSet(name: string, desired: MonitorSet | undefined): void {
    const before = this.#monitorSets.get(name)
    for (const set of before ? namesOfMonitors(before) : []) this.#forget(set, 'monitorSets', name)
    if (!desired) return void this.#monitorSets.delete(name)
    this.#monitorSets.set(name, desired)
    for (const [at, set] of namesOfMonitors(desired).entries()) {
      this.#settersOf(set).monitorSets.set(name, { desired, at })
    }
  }

  putLocalList(name: string, desired: LocalList | undefined): void {
    if (desired) this.#localLists.set(name, desired)
    else this.#localLists.delete(name)
  }

  /** LIST-A8: of several that mean it, the one whose name comes first. */
  listFor(station: Selectable): LocalList | undefined {
    let first: LocalList | undefined
    for (const list of this.#localLists.values()) {
      if (first && first.name < list.name) continue
      if (selects(list.selector, station)) first = list
    }
    return first
  }

  /** All intent names that apply to a station, at most one more than `most`. */
  namesFor(station: Selectable, setting: IntentKind | undefined, most: number): ReadonlySet<string> {
    const names = new Set<string>()
    if (setting === undefined) return names
    for (const desired of this.#configurations.values()) {
      if (!selects(desired.selector, station)) continue
      for (const name of namesOfConfiguration(desired)) {
        if (isOf(setting, name)) names.add(name)
        if (names.size > most) return names
      }
    }
    for (const desired of this.#monitorSets.values()) {
      if (!selects(desired.selector, station)) continue
      for (const name of namesOfMonitors(desired)) names.add(name)
      if (names.size > most) return names
    }
    return names
  }

  /** Of these names what is desired of the station: 1.6 keys, 2.0.1 variables, monitors; nothing if never connected. */
  wantsFor(station: Selectable, setting: IntentKind | undefined, names: Iterable<string>): readonly Want[] {
    const selected = new Map<Configuration | MonitorSet, boolean>()
    const isSelected = ({ desired }: Entry<Configuration | MonitorSet>): boolean => {
      const is = selected.get(desired) ?? selects(desired.selector, station)
      selected.set(desired, is)
      return is
    }
    const wants: Want[] = []
    for (const name of setting === undefined ? [] : names) {
      const setters = this.#setters.get(name)
      if (!setters) continue
      const sets = [...setters.monitorSets.values()].filter(isSelected)
      if (sets.length > 0) wants.push(monitorWantOf(sets))
      if (setters.configurations.size === 0 || !isOf(setting, name)) continue
      const [first, ...others] = [...setters.configurations.values()].filter(isSelected)
      if (!first) continue
      const { desired, at } = others.reduce((best, one) => (outranks(one.desired, best.desired) ? one : best), first)
      wants.push(wantOf(desired, at))
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

function isOf(kind: IntentKind | undefined, name: string): boolean {
  return kind !== undefined && name.startsWith(intentName({ kind, key: '' }))
}

/** Names by configuration: they are asked for once for every station of the account. */
const names = new WeakMap<Configuration, readonly string[]>()

export function namesOfConfiguration(configuration: Configuration): readonly string[] {
  const known = names.get(configuration)
  if (known) return known
  const { variables, keys16 } = configuration
  const made = [
    ...variables.map((variable) => intentName({ kind: 'variable', key: nameText(variable) })),
    ...keys16.map(({ key }) => intentName({ kind: 'configurationKey', key })),
  ]
  names.set(configuration, made)
  return made
}

/** The one with the greater priority decides, of equal ones the one that was changed later. */
export function outranks(one: Configuration, other: Configuration): boolean {
  const by = one.priority - other.priority || one.updatedAt - other.updatedAt
  return by === 0 ? one.name > other.name : by > 0
}

/** @param at the place of its name among `namesOfConfiguration` */
export function wantOf({ name, rebootPolicy, rebootWindow, variables, keys16 }: Configuration, at: number): Want {
  const source: IntentSource = { configuration: name, rebootPolicy, window: rebootWindow }
  const chosen = variables[at]
  if (chosen) {
    const { value: desired, isSecret, ...variable } = chosen
    return { kind: 'variable', key: nameText(variable), desired, isSecret, variable, source }
  }
  const setting = keys16[at - variables.length]
  if (!setting) throw new RangeError('A configuration does not set so much.')
  const { key, value: desired, isSecret } = setting
  return { kind: 'configurationKey', key, desired, isSecret, source }
}
