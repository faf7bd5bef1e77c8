import { type Command, Option } from 'commander'
import { changeUser, createUser, type UserChangeOrder } from '../../application/users/users.ts'
import { generatePassword } from '../../domain/accounts/password.ts'
import { isRole, ROLES } from '../../domain/accounts/roles.ts'
import { checkedEmail, hashNewPassword } from '../../domain/accounts/user.ts'
import { isoTime } from '../../domain/iso-time.ts'
import type { Reads } from '../../domain/ports/storage.ts'
import type { Role, User } from '../../domain/ports/storage-records.ts'
import { type CliContext, orFail, UsageError } from './cli-context.ts'
import { withWrites } from './database.ts'
import { declare, type Listed, ofAccount } from './declare.ts'
import { type AccountOption, changeAccount, withAccount } from './options/choose-account.ts'
import { givenPassword, PASSWORD_FILE_FLAG, PASSWORD_FLAG, type PasswordOptions } from './options/password-option.ts'
import type { Printable } from './output/print.ts'

type CreateOptions = { email: string; name?: string | undefined; role?: Role | undefined } & PasswordOptions &
  AccountOption

export function register(program: Command, context: CliContext): void {
  const user = program.command('user').description('people who sign in to the dashboard')
  declare(user, context, {
    usage: 'create',
    does: 'create a user; a password that is not given is generated and printed once',
    takes: (command) =>
      ofAccount(
        command
          .requiredOption('--email <address>', 'login')
          .option('--name <name>', 'name shown to others')
          .addOption(new Option('--role <role>', 'what the user may do').choices(ROLES))
          .option(...PASSWORD_FLAG)
          .option(...PASSWORD_FILE_FLAG),
      ),
    examples: [
      'pilotwire user create --email ada@example.com',
      'pilotwire user create --email ops@example.com --role administrator --password-file ops.txt --json',
    ],
    run: create,
  })
  declare(user, context, {
    usage: 'list',
    does: 'list the users of an account',
    takes: ofAccount,
    examples: ['pilotwire user list'],
    run: list,
  })
  declare(user, context, {
    usage: 'disable <email>',
    does: 'end all sign-ins and tokens of a user at once',
    examples: ['pilotwire user disable ada@example.com'],
    run: disable,
  })
  declare(user, context, {
    usage: 'enable <email>',
    does: 'let a disabled user sign in again',
    examples: ['pilotwire user enable ada@example.com'],
    run: enable,
  })
  declare(user, context, {
    usage: 'set-role <email> <role>',
    does: `change what a user may do: ${ROLES.join(', ')}`,
    examples: ['pilotwire user set-role ada@example.com operator'],
    run: setRole,
  })
  declare(user, context, {
    usage: 'set-break-glass <email>',
    does: 'let a user sign in with a password where PILOTWIRE_PASSWORD_SIGN_IN=break-glass takes it from others',
    takes: (command) => command.option('--remove', 'take the mark away'),
    examples: ['pilotwire user set-break-glass ops@example.com'],
    run: (_: CliContext, email: string, { remove = false }: { remove?: boolean }) =>
      change(context, email, () => ({ breakGlass: !remove })),
  })
  declare(user, context, {
    usage: 'reset-second-factor <email>',
    does: 'let a user who lost the second factor sign in with the password alone',
    examples: ['pilotwire user reset-second-factor ada@example.com'],
    run: resetSecondFactor,
  })
  declare(user, context, {
    usage: 'passwd <email>',
    does: 'set a new password, or generate one and print it once',
    takes: (command) => command.option(...PASSWORD_FLAG).option(...PASSWORD_FILE_FLAG),
    examples: ['pilotwire user passwd ada@example.com'],
    run: passwd,
  })
}

async function create(context: CliContext, options: CreateOptions): Promise<Printable> {
  const given = givenPassword(options)
  // Before a database is made for it.
  const email = checkedEmail(options.email)
  return changeAccount(context, options, async (access) => {
    const password = given ?? generatePassword(context.random)
    const { name, role } = options
    const made = await createUser(access, { accountId: access.accountId, email, name, role, password })
    const { user } = orFail(made, {
      user_exists: `There is a user ${email} already: to change the password, run pilotwire user passwd ${email}`,
    })
    return { ...shown(user), password: given === undefined ? password : undefined }
  })
}

function list(context: CliContext, options: AccountOption): Promise<Listed> {
  return withAccount(context, options, async ({ reads, accountId }) => ({
    rows: (await reads.listUsers(accountId)).map(shown),
    columns: ['id', 'email', 'name', 'role', 'createdAt', 'disabledAt'],
  }))
}

/** A user who is disabled already keeps the time of that. */
function disable(context: CliContext, email: string): Promise<Printable> {
  return change(context, email, ({ disabledAt }) => (disabledAt === undefined ? { disabled: true } : {}))
}

function enable(context: CliContext, email: string): Promise<Printable> {
  return change(context, email, () => ({ disabled: false }))
}

function resetSecondFactor(context: CliContext, email: string): Promise<Printable> {
  return withWrites(context, async ({ reads, writes }) => {
    const user = await findUser(reads, email)
    const removed = await writes.deleteSecondFactor(user.id)
    if (!removed) context.note(`${user.email} had no second factor.`)
    return shown(user)
  })
}

async function setRole(context: CliContext, email: string, role: string): Promise<Printable> {
  if (!isRole(role)) throw new UsageError(`There is no role ${JSON.stringify(role)}: choose from ${ROLES.join(', ')}.`)
  return change(context, email, () => ({ role }))
}

/** The last enabled administrator of an account stays one (ADMIN-A4). */
function change(context: CliContext, email: string, requested: (user: User) => UserChangeOrder): Promise<Printable> {
  return withWrites(context, async ({ reads, writes }) => {
    const user = await findUser(reads, email)
    const changed = await changeUser({ writes, now: context.now }, user.accountId, user.id, requested(user))
    const hints = {
      not_found: `There is no user ${user.email} any more.`,
      last_administrator: `${user.email} is the last enabled administrator of the account: make another one first.`,
    }
    return shown(orFail(changed, hints))
  })
}

async function passwd(context: CliContext, email: string, options: PasswordOptions): Promise<Printable> {
  const given = givenPassword(options)
  return withWrites(context, async ({ reads, writes }) => {
    const user = await findUser(reads, email)
    const password = given ?? generatePassword(context.random)
    await writes.updateUser(user.id, { passwordHash: await hashNewPassword(password, context.random) })
    return { ...shown(user), password: given === undefined ? password : undefined }
  })
}

async function findUser(reads: Reads, email: string): Promise<User> {
  const user = await reads.findUserByEmail(email.trim().normalize('NFC'))
  if (!user) throw new Error(`There is no user ${email}: see pilotwire user list`)
  return user
}

function shown({ id, accountId, email, name, role, createdAt, disabledAt, breakGlass }: User): Printable {
  return {
    id,
    accountId,
    email,
    name,
    role,
    createdAt: isoTime(createdAt),
    disabledAt: isoTime(disabledAt),
    breakGlass,
  }
}
