/** What a command may touch: the world outside comes in here, so that a test can hand in another one. */
import type { Command } from 'commander'
import type { Config, Settings } from '../../config/config.ts'
import { type Environment, loadConfig, readSettings, readTextFile } from '../../config/read-settings.ts'
import { ConfigurationError } from '../../config/setting.ts'
import type { Refusal } from '../../domain/ports/storage-records.ts'

export interface CliContext {
  readonly environment: Environment
  /** One line of data: stdout. */
  readonly out: (text: string) => void
  /** One line for the person at the terminal: stderr. */
  readonly note: (text: string) => void
  readonly now: () => number
  readonly random: (bytes: number) => Buffer
  /** stderr is a terminal: progress bars make sense. */
  readonly terminal: boolean
  /** stdout is a terminal: it is read at once and not kept. */
  readonly outputTerminal?: boolean | undefined
}

/** A file in cli/ exports one of these and stands in the list of program.ts. */
export type Register = (program: Command, context: CliContext) => void

export const EXIT = { failure: 1, usage: 2, configuration: 3 } as const

/** The command was called in a way that cannot work: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** @param hints by refusal code: which command helps @throws UsageError for what was given wrong, Error for the rest */
export function orFail<T extends object>(result: T | Refusal, hints: Readonly<Record<string, string>> = {}): T {
  if (!('refused' in result)) return result
  const { status, code, detail, errors = [] } = result
  const hint = hints[code]
  if (status !== 400) throw new Error(hint ?? detail)
  if (hint !== undefined) throw new UsageError(hint)
  // Some are whole sentences.
  const sentences = errors.map(({ pointer, message }) =>
    message.endsWith('.') ? message : `${pointer.slice(1)} ${message}.`,
  )
  throw new UsageError(sentences.join(' ') || detail)
}

/** Settings and secret key; makes the key file on the first start. Warnings go to stderr. */
export function useConfig(context: CliContext): Config {
  const { config, warnings } = loadConfig(context.environment, context.random)
  for (const warning of warnings) context.note(`warning: ${warning}`)
  return config
}

export function useSettings(context: CliContext): Settings {
  const { settings, faults, warnings } = readSettings(context.environment, readTextFile)
  if (!settings) throw new ConfigurationError(faults, warnings)
  for (const warning of warnings) context.note(`warning: ${warning}`)
  return settings
}

export function examples(command: Command, ...lines: readonly string[]): Command {
  return command.addHelpText('after', `\nExamples:\n${lines.map((line) => `  $ ${line}`).join('\n')}`)
}
