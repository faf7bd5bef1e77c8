/** From arguments to an exit code: the one place that turns what went wrong into a sentence on stderr. */
import { Command, CommanderError } from 'commander'
import packageJson from '../../../package.json' with { type: 'json' }
import { ConfigurationError } from '../../config/setting.ts'
import { AttributeError } from '../../domain/accounts/user.ts'
import { DatabaseRefused } from '../../storage/storage-error.ts'
import { visibleLines } from '../visible-text.ts'
import { keepYoungSpace } from '../young-space.ts'
import { type CliContext, EXIT, type Register, UsageError } from './cli-context.ts'
import { ExitCode } from './output/print.ts'

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

/** @param args those of the call: a server holds its own command and not what all others load */
export async function createProgram(context: CliContext, args: readonly string[] = []): Promise<Command> {
  const program = new Command('pilotwire')
    .description('An OCPP central system with an embedded API.')
    .version(packageJson.version)
    .exitOverride()
    .showSuggestionAfterError()
    .showHelpAfterError('(--help shows how the command is used)')
    .configureOutput({
      writeOut: (text) => context.out(text.replace(/\n$/, '')),
      writeErr: (text) => context.note(text.replace(/\n$/, '')),
    })
    .addHelpText(
      'after',
      [
        '\nExamples:',
        '  $ pilotwire serve',
        '  $ pilotwire simulate --ocpp 2.0.1',
        '  $ pilotwire charge-point add EV-001',
        '  $ pilotwire command export --from 24h --charge-point EV-001 -o messages.csv',
        '\nSettings come from the environment and from .env: pilotwire config print',
        'Exit codes: 0 ok, 1 failure, 2 usage, 3 configuration.',
      ].join('\n'),
    )
    .helpCommand(false)
  for (const register of await registersFor(args)) register(program, context)
  program
    .command('help [command...]')
    .description('display help for command')
    .action((names: readonly string[]) => commandAt(program, names).help())
  return program
}

/** Commander's own help shows the whole list for a name that it does not know, and says nothing of it. */
function commandAt(program: Command, names: readonly string[]): Command {
  return names.reduce((at, name) => {
    const found = at.commands.find((command) => command.name() === name)
    return found ?? at.error(`error: unknown command '${name}'`)
  }, program)
}

async function registersFor([name]: readonly string[]): Promise<readonly Register[]> {
  if (name !== 'serve') return (await import('./program.ts')).registers
  keepYoungSpace()
  return [(await import('./serve.ts')).register]
}
