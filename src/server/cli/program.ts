/** The command line as a whole. */
import { Command } from 'commander'
import packageJson from '../../../package.json' with { type: 'json' }
import type { CliContext } from './cli-context.ts'

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
  const registers =
    args[0] === 'serve' ? [(await import('./serve.ts')).register] : (await import('./all-commands.ts')).registers
  for (const register of registers) register(program, context)
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
