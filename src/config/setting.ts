import type { Kind } from './setting-kinds.ts'

/** What a default may look at: settings above its own in the table. */
interface Earlier {
  readonly mode?: Mode | undefined
  readonly port?: number | undefined
  readonly baseUrl?: string | undefined
  readonly tlsCertFiles?: readonly string[] | undefined
}

/** How a setting is called and explained. Its unit is part of its member's name, such as `…Seconds`. */
interface Words {
  readonly name: string
  readonly description: string
  readonly example: string
  /** Never printed, masked in messages. */
  readonly secret?: true
  readonly defaultNote?: string
}

/** A setting that may be absent. */
export interface Setting<T> extends Kind<T>, Words {
  readonly default?: (earlier: Earlier) => T
}

/** A setting that has a value always. */
export interface DefaultedSetting<T> extends Setting<T> {
  readonly default: (earlier: Earlier) => T
}

/** A row of the table. Without a default the setting may be absent. */
export function setting<T, const Given extends Words & { readonly default?: (earlier: Earlier) => T }>(
  kind: Kind<T>,
  words: Given,
): Given extends { readonly default: unknown } ? DefaultedSetting<T> : Setting<T>
/** With a default and without one. */
export function setting<T>(kind: Kind<T>, words: Words): Setting<T> {
  return { ...kind, ...words }
}

/** Development forgives more; production insists. */
export type Mode = 'development' | 'production'

/** A default that differs between the modes. */
export function byMode<const A, const B>(development: A, production: B): (earlier: Earlier) => A | B {
  return ({ mode }) => (mode === 'production' ? production : development)
}

/** One setting that is wrong, in parts; `faultSentence` joins them. */
export interface Fault {
  readonly name: string
  readonly value?: string | undefined
  readonly problem: string
  readonly example?: string | undefined
}

/** @example PILOTWIRE_PORT is "eighty": expected a whole number from 0 to 65535, for example PILOTWIRE_PORT=8080. */
export function faultSentence({ name, value, problem, example }: Fault): string {
  const hint = example === undefined ? '' : `, for example ${name}=${example}`
  return `${name} is ${value === undefined ? 'not set' : value}: ${problem}${hint}`
}

/** The settings cannot be used. Its message has a sentence for each fault; the program ends with exit code 3. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError'
  readonly faults: readonly Fault[]
  readonly warnings: readonly string[]

  constructor(faults: readonly Fault[], warnings: readonly string[] = []) {
    super(faults.map(faultSentence).join('\n'))
    this.faults = faults
    this.warnings = warnings
  }
}
