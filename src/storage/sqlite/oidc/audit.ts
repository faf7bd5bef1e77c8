import type { AuditEvent, Grant } from '../../../ports/storage-oidc.ts'
import { auditEvents } from '../schema/oidc.ts'
import type { Orm } from './rows.ts'

/** What happened to a grant, in the transaction in which it happened. */
export function auditGrant(
  db: Orm,
  { id, accountId, userId, clientId }: Pick<Grant, 'id' | 'accountId' | 'userId' | 'clientId'>,
  event: Pick<AuditEvent, 'kind' | 'at' | 'ip'>,
): void {
  db.insert(auditEvents)
    .values({ ...event, accountId, userId, clientId, grantId: id })
    .run()
}
