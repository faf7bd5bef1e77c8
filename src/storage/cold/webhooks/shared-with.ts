/** Whether a subscription may still see a charge point: in SQL, for event and send time (HOOK-S3). */
import { ACTING, rolesThatLetAct } from '../../../domain/accounts/roles.ts'
import { TYPES_READ_BY } from '../../../domain/events/registry.ts'
import type { Dialect } from '../dialect.ts'

/**
 * True for an account's subscription; for a grant's while the grant lives, covers the scopes and shares the charge
 * point (HOOK-E4). What was shared of a removed charge point until then is still sent.
 * @param subscription alias of the table @param time SQL, where a shared event is sent later
 */
export const sharedWith = (
  { holds }: Dialect,
  subscription: string,
  chargePointId: string,
  type: string,
  time?: string,
): string => `(${subscription}.grant_id IS NULL
  OR EXISTS (SELECT 1 FROM grants AS g
    JOIN users AS u ON u.id = g.user_id JOIN oauth_clients AS c ON c.id = g.client_id
    WHERE g.id = ${subscription}.grant_id AND g.revoked_at IS NULL AND u.disabled_at IS NULL AND c.disabled_at IS NULL
      AND ${holds('g.scopes', `'sessions:read'`)} AND ${holds('g.scopes', `'webhooks:manage'`)}
      AND ${readable(holds, type)}
      AND (g.charge_points = '"all"' OR ${holds('g.charge_points', chargePointId)}
        ${time === undefined ? '' : `OR (g.updated_at <= ${time} AND NOT ${OF_ACCOUNT(chargePointId)})`})))`

/** An undeclared type is read with the scope of its subject. */
function readable(holds: Dialect['holds'], type: string): string {
  const others = [...TYPES_READ_BY].filter(([by]) => by !== 'sessions:read' && by !== 'chargers:read')
  const special = others.map(([by, types]) => {
    const names = types.map((one) => `'${one.type}'`).join(', ')
    const allowed = by === 'account' ? '1 = 0' : `${holds('g.scopes', `'${by}'`)}${ACTING.includes(by) ? LETS_ACT : ''}`
    return `WHEN ${type} IN (${names}) THEN ${allowed}`
  })
  return `CASE ${special.join(' ')} WHEN substr(${type}, 1, 8) = 'session.' THEN 1 = 1
    ELSE ${holds('g.scopes', `'chargers:read'`)} END`
}

/** ADMIN-A3, as `scopesFor` has it. */
const LETS_ACT = ` AND (${[true, false]
  .map((isSelfRegistered) => {
    const roles = rolesThatLetAct({ isSelfRegistered }).map((role) => `'${role}'`)
    return `(u.role IN (${roles.join(', ')}) AND (c.origin = 'dynamic') = (1 = ${isSelfRegistered ? 1 : 0}))`
  })
  .join(' OR ')})`

const OF_ACCOUNT = (chargePointId: string): string =>
  `EXISTS (SELECT 1 FROM charge_points AS p WHERE p.id = ${chargePointId} AND p.account_id = g.account_id)`

/** Verbatim in every query about the end of a grant. */
export const GRANT_ENDED = `grant_id IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM grants WHERE grants.id = grant_id AND grants.revoked_at IS NULL)`
