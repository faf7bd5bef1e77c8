/** What a bulk order needs, and whether its orderer still has that right (BULK-B6). */

import { may, scopesFor } from '../../domain/accounts/roles.ts'
import { API_SCOPES, type Scope } from '../../domain/accounts/scopes.ts'
import { type BulkActor, type BulkWhat, REASONS } from '../../domain/bulk-orders/records.ts'
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

export const ORDERING_SCOPES: readonly Scope[] = (Object.keys(API_SCOPES) as Scope[]).filter((scope) =>
  Object.values(SCOPE_OF).includes(scope),
)

/** Why the rest of an order ends; undefined: its orderer still may. */
export async function lostRight(
  reads: Pick<Reads, 'findCredential' | 'findGrant' | 'findUser' | 'findClient'>,
  { kind, id }: BulkActor,
  what: BulkWhat['kind'],
  now: number,
): Promise<string | undefined> {
  const scope = SCOPE_OF[what]
  if (kind === 'user') {
    const user = await reads.findUser(id)
    if (!user || user.disabledAt !== undefined) return REASONS.userDisabled
    return may(user.role, 'operate') ? undefined : REASONS.userMayNot
  }
  if (kind === 'credential') {
    const credential = await reads.findCredential(id)
    if (!credential || credential.revokedAt !== undefined) return REASONS.credentialRevoked
    return (credential.expiresAt ?? now + 1) > now ? undefined : REASONS.credentialExpired
  }
  const grant = await reads.findGrant(id)
  if (!grant || grant.revokedAt !== undefined) return REASONS.grantEnded
  const user = await reads.findUser(grant.userId)
  if (!user || user.disabledAt !== undefined) return REASONS.grantUserDisabled
  const client = await reads.findClient(grant.clientId)
  const held = scopesFor(user.role, grant.scopes, { isSelfRegistered: client?.origin === 'dynamic' })
  return scope === undefined || held.includes(scope) ? undefined : `the application has no longer ${scope}`
}
