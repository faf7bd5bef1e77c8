/** What a bulk order needs, and whether whoever ordered it still has it (BULK-B6). */

import { may, scopesFor } from '../../domain/accounts/roles.ts'
import { API_SCOPES, type Scope } from '../../domain/accounts/scopes.ts'
import type { BulkActor, BulkWhat } from '../../domain/bulk-orders/records.ts'
import type { Reads } from '../../domain/ports/storage.ts'

/** Absent: no scope covers it. */
export const SCOPE_OF: Readonly<Record<BulkWhat['kind'], Scope | undefined>> = {
  reset: 'chargers:control',
  unlock: 'chargers:control',
  availability: 'chargers:control',
  command: 'chargers:control',
  log: 'chargers:firmware',
  firmware: 'chargers:firmware',
  configuration: 'chargers:configure',
  label: undefined,
}

/** Those with which something may be ordered. */
export const ORDERING_SCOPES: readonly Scope[] = (Object.keys(API_SCOPES) as Scope[]).filter((scope) =>
  Object.values(SCOPE_OF).includes(scope),
)

type Known = Pick<Reads, 'findCredential' | 'findGrant' | 'findUser' | 'findClient'>

/** Why the rest of an order ends; undefined: whoever ordered it still may. */
export async function lostRight(
  reads: Known,
  { kind, id }: BulkActor,
  what: BulkWhat['kind'],
  now: number,
): Promise<string | undefined> {
  const scope = SCOPE_OF[what]
  if (kind === 'user') {
    const user = await reads.findUser(id)
    if (!user || user.disabledAt !== undefined) return 'the user who ordered it is disabled'
    return may(user.role, 'operate') ? undefined : 'the user who ordered it may not operate charge points any more'
  }
  if (kind === 'credential') {
    const credential = await reads.findCredential(id)
    if (!credential || credential.revokedAt !== undefined) return 'the API credential was revoked'
    return (credential.expiresAt ?? now + 1) > now ? undefined : 'the API credential has expired'
  }
  const grant = await reads.findGrant(id)
  if (!grant || grant.revokedAt !== undefined) return 'the grant of the application has ended'
  const user = await reads.findUser(grant.userId)
  if (!user || user.disabledAt !== undefined) return 'the user of the application is disabled'
  const client = await reads.findClient(grant.clientId)
  const held = scopesFor(user.role, grant.scopes, { isSelfRegistered: client?.origin === 'dynamic' })
  return scope === undefined || held.includes(scope) ? undefined : `the application has no longer ${scope}`
}
