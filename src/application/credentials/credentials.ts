/** API credentials of an account: made and revoked (OIDC-U7, ADMIN-B1). */

import {
  daysFrom,
  MAX_CREDENTIAL_DAYS,
  createCredential as newCredential,
  parseCredential,
} from '../../domain/accounts/credentials.ts'
import { API_SCOPE_NAMES } from '../../domain/accounts/scopes.ts'
import { AttributeError, checkedName } from '../../domain/accounts/user.ts'
import type { Fault } from '../../domain/message-log/fault.ts'
import type { Reads, Writes } from '../../domain/ports/storage.ts'
import type { Credential, Refusal } from '../../domain/ports/storage-records.ts'
import { noSuch, refuseFaults } from '../../domain/refuse.ts'

interface CredentialOrder extends Pick<Credential, 'accountId' | 'name' | 'expiresAt' | 'scopes'> {
  /** For how many days, as it was typed; empty or absent: until it is revoked. */
  readonly days?: string | undefined
}

const DAY_MS = 86_400_000

export async function createCredential(
  parts: {
    readonly writes: Pick<Writes, 'createCredential'>
    readonly now: () => number
    readonly random: (bytes: number) => Buffer
  },
  { accountId, name, days = '', expiresAt, scopes = [] }: CredentialOrder,
): Promise<{ readonly credential: Credential; readonly text: string } | Refusal> {
  const now = parts.now()
  const forDays = days.trim() === '' ? undefined : daysFrom(days)
  const faults = [
    fault('name', nameFault(name)),
    days.trim() !== '' &&
      forDays === undefined &&
      fault('days', `must be a whole number of days from 1 to ${MAX_CREDENTIAL_DAYS}`),
    !scopes.every((scope) => (API_SCOPE_NAMES as readonly string[]).includes(scope)) &&
      fault('scope', `must be of ${API_SCOPE_NAMES.join(', ')}`),
  ].filter((one) => typeof one === 'object')
  if (faults.length > 0) return refuseFaults(faults)
  const made = newCredential(parts.random, {
    accountId,
    name: checkedName(name),
    createdAt: now,
    scopes,
    expiresAt: forDays === undefined ? expiresAt : now + forDays * DAY_MS,
  })
  await parts.writes.createCredential(made.credential)
  return made
}

export async function revokeCredential(
  {
    reads,
    writes,
    now,
  }: {
    readonly reads: Pick<Reads, 'findCredential'>
    readonly writes: Pick<Writes, 'revokeCredential'>
    readonly now: () => number
  },
  accountId: string,
  text: string,
): Promise<Credential | Refusal> {
  const id = parseCredential(text)?.id ?? text
  await writes.revokeCredential(accountId, id, now())
  const credential = await reads.findCredential(id)
  return credential?.accountId === accountId ? credential : noSuch('API credential')
}

function nameFault(text: string): string | undefined {
  try {
    checkedName(text)
    return undefined
  } catch (error) {
    if (error instanceof AttributeError) return error.message
    throw error
  }
}

function fault(member: string, message: string | undefined): Fault | undefined {
  return message === undefined ? undefined : { pointer: `/${member}`, code: 'invalid_value', message }
}
