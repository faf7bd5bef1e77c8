/** Environment -> Settings, with every fault in one pass. Reads only files that the environment names. */

import { readFileSync } from 'node:fs'
import type { Config, Settings } from './config.ts'
import { crossChecks } from './cross-checks.ts'
import { databasePath } from './database-path.ts'
import { readOrCreateSecretKey } from './secret-key.ts'
import { ConfigurationError, type Fault } from './setting.ts'
import { type AnySetting, clientVariables, settingRows } from './settings.ts'
import { suggestion } from './suggest.ts'

/** Variables by name, as `process.env` has them. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Reads a text file; throws when it cannot be read. */
export type ReadText = (path: string) => string

/** Where a value comes from; `file`: from the file that NAME_FILE names. */
export type Origin = 'default' | 'environment' | 'file'

/** What came of reading the environment: settings, or faults. */
export interface Reading {
  readonly settings?: Settings | undefined
  readonly faults: readonly Fault[]
  readonly warnings: readonly string[]
  readonly origins: Partial<Readonly<Record<keyof Settings, Origin>>>
}

/** Never throws: faults are returned. @example readSettings({ PILOTWIRE_PORT: '9000' }, readTextFile).settings?.port */
export function readSettings(environment: Environment, readText: ReadText): Reading {
  const faults: Fault[] = []
  const values: Partial<Record<keyof Settings, unknown>> = {}
  const origins: Partial<Record<keyof Settings, Origin>> = {}
  for (const [member, setting] of settingRows) {
    const given = givenText(setting, environment, readText)
    if ('fault' in given) {
      faults.push(given.fault)
      continue
    }
    const value = given.text === undefined ? setting.default?.(values as Partial<Settings>) : setting.read(given.text)
    if (value !== undefined) {
      values[member] = value
      origins[member] = given.origin
    } else if (given.text !== undefined) {
      faults.push({
        name: setting.name,
        value: masked(setting, given.text),
        problem: `expected ${setting.expected}`,
        example: setting.example,
      })
    }
  }
  // The table has a row for each member (SettingsTable), and without faults each row gave a value of its type.
  const settings = values as Settings
  const checks = faults.length === 0 ? crossChecks(settings, origins, readText) : { faults: [], warnings: [] }
  faults.push(...checks.faults)
  return {
    ...(faults.length === 0 && { settings }),
    faults,
    warnings: [...unknownNames(environment), ...checks.warnings],
    origins,
  }
}

type Given = { readonly text?: string | undefined; readonly origin: Origin } | { readonly fault: Fault }

/** NAME, or the contents of the file that NAME_FILE names. Empty counts as not set, as compose files pass it on. */
function givenText(setting: AnySetting, environment: Environment, readText: ReadText): Given {
  const direct = environment[setting.name]?.trim() || undefined
  const path = namesFile(setting) ? undefined : environment[`${setting.name}_FILE`]?.trim() || undefined
  if (path === undefined) return direct === undefined ? { origin: 'default' } : { text: direct, origin: 'environment' }
  const fault = (problem: string): Given => ({
    fault: { name: `${setting.name}_FILE`, value: JSON.stringify(path), problem, example: '/run/secrets/pilotwire' },
  })
  if (direct !== undefined)
    return fault(`expected to be the only one, but ${setting.name} is set as well; keep one of the two`)
  try {
    const text = readText(path).trim()
    return text === '' ? fault('expected a file with the value in it, but this one is empty') : { text, origin: 'file' }
  } catch (error) {
    return fault(`expected a readable file, but ${reason(error)}`)
  }
}

/** PILOTWIRE_TLS_CERT_FILE names a file itself; it is not the file form of a PILOTWIRE_TLS_CERT. */
function namesFile(setting: AnySetting): boolean {
  return setting.name.endsWith('_FILE')
}

function masked(setting: AnySetting, text: string): string {
  // postgres://user:password@host, say: the log of a failed start must not show it.
  return setting.secret ? `hidden (${text.length} characters)` : JSON.stringify(text.replace(/\/\/.*@/s, '//(hidden)@'))
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function unknownNames(environment: Environment): readonly string[] {
  const names = settingRows.map(([, setting]) => setting.name)
  const known = new Set([
    ...names,
    ...settingRows.filter(([, setting]) => !namesFile(setting)).map(([, setting]) => `${setting.name}_FILE`),
    ...clientVariables,
  ])
  return Object.keys(environment)
    .filter((name) => name.startsWith('PILOTWIRE_') && !known.has(name))
    .sort()
    .map((name) => {
      const near = suggestion(name, [...known])
      return `${name} is no setting and is ignored${near === undefined ? '; see: pilotwire config print' : `; did you mean ${near}?`}`
    })
}

/** From the disk, as UTF-8. */
export const readTextFile: ReadText = (path) => readFileSync(path, 'utf8')

/** @throws ConfigurationError with every fault at once */
export function loadConfig(
  environment: Environment,
  random: (bytes: number) => Buffer,
  readText: ReadText = readTextFile,
): { readonly config: Config; readonly warnings: readonly string[] } {
  const { settings, faults, warnings } = readSettings(environment, readText)
  if (!settings) throw new ConfigurationError(faults, warnings)
  const secretKey = settings.secretKey ?? readOrCreateSecretKey(databasePath(settings.databaseUrl), random)
  return { config: { ...settings, secretKey }, warnings }
}
