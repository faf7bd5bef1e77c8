import { type Kind, yesOrNo } from './setting-kinds.ts'

/** What a default may look at: settings above its own in the table. */
interface Earlier {
  readonly mode?: Mode | undefined
  readonly port?: number | undefined
  readonly baseUrl?: string | undefined
  readonly tlsCertFiles?: readonly string[] | undefined
}

/** How a setting is explained. */
interface Words<T> {
  readonly description: string
  /** Its default, unless given. */
  readonly example?: string
  /** Never printed, masked in messages. */
  readonly secret?: true
  readonly defaultNote?: string
  /** Without one the setting may be absent. */
  readonly default?: (earlier: Earlier) => T
}

type Row<T> = Kind<T> & Omit<Words<T>, 'example'> & { readonly example: string }

/** A setting with its name; its unit is part of its member's name, such as `…Seconds`. */
export type Setting<T> = Row<T> & { readonly name: string }

/** A row of the table. */
export function setting<T, const Given extends Words<T>>(
  kind: Kind<T>,
  words: Given,
): Given extends { readonly default: unknown } ? Row<T> & { readonly default: (earlier: Earlier) => T } : Row<T>
/** With a default and without one. */
export function setting<T>(kind: Kind<T>, words: Words<T>): Row<T> {
  return { example: words.default ? kind.show(words.default({})) : '', ...kind, ...words }
}

/** What is off unless it is turned on. */
export function flag(description: string) {
  return setting(yesOrNo, { description, example: 'true', default: () => false })
}

/** Each row under the name of its member. @example ocppMaxLagMs is PILOTWIRE_OCPP_MAX_LAG */
export function named<Rows extends object>(rows: Rows) {
  const all = Object.entries(rows).map(([member, row]) => {
    const words = member.replace(/(?:Seconds|Ms|Percent)$/, '').replace(/Files$/, 'File')
    return [member, { ...row, name: `PILOTWIRE_${words.replaceAll(/[A-Z]/g, '_$&').toUpperCase()}` }]
  })
  return Object.fromEntries(all) as { readonly [Member in keyof Rows]: Rows[Member] & { readonly name: string } }
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
