import { type Command, Option } from 'commander'
import { type CliContext, examples, type Register } from './cli-context.ts'
import { JSON_FLAG, type JsonOption, type Printable, printList, printObject } from './output/print.ts'

/** Rows, and the names of those columns that people see; programs get all of them. */
export interface Listed {
  readonly rows: readonly Printable[]
  readonly columns: readonly string[]
}

/** What a command takes: an argument (`<id>`) or a flag (`--name <name>`), and its meaning. */
type Taken = readonly [
  name: string,
  does: string,
  more?: {
    readonly required?: true
    readonly default?: string
    readonly choices?: readonly string[]
    readonly env?: string
  },
]

interface Declaration {
  readonly usage: string
  readonly does: string
  readonly takes?: readonly Taken[]
  readonly examples?: readonly string[]
  /** It prints what has no JSON, or takes the flag for a purpose of its own. */
  readonly withoutJson?: true
  /** @returns what is printed; nothing where it has printed by itself */
  readonly run: (context: CliContext, ...given: never[]) => Promise<Listed | Printable> | Promise<void>
}

export const REQUIRED = { required: true } as const

/** For commands of one account. */
export const OF_ACCOUNT: readonly Taken[] = [
  ['--account <account>', 'id or name; needed only where there is more than one'],
]

/** For commands that ask a running server. */
export const OF_SERVER: readonly Taken[] = [
  ['--url <url>', 'the server; default: PILOTWIRE_BASE_URL'],
  ['--credential <pwk_…>', 'an API credential of the account', { env: 'PILOTWIRE_API_CREDENTIAL' }],
]

/** Passwords by flag, or by file for those who do not want them in the process list and the shell's history. */
export const PASSWORD: readonly Taken[] = [
  ['--password <password>', 'password; visible in the process list while this runs'],
  ['--password-file <path>', 'file that holds the password; - reads standard input'],
]

/** @param formerName under which it is still there */
export function commandGroup(
  name: string,
  does: string,
  declared: readonly Declaration[],
  formerName?: string,
): Register {
  return (program, context) => {
    const former = formerName === undefined ? [] : [program.command(formerName, { hidden: true })]
    for (const parent of [program.command(name).description(does), ...former]) {
      for (const one of declared) declare(parent, context, one)
    }
  }
}

export function command(declared: Declaration): Register {
  return (program, context) => declare(program, context, declared)
}

function declare(parent: Command, context: CliContext, declared: Declaration): void {
  const { usage, does, takes = [], withoutJson, examples: lines = [], run } = declared
  const command = parent.command(usage).description(does)
  for (const one of takes) take(command, one)
  if (!withoutJson) command.option(...JSON_FLAG)
  if (lines.length > 0) examples(command, ...lines)
  command.action(async (...given: unknown[]) => {
    const answer = await run(context, ...(given as never[]))
    const { json } = command.opts<JsonOption>()
    if (!answer) return
    if (isList(answer)) printList(context, answer.rows, answer.columns, json)
    else printObject(context, answer, json)
  })
}

function take(command: Command, [name, does, more = {}]: Taken): void {
  if (!name.startsWith('-')) return void command.argument(name, does)
  const option = new Option(name, does).makeOptionMandatory(more.required ?? false)
  if (more.choices) option.choices(more.choices)
  if (more.env !== undefined) option.env(more.env)
  if (more.default !== undefined) option.default(more.default)
  command.addOption(option)
}

function isList(answer: Listed | Printable): answer is Listed {
  return Array.isArray(answer.rows) && Array.isArray(answer.columns)
}
