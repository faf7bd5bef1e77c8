/** The first start: an installation without an account gets one, a user who may sign in, and a key to its API. */

import type { Config } from '../config/config.ts'
import { createCredential } from '../domain/accounts/credentials.ts'
import { generatePassword } from '../domain/accounts/password.ts'
import { createAccountRecord, createUserRecord } from '../domain/accounts/user.ts'
import { newUuid } from '../domain/message-log/log-id.ts'
import type { FirstStartMark, Reads, Writes } from '../domain/ports/storage.ts'
import type { Account } from '../domain/ports/storage-records.ts'
import { FIRST_START } from '../domain/records/unversioned.ts'

export interface FirstStart {
  readonly accountId: string
  readonly email: string
  readonly password?: string | undefined
  readonly credentialId: string
  /** `pwk_…`, to be shown once and never logged. */
  readonly credential: string
}

export interface FirstStartResult {
  readonly first?: FirstStart | undefined
  /** Made by another server of this database a moment ago: what it generated is shown there, and once. */
  readonly madeElsewhere?: FirstStartMark | undefined
}

/** Another server's start longer ago than this is no reason to expect that this one made anything. */
const A_MOMENT_MS = 600_000

/** Completes an account without users; empty when a user can sign in. Of several servers one makes it, others wait. */
export async function firstStart(
  reads: Reads,
  writes: Writes,
  config: Pick<Config, 'adminEmail' | 'adminPassword'>,
  node: string,
  random: (bytes: number) => Buffer,
  now: number,
): Promise<FirstStartResult> {
  const [existing] = await reads.listAccounts()
  if (existing && (await isInUse(reads, existing))) return elsewhere(reads, node, now)
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
  const made = await writes.createFirstAccount({ account, user, credential, madeBy: { node, at: now } })
  if (made.outcome === 'exists') return elsewhere(reads, node, now)
  if (made.outcome !== 'created') {
    throw new Error(
      `A user of another account has the address ${user.email}: set PILOTWIRE_ADMIN_EMAIL to one that is free.`,
    )
  }
  return {
    first: {
      accountId: made.accountId,
      email: user.email,
      ...(config.adminPassword === undefined && { password }),
      credentialId: credential.id,
      credential: text,
    },
  }
}

async function elsewhere(reads: Reads, node: string, now: number): Promise<FirstStartResult> {
  const found = await reads.getRecord('meta', { name: FIRST_START })
  const mark = found && (JSON.parse(found.value) as FirstStartMark)
  return mark && mark.node !== node && now - mark.at < A_MOMENT_MS ? { madeElsewhere: mark } : {}
}

async function isInUse(reads: Reads, { id }: Account): Promise<boolean> {
  return (await reads.listUsers(id)).length > 0 || (await reads.listCredentials(id)).length > 0
}
