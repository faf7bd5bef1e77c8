/** Changes of a grant that anybody may make, with their trace in the audit log (OIDC-C7, OIDC-C8). */

import { audited } from '../../application/audit/auditing.ts'
import type { AuditEvent, AuditKind, Grant, Selection } from '../../domain/ports/storage-oidc.ts'
import type { Provider } from '../provider.ts'

type GrantContext = Pick<Provider, 'writes' | 'now' | 'log' | 'grantChanged'>

export type ChangedBy = Pick<AuditEvent, 'actor' | 'role' | 'ip'>

/** Ends tokens and unspent codes at once, and before it resolves what the application ordered (OIDC-C13). */
export async function revokeGrant(place: GrantContext, grant: Grant, by: ChangedBy): Promise<void> {
  await recorded(place, grant, 'grant_revoked', by, () => place.writes.revokeGrant(grant.id, place.now()))
  await place.grantChanged?.(grant.id)
}

/** From the next request on; ends orders for what is no longer shared (OIDC-C13). False: revoked meanwhile. */
export async function changeSelection(
  place: GrantContext,
  grant: Grant,
  selection: Selection,
  by: ChangedBy,
): Promise<boolean> {
  const isChanged = await recorded(place, grant, 'grant_changed', by, () =>
    place.writes.selectChargePoints(grant.id, selection, place.now()),
  )
  await place.grantChanged?.(grant.id)
  return isChanged
}

function recorded(
  place: GrantContext,
  { id: grantId, accountId, userId, clientId }: Grant,
  kind: AuditKind,
  by: ChangedBy,
  change: () => Promise<boolean>,
): Promise<boolean> {
  const event = { at: place.now(), kind, accountId, userId, clientId, grantId, subject: clientId, ...by }
  return audited(place, event, change, (changed) => ({ outcome: changed ? 'done' : 'refused' }))
}
