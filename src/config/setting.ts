/** One row of the table of settings, and one fault found while reading it. */
import type { Settings } from './config.ts'
import type { Kind } from './setting-kinds.ts'

/**
 * How a setting is called, read, shown and explained. Its unit is part of its member's name, such as `…Seconds`.
 *
 * @example { ...wholeNumber(0, 65_535), name: 'PILOTWIRE_PORT', description: 'TCP port.', example: '8080' }
 */
export interface Setting<T> extends Kind<T> {
  /** Name of the environment variable. */
  readonly name: string
  readonly description: string
  readonly example: string
  /** Never printed, masked in messages. */
  readonly secret?: true | undefined
  /** `earlier` holds the settings above this one in the table. Absent: the setting has no default. */
  readonly default?: (earlier: Partial<Settings>) => T
  /** What the documentation says when no value can be shown. */
  readonly defaultNote?: string | undefined
}

/** Keyed by the member of Settings, so that a member without a row does not compile. */
export type SettingsTable = { readonly [K in keyof Settings]-?: Setting<NonNullable<Settings[K]>> }

/** A default that differs between the modes. */
export function byMode<T>(development: T, production: T): (earlier: Partial<Settings>) => T {
  return ({ mode }) => (mode === 'production' ? production : development)
}

/** One setting that is wrong, in parts; `faultSentence` joins them. */
export interface Fault {
  readonly name: string
  /** As given; secrets masked. */
  readonly value?: string | undefined
  readonly problem: string
  /** Absent where another value would not help. */
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
  /** What was ignored: a misspelt name often is the reason of the fault. */
  readonly warnings: readonly string[]

  constructor(faults: readonly Fault[], warnings: readonly string[] = []) {
    super(faults.map(faultSentence).join('\n'))
    this.faults = faults
    this.warnings = warnings
  }
}
