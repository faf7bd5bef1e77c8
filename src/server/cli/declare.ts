import type { Command } from 'commander'
import { type CliContext, examples } from './cli-context.ts'
import { ACCOUNT_FLAG } from './options/choose-account.ts'
import { JSON_FLAG, type JsonOption, type Printable, printList, printObject } from './output/print.ts'

/** Rows, and the names of those columns that people see; programs get all of them. */
export interface Listed {
  readonly rows: readonly Printable[]
  readonly columns: readonly string[]
}

interface Declaration {
  readonly usage: string
  readonly does: string
  readonly takes?: (command: Command) => Command
  readonly examples?: readonly string[]
  /** @returns what is printed; nothing where it has printed by itself */
  readonly run: (context: CliContext, ...given: never[]) => Promise<Listed | Printable> | Promise<void>
}

export function declare(parent: Command, context: CliContext, declaration: Declaration): void {
  const { usage, does, takes = (command) => command, examples: lines = [], run } = declaration
  const command = takes(parent.command(usage).description(does)).option(...JSON_FLAG)
  if (lines.length > 0) examples(command, ...lines)
  command.action(async (...given: unknown[]) => {
    const answer = await run(context, ...(given as never[]))
    const { json } = command.opts<JsonOption>()
    if (!answer) return
    if (isList(answer)) printList(context, answer.rows, answer.columns, json)
    else printObject(context, answer, json)
  })
}

export function ofAccount(command: Command): Command {
  return command.option(...ACCOUNT_FLAG)
}

function isList(answer: Listed | Printable): answer is Listed {
  return Array.isArray(answer.rows) && Array.isArray(answer.columns)
}
