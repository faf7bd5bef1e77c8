/** The command line as a whole: a command is a file that exports `register` and stands in this list. */
import { Command } from 'commander'
import packageJson from '../../../package.json' with { type: 'json' }
import { registerSimulate } from '../../../simulator/cli/simulate.ts'
import * as account from './account.ts'
import * as backup from './backup.ts'
import * as chargePoint from './charge-point.ts'
import type { CliContext, Register } from './cli-context.ts'
import * as client from './client.ts'
import * as commands from './commands.ts'
import * as config from './config.ts'
import * as credential from './credential.ts'
import * as databases from './databases/database-commands.ts'
import * as doctor from './doctor/doctor.ts'
import * as idToken from './id-token.ts'
import * as keys from './keys.ts'
import * as node from './node.ts'
import * as oauth from './oauth.ts'
import * as restore from './restore.ts'
import * as serve from './serve.ts'
import * as sessions from './sessions.ts'
import * as tariff from './tariff.ts'
import * as user from './user.ts'
import * as webhooks from './webhooks.ts'

const registers: readonly Register[] = [
  serve.register,
  registerSimulate,
  account.register,
  user.register,
  credential.register,
  client.register,
  keys.register,
  oauth.register,
  chargePoint.register,
  idToken.register,
  tariff.register,
  webhooks.register,
  commands.register,
  sessions.register,
  node.register,
  backup.register,
  restore.register,
  databases.register,
  doctor.register,
  config.register,
]

export function createProgram(context: CliContext): Command {
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
