/** The command line as a whole: a command is a file that exports `register` and stands in this list. */
import { registerSimulate } from '../../../simulator/cli/simulate.ts'
import { RESOURCES } from '../../domain/resources/all-resources.ts'
import * as account from './account.ts'
import * as afir from './afir.ts'
import { registerBackup, registerRestore } from './backup.ts'
import * as chargePoint from './charge-point.ts'
import type { Register } from './cli-context.ts'
import * as client from './client.ts'
import * as commands from './commands.ts'
import * as config from './config.ts'
import * as credential from './credential.ts'
import * as databases from './databases/database-commands.ts'
import * as doctor from './doctor/doctor.ts'
import * as idToken from './id-token.ts'
import * as keys from './keys.ts'
import * as node from './node.ts'
import * as ocpi from './ocpi.ts'
import { resourceCommands } from './resource.ts'
import * as serve from './serve.ts'
import * as sessions from './sessions.ts'
import * as user from './user.ts'
import * as webhooks from './webhooks.ts'

export const registers: readonly Register[] = [
  serve.register,
  registerSimulate,
  account.register,
  user.register,
  credential.register,
  client.register,
  keys.register,
  chargePoint.register,
  idToken.register,
  ...RESOURCES.flatMap(resourceCommands),
  webhooks.register,
  ocpi.register,
  afir.register,
  commands.register,
  sessions.register,
  node.register,
  registerBackup,
  registerRestore,
  databases.register,
  doctor.register,
  config.register,
]
