/** The first start: an installation without an account gets one, somebody who may sign in, and a key to its API. */
import { createCredential } from './accounts/credentials.ts'
import { generatePassword } from './accounts/password.ts'
import { createAccountRecord, createUserRecord } from './accounts/user.ts'
import { newUuid } from './commands/uuid.ts'
import type { Config } from './config.ts'
import type { Account, Reads, Writes } from './ports/storage.ts'

export interface FirstStart {
  readonly accountId: string
  readonly email: string
  /** Absent when the operator chose it. */
  readonly password?: string
  readonly credentialId: string
  /** `pwk_…`, to be shown once and never logged. */
  readonly credential: string
}

/**
 * Undefined when somebody can already get in. An account alone (made by `account create`, or by a first start that was
 * cut short) is completed, not doubled.
 */
export async function firstStart(
  reads: Reads,
  writes: Writes,
  config: Pick<Config, 'adminEmail' | 'adminPassword'>,
  random: (bytes: number) => Buffer,
  now: number,
): Promise<FirstStart | undefined> {
  const [existing] = await reads.listAccounts()
  if (existing && (await isInUse(reads, existing))) return undefined
  const account = existing ?? createAccountRecord(newUuid(now, random), 'Default', now)
  const password = config.adminPassword ?? generatePassword(random)
  const user = await createUserRecord(
    {
      id: newUuid(now, random),
      accountId: account.id,
      email: config.adminEmail,
      role: 'administrator',
      password,
    },
    now,
    random,
  )
  const { text, credential } = createCredential(random, { accountId: account.id, name: 'first start', createdAt: now })
  if (!existing) await writes.createAccount(account)
  await writes.createUser(user)
  await writes.createCredential(credential)
  return {
    accountId: account.id,
    email: user.email,
    ...(config.adminPassword === undefined && { password }),
    credentialId: credential.id,
    credential: text,
  }
}

async function isInUse(reads: Reads, { id }: Account): Promise<boolean> {
  return (await reads.listUsers(id)).length > 0 || (await reads.listCredentials(id)).length > 0
}
