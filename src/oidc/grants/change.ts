/** Changes of a grant that anybody may make, with their trace in the audit log (OIDC-C7, OIDC-C8). */
import type { Grant, Selection } from '../../ports/storage-oidc.ts'
import type { Provider } from '../provider.ts'

type Place = Pick<Provider, 'writes' | 'now'>

/** Ends at once: access tokens, refresh tokens and unspent codes of the grant all look at it. */
export async function revokeGrant({ writes, now }: Place, grant: Grant, ip: string): Promise<void> {
  const { id: grantId, accountId, userId, clientId } = grant
  if (!(await writes.revokeGrant(grantId, now()))) return
  await writes.audit({ at: now(), kind: 'grant_revoked', accountId, userId, clientId, grantId, ip })
}

/** Counts from the next request on, also for tokens that exist. False when the grant was revoked meanwhile. */
export async function changeSelection(
  { writes, now }: Place,
  grant: Grant,
  selection: Selection,
  ip: string,
): Promise<boolean> {
  const { id: grantId, accountId, userId, clientId } = grant
  if (!(await writes.selectChargePoints(grantId, selection, now()))) return false
  await writes.audit({ at: now(), kind: 'grant_changed', accountId, userId, clientId, grantId, ip })
  return true
}
