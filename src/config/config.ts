/** The configuration that every room is built with; config/settings.ts fills it from the environment. */

import type { Setting } from './setting.ts'
import type { settingsTable } from './settings.ts'

export type { Mode } from './setting.ts'

type Table = typeof settingsTable
type Defaulted = { [K in keyof Table]: Table[K] extends { readonly default: unknown } ? K : never }[keyof Table]
type ValueOf<Row> = Row extends Setting<infer Value> ? Value : never

/** Everything the environment decides. Durations are whole seconds unless the name says otherwise. */
export type Settings = { readonly [K in Defaulted]: ValueOf<Table[K]> } & {
  readonly [K in Exclude<keyof Table, Defaulted>]?: ValueOf<Table[K]> | undefined
}

/** What the log leaves out; `silent` leaves out everything. */
export type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'

/** All settings of a server, read and checked, with the key that it may have made itself. */
export interface Config extends Settings {
  /** 32 bytes. */
  readonly secretKey: Buffer
}
