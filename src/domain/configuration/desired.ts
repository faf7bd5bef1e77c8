/** What a configuration desires of a station (CONFIG-A4). */
import { nameText } from '../device-model/variable-names.ts'
import { intentName } from '../intents/intent-name.ts'
import type { IntentSource, Want } from '../intents/records.ts'
import type { Configuration } from './records.ts'

const names = new WeakMap<Configuration, readonly string[]>()

/** Names of its intents: of its variables (2.0.1), and then of its keys (1.6). */
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
