/** From arguments to an exit code: the one place that turns what went wrong into a sentence on stderr. */
import { CommanderError } from 'commander'
import { ConfigurationError } from '../../config/setting.ts'
import { AttributeError } from '../../domain/accounts/user.ts'
import { DatabaseRefused } from '../../storage/storage-error.ts'
import { visibleLines } from '../visible-text.ts'
import { type CliContext, EXIT, UsageError } from './cli-context.ts'
import { ExitCode } from './output/exit-code.ts'
import { createProgram } from './program.ts'

/** @param args without node and script. @returns the exit code: 0 ok, 1 failure, 2 usage, 3 configuration */
export async function run(args: readonly string[], world: CliContext): Promise<number> {
  const context = withVisibleText(world)
  try {
    await (await createProgram(context, args)).parseAsync(args, { from: 'user' })
    return 0
  } catch (error) {
    return explain(error, context)
  }
}

/** Names chosen by stations and people stand in many lines: none of them steers the terminal. */
function withVisibleText(world: CliContext): CliContext {
  return { ...world, out: (text) => world.out(visibleLines(text)), note: (text) => world.note(visibleLines(text)) }
}

function explain(error: unknown, context: CliContext): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT.usage
  if (error instanceof ExitCode) return error.exitCode
  if (error instanceof ConfigurationError) {
    for (const warning of error.warnings) context.note(`warning: ${warning}`)
    context.note(error.message)
    context.note('The settings are explained in docs/configuration.md and .env.example.')
    return EXIT.configuration
  }
  if (error instanceof DatabaseRefused) {
    context.note(`error: ${error.message}`)
    return EXIT.configuration
  }
  context.note(`error: ${error instanceof Error ? error.message : String(error)}`)
  return error instanceof UsageError || error instanceof AttributeError ? EXIT.usage : EXIT.failure
}
