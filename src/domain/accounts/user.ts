import type { Account, User } from '../ports/storage-records.ts'
import { NAME, textFault } from '../typed-text.ts'
import { checkPassword, composed, hashPassword } from './password.ts'

const EMAIL_MAX_LENGTH = 254

type NewUser = Pick<User, 'id' | 'accountId' | 'email' | 'name' | 'role'> & { readonly password: string }

/** A rule about an attribute was broken; the message is a sentence for the person who typed it. */
export class AttributeError extends Error {
  override readonly name = 'AttributeError'
}

/** @throws AttributeError that says which attribute is wrong and how it must be */
export async function createUserRecord(user: NewUser, now: number, random: (bytes: number) => Buffer): Promise<User> {
  const { id, accountId, role, password } = user
  const email = checkedEmail(user.email)
  const name = user.name === undefined ? undefined : checkedName(user.name)
  const passwordHash = await hashNewPassword(password, random)
  return { id, accountId, email, name, role, passwordHash, createdAt: now }
}

export async function hashNewPassword(password: string, random: (bytes: number) => Buffer): Promise<string> {
  const complaint = checkPassword(password)
  if (complaint !== undefined) throw new AttributeError(complaint)
  return hashPassword(password, random)
}

/** @throws AttributeError when the name is empty, too long or has something invisible in it */
export function createAccountRecord(id: string, name: string, now: number): Account {
  return { id, name: checkedName(name), createdAt: now }
}

/** E-mail addresses are compared case-insensitively by the store and kept as typed. */
export function checkedEmail(text: string): string {
  const email = composed(text.trim(), EMAIL_MAX_LENGTH)
  if (email.length > EMAIL_MAX_LENGTH || !/^[^\s@\p{C}]+@[^\s@\p{C}]+$/u.test(email)) {
    throw new AttributeError(`${JSON.stringify(text)} is no e-mail address: expected something like ops@example.com.`)
  }
  return email
}

export function checkedName(text: string): string {
  const name = composed(text.trim(), NAME.most)
  const fault = textFault(name, NAME)
  if (fault) throw new AttributeError(`${JSON.stringify(text)} is no usable name: it ${fault.message}.`)
  return name
}

/** ADMIN-K6: signs in with a password though others use the provider: marked users, else the first administrator. */
export function isBreakGlass({ id }: Pick<User, 'id'>, users: readonly User[]): boolean {
  const enabled = users.filter(({ disabledAt }) => disabledAt === undefined)
  const marked = enabled.filter(({ breakGlass }) => breakGlass)
  if (marked.length > 0) return marked.some((user) => user.id === id)
  const [first] = enabled
    .filter(({ role }) => role === 'administrator')
    .sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
  return first?.id === id
}
