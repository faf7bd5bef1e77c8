import { type Command, Option } from 'commander'
import { changeUser, createUser, type UserChangeOrder } from '../../application/users/users.ts'
import { generatePassword } from '../../domain/accounts/password.ts'
import { isRole, ROLES } from '../../domain/accounts/roles.ts'
import { checkedEmail, hashNewPassword } from '../../domain/accounts/user.ts'
import type { Reads, Role, User } from '../../domain/ports/storage.ts'
import { type CliContext, examples, orFail, UsageError } from './cli-context.ts'
import { withWrites } from './database.ts'
import { ACCOUNT_FLAG, type AccountOption, changeAccount, withAccount } from './options/choose-account.ts'
import { givenPassword, PASSWORD_FILE_FLAG, PASSWORD_FLAG, type PasswordOptions } from './options/password-option.ts'
import { JSON_FLAG, type JsonOption, type Printable, printList, printObject, shownTime } from './output/print.ts'

type CreateOptions = { email: string; name?: string | undefined; role?: Role | undefined } & PasswordOptions &
  AccountOption &
  JsonOption

export function register(program: Command, context: CliContext): void {
  const user = program.command('user').description('people who sign in to the dashboard')
  examples(
    user
      .command('create')
      .description('create a user; a password that is not given is generated and printed once')
      .requiredOption('--email <address>', 'login')
      .option('--name <name>', 'name shown to others')
      .addOption(new Option('--role <role>', 'what the user may do').choices(ROLES))
      .option(...PASSWORD_FLAG)
      .option(...PASSWORD_FILE_FLAG)
      .option(...ACCOUNT_FLAG)
      .option(...JSON_FLAG),
    'pilotwire user create --email ada@example.com',
    'pilotwire user create --email ops@example.com --role administrator --password-file ops.txt --json',
  ).action((options: CreateOptions) => create(context, options))
  examples(
    user
      .command('list')
      .description('list the users of an account')
      .option(...ACCOUNT_FLAG)
      .option(...JSON_FLAG),
    'pilotwire user list',
  ).action((options: AccountOption & JsonOption) => list(context, options))
  examples(
    user
      .command('disable <email>')
      .description('end all sign-ins and tokens of a user at once')
      .option(...JSON_FLAG),
    'pilotwire user disable ada@example.com',
  ).action((email: string, options: JsonOption) => disable(context, email, options))
  examples(
    user
      .command('enable <email>')
      .description('let a disabled user sign in again')
      .option(...JSON_FLAG),
    'pilotwire user enable ada@example.com',
  ).action((email: string, options: JsonOption) => enable(context, email, options))
  examples(
    user
      .command('set-role <email> <role>')
      .description(`change what a user may do: ${ROLES.join(', ')}`)
      .option(...JSON_FLAG),
    'pilotwire user set-role ada@example.com operator',
  ).action((email: string, role: string, options: JsonOption) => setRole(context, email, role, options))
  examples(
    user
      .command('set-break-glass <email>')
      .description(
        'let a user sign in with a password where PILOTWIRE_PASSWORD_SIGN_IN=break-glass takes it from others',
      )
      .option('--remove', 'take the mark away')
      .option(...JSON_FLAG),
    'pilotwire user set-break-glass ops@example.com',
  ).action((email: string, { json, remove = false }: JsonOption & { remove?: boolean }) =>
    change(context, email, json, () => ({ breakGlass: !remove })),
  )
  examples(
    user
      .command('reset-second-factor <email>')
      .description('let a user who lost the second factor sign in with the password alone')
      .option(...JSON_FLAG),
    'pilotwire user reset-second-factor ada@example.com',
  ).action((email: string, options: JsonOption) => resetSecondFactor(context, email, options))
  examples(
    user
      .command('passwd <email>')
      .description('set a new password, or generate one and print it once')
      .option(...PASSWORD_FLAG)
      .option(...PASSWORD_FILE_FLAG)
      .option(...JSON_FLAG),
    'pilotwire user passwd ada@example.com',
  ).action((email: string, options: PasswordOptions & JsonOption) => passwd(context, email, options))
}

async function create(context: CliContext, options: CreateOptions): Promise<void> {
  const given = givenPassword(options)
  // Before a database is made for it.
  const email = checkedEmail(options.email)
  await changeAccount(context, options, async (access) => {
    const password = given ?? generatePassword(context.random)
    const { name, role } = options
    const made = await createUser(access, { accountId: access.accountId, email, name, role, password })
    const { user } = orFail(made, {
      user_exists: `There is a user ${email} already: to change the password, run pilotwire user passwd ${email}`,
    })
    printObject(context, { ...shown(user), ...(given === undefined && { password }) }, options.json)
  })
}

function list(context: CliContext, options: AccountOption & JsonOption): Promise<void> {
  return withAccount(context, options, async ({ reads, accountId }) => {
    const users = (await reads.listUsers(accountId)).map(shown)
    printList(context, users, ['id', 'email', 'name', 'role', 'createdAt', 'disabledAt'], options.json)
  })
}

/** Since when somebody is disabled stays as it was. */
function disable(context: CliContext, email: string, { json }: JsonOption): Promise<void> {
  return change(context, email, json, ({ disabledAt }) => (disabledAt === undefined ? { disabled: true } : {}))
}

function enable(context: CliContext, email: string, { json }: JsonOption): Promise<void> {
  return change(context, email, json, () => ({ disabled: false }))
}

async function resetSecondFactor(context: CliContext, email: string, { json }: JsonOption): Promise<void> {
  await withWrites(context, async ({ reads, writes }) => {
    const user = await findUser(reads, email)
    const removed = await writes.deleteSecondFactor(user.id)
    if (!removed) context.note(`${user.email} had no second factor.`)
    printObject(context, shown(user), json)
  })
}

async function setRole(context: CliContext, email: string, role: string, { json }: JsonOption): Promise<void> {
  if (!isRole(role)) throw new UsageError(`There is no role ${JSON.stringify(role)}: choose from ${ROLES.join(', ')}.`)
  await change(context, email, json, () => ({ role }))
}

/** The last enabled administrator of an account stays one (ADMIN-A4). */
function change(
  context: CliContext,
  email: string,
  json: true | undefined,
  wanted: (user: User) => UserChangeOrder,
): Promise<void> {
  return withWrites(context, async ({ reads, writes }) => {
    const user = await findUser(reads, email)
    const changed = await changeUser({ writes, now: context.now }, user.accountId, user.id, wanted(user))
    const hints = {
      not_found: `There is no user ${user.email} any more.`,
      last_administrator: `${user.email} is the last enabled administrator of the account: make another one first.`,
    }
    printObject(context, shown(orFail(changed, hints)), json)
  })
}

async function passwd(context: CliContext, email: string, options: PasswordOptions & JsonOption): Promise<void> {
  const given = givenPassword(options)
  await withWrites(context, async ({ reads, writes }) => {
    const user = await findUser(reads, email)
    const password = given ?? generatePassword(context.random)
    await writes.updateUser(user.id, { passwordHash: await hashNewPassword(password, context.random) })
    printObject(context, { ...shown(user), ...(given === undefined && { password }) }, options.json)
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
    createdAt: shownTime(createdAt),
    disabledAt: shownTime(disabledAt),
    breakGlass,
  }
}
