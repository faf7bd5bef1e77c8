import { changeUser, createUser, type UserChangeOrder } from '../../application/users/users.ts'
import { generatePassword } from '../../domain/accounts/password.ts'
import { isRole, ROLES } from '../../domain/accounts/roles.ts'
import { checkedEmail, hashNewPassword } from '../../domain/accounts/user.ts'
import type { Reads } from '../../domain/ports/storage.ts'
import type { Role, User } from '../../domain/ports/storage-records.ts'
import { type CliContext, orFail, UsageError } from './cli-context.ts'
import { withWrites } from './database.ts'
import { commandGroup, OF_ACCOUNT, PASSWORD, REQUIRED } from './declare.ts'
import { type AccountOption, changeAccount, givenPassword, listOfAccount, type PasswordOptions } from './options.ts'
import { membersOf, type Printable } from './output/print.ts'

type CreateOptions = { email: string; name?: string | undefined; role?: Role | undefined } & PasswordOptions &
  AccountOption

export const register = commandGroup('user', 'people who sign in to the dashboard', [
  {
    usage: 'create',
    does: 'create a user; a password that is not given is generated and printed once',
    takes: [
      ['--email <address>', 'login', REQUIRED],
      ['--name <name>', 'name shown to others'],
      ['--role <role>', 'what the user may do', { choices: ROLES }],
      ...PASSWORD,
      ...OF_ACCOUNT,
    ],
    examples: [
      'pilotwire user create --email ada@example.com',
      'pilotwire user create --email ops@example.com --role administrator --password-file ops.txt --json',
    ],
    run: create,
  },
  {
    usage: 'list',
    does: 'list the users of an account',
    takes: OF_ACCOUNT,
    examples: ['pilotwire user list'],
    run: listOfAccount((reads, accountId) => reads.listUsers(accountId), shown, [
      'id',
      'email',
      'name',
      'role',
      'createdAt',
      'disabledAt',
    ]),
  },
  {
    usage: 'disable <email>',
    does: 'end all sign-ins and tokens of a user at once',
    examples: ['pilotwire user disable ada@example.com'],
    /** One who is disabled already keeps the time of that. */
    run: (context: CliContext, email: string) =>
      change(context, email, ({ disabledAt }) => (disabledAt === undefined ? { disabled: true } : {})),
  },
  {
    usage: 'enable <email>',
    does: 'let a disabled user sign in again',
    examples: ['pilotwire user enable ada@example.com'],
    run: (context: CliContext, email: string) => change(context, email, () => ({ disabled: false })),
  },
  {
    usage: 'set-role <email> <role>',
    does: `change what a user may do: ${ROLES.join(', ')}`,
    examples: ['pilotwire user set-role ada@example.com operator'],
    run: setRole,
  },
  {
    usage: 'set-break-glass <email>',
    does: 'let a user sign in with a password where PILOTWIRE_PASSWORD_SIGN_IN=break-glass takes it from others',
    takes: [['--remove', 'take the mark away']],
    examples: ['pilotwire user set-break-glass ops@example.com'],
    run: (context: CliContext, email: string, { remove = false }: { remove?: boolean }) =>
      change(context, email, () => ({ breakGlass: !remove })),
  },
  {
    usage: 'reset-second-factor <email>',
    does: 'let a user who lost the second factor sign in with the password alone',
    examples: ['pilotwire user reset-second-factor ada@example.com'],
    run: resetSecondFactor,
  },
  {
    usage: 'passwd <email>',
    does: 'set a new password, or generate one and print it once',
    takes: PASSWORD,
    examples: ['pilotwire user passwd ada@example.com'],
    run: passwd,
  },
])

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

function shown(user: User): Printable {
  return membersOf(user, ['id', 'accountId', 'email', 'name', 'role', 'createdAt', 'disabledAt', 'breakGlass'])
}
