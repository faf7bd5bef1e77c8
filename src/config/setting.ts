/** One row of the table of settings, and one fault found while reading it. */
import type { Settings } from '../config.ts'
import type { Kind } from './kinds.ts'

export interface Setting<T> extends Kind<T> {
  /** Name of the environment variable. */
  readonly name: string
  readonly description: string
  readonly example: string
  /** Never printed, masked in messages. */
  readonly secret?: true
  /** `earlier` holds the settings above this one in the table. Absent: the setting has no default. */
  readonly default?: (earlier: Partial<Settings>) => T
  /** What the documentation says when no value can be shown. */
  readonly defaultNote?: string
}

/** Keyed by the member of Settings, so that a member without a row does not compile. */
export type SettingsTable = { readonly [K in keyof Settings]-?: Setting<NonNullable<Settings[K]>> }

/** A default that differs between the modes. */
export function byMode<T>(development: T, production: T): (earlier: Partial<Settings>) => T {
  return ({ mode }) => (mode === 'production' ? production : development)
}

export interface Fault {
  readonly name: string
  /** As given; secrets masked. */
  readonly value?: string
  readonly problem: string
  /** Absent where another value would not help. */
  readonly example?: string
}

/** @example PILOTWIRE_PORT is "eighty": expected a whole number from 0 to 65535, for example PILOTWIRE_PORT=8080. */
export function faultSentence({ name, value, problem, example }: Fault): string {
  const hint = example === undefined ? '' : `, for example ${name}=${example}`
  return `${name} is ${value === undefined ? 'not set' : value}: ${problem}${hint}`
}

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
