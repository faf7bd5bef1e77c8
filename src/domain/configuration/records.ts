import type { VariableName } from '../device-model/records.ts'
import { nameText } from '../device-model/variable-names.ts'
import { intentName } from '../intents/put-intent.ts'
import type { IntentSource, RebootPolicy, Want } from '../intents/records.ts'
import type { DailyHours } from '../records/daily-hours.ts'
import { integer, json, optional, type RecordOf, record, since, text } from '../records/record.ts'
import type { Selector } from '../records/selector.ts'

/** A variable of OCPP 2.0.1 and the value that it is to have, as text. */
export interface DesiredVariable extends VariableName {
  /** Sealed where it is a secret. */
  readonly value: string
  readonly isSecret?: true | undefined
}

/** A configuration key of OCPP 1.6 and the value that it is to have; sealed where it is a secret. */
export interface DesiredKey {
  readonly key: string
  readonly value: string
  readonly isSecret?: true | undefined
}

/** Configurations by account and name; each is what its stations are to have (CONFIG-A1). */
export const configurations = record('configurations', {
  key: ['accountId', 'name'],
  columns: {
    accountId: text(),
    name: text(),
    selector: json<Selector>(),
    priority: integer(),
    variables: json<readonly DesiredVariable[]>(),
    keys16: json<readonly DesiredKey[]>(),
    rebootPolicy: text<RebootPolicy>(),
    rebootWindow: optional(json<DailyHours>()),
    revision: integer(),
    createdAt: integer(),
    /** Of its newest change: of two with one priority the later one wins. */
    updatedAt: integer(),
    /** Whose application it is of: it ends with the grant (OIDC-C12). Absent: a person's. */
    grantId: since(2, optional(text())),
  },
  upgrades: [(older) => older],
})

/** Names a configuration, a set of monitors or a local list of an account. */
export interface DesiredName {
  readonly kind: 'configurations' | 'monitor_sets' | 'local_lists'
  readonly name: string
}

/** A configuration as it is stored; times in ms since the epoch. */
export type Configuration = RecordOf<typeof configurations>

/** What a configuration desires of a station (CONFIG-A4). */
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
