/** Users of an account: made, changed, and sent a link to choose a password (ADMIN-A4, ADMIN-E1). */

import { NO_PASSWORD, newPasswordLink } from '../../domain/accounts/password-link.ts'
import { AttributeError, checkedEmail, checkedName, createUserRecord } from '../../domain/accounts/user.ts'
import { newUuid } from '../../domain/message-log/log-id.ts'
import type { Reads, Writes } from '../../domain/ports/storage.ts'
import type { UserChange } from '../../domain/ports/storage-administration.ts'
import type { Refusal, Role, User } from '../../domain/ports/storage-records.ts'
import { noSuch, refuse, refuseFault } from '../../domain/refuse.ts'

interface UserContext {
  readonly reads: Pick<Reads, 'findUser' | 'listUsers'>
  readonly writes: Pick<Writes, 'createUser' | 'changeUser' | 'createPasswordLink'>
  readonly now: () => number
  readonly random: (bytes: number) => Buffer
}

interface NewUserOrder {
  readonly accountId: string
  readonly email: string
  readonly name?: string | undefined
  readonly role?: Role | undefined
  readonly password?: string | undefined
}

/** For a user made without a password: the text of a link to choose one, shown once. */
export interface UserWithLink {
  readonly user: User
  readonly link?: string | undefined
}

export async function createUser(parts: UserContext, order: NewUserOrder): Promise<UserWithLink | Refusal> {
  const { writes, now, random } = parts
  const checked = await checkedUser(parts, order)
  if ('refused' in checked) return checked
  if ((await writes.createUser(checked)) === 'exists') {
    return refuse(409, 'user_exists', `There is a user ${checked.email} already.`)
  }
  if (order.password !== undefined) return { user: checked }
  const { text, link } = newPasswordLink(random, checked.id, now())
  await writes.createPasswordLink(link)
  return { user: checked, link: text }
}

/** ADMIN-A1: an account's first user is an administrator; after that it takes an explicit role. */
async function defaultRole({ listUsers }: Pick<Reads, 'listUsers'>, accountId: string): Promise<Role> {
  return (await listUsers(accountId)).length === 0 ? 'administrator' : 'member'
}

async function checkedUser({ reads, now, random }: UserContext, order: NewUserOrder): Promise<User | Refusal> {
  const { accountId, password } = order
  const role = order.role ?? (await defaultRole(reads, accountId))
  const id = newUuid(now(), random)
  try {
    const email = pointed('/email', () => checkedEmail(order.email))
    const name = order.name === undefined ? undefined : pointed('/name', () => checkedName(order.name ?? ''))
    const named = { id, accountId, email, name, role }
    if (password === undefined) return { ...named, passwordHash: NO_PASSWORD, createdAt: now() }
    return await createUserRecord({ ...named, password }, now(), random)
  } catch (error) {
    return faultOf(error)
  }
}

export async function findUser(
  { reads }: Pick<UserContext, 'reads'>,
  accountId: string,
  id: string,
): Promise<User | Refusal> {
  const user = await reads.findUser(id)
  return user?.accountId === accountId ? user : noSuch('user')
}

export async function sendLink(parts: UserContext, accountId: string, id: string): Promise<UserWithLink | Refusal> {
  const user = await findUser(parts, accountId, id)
  if ('refused' in user) return user
  const { text, link } = newPasswordLink(parts.random, id, parts.now())
  await parts.writes.createPasswordLink(link)
  return { user, link: text }
}

export interface UserChangeOrder {
  readonly role?: Role | undefined
  readonly disabled?: boolean | undefined
  readonly name?: string | null | undefined
  readonly breakGlass?: boolean | undefined
}

export async function changeUser(
  { writes, now }: Pick<UserContext, 'writes' | 'now'>,
  accountId: string,
  id: string,
  { role, disabled, name, breakGlass }: UserChangeOrder,
): Promise<User | Refusal> {
  let checked: string | null | undefined
  try {
    checked = typeof name === 'string' ? pointed('/name', () => checkedName(name)) : name
  } catch (error) {
    return faultOf(error)
  }
  const change: UserChange = {
    role,
    ...(disabled !== undefined && { disabledAt: disabled ? now() : null }),
    name: checked,
    ...(breakGlass !== undefined && { breakGlass: breakGlass || null }),
  }
  const changed = await writes.changeUser(accountId, id, change)
  if (changed === 'last_administrator') {
    return refuse(
      409,
      'last_administrator',
      'An account keeps at least one enabled administrator: make another one first.',
    )
  }
  return changed ?? noSuch('user')
}

class Pointed extends AttributeError {
  readonly pointer: string

  constructor(pointer: string, message: string) {
    super(message)
    this.pointer = pointer
  }
}

function pointed<T>(pointer: string, check: () => T): T {
  try {
    return check()
  } catch (error) {
    if (error instanceof AttributeError) throw new Pointed(pointer, error.message)
    throw error
  }
}

function faultOf(error: unknown): Refusal {
  if (!(error instanceof AttributeError)) throw error
  return refuseFault(error instanceof Pointed ? error.pointer : '/password', 'invalid_value', error.message)
}
