import type { UseCaseContext } from '../../application/context.ts'
import { createEmission, freshEventId } from '../../domain/events/emission.ts'
import { partnerChanged } from '../../domain/partners/events.ts'
import type { Partner } from '../../domain/partners/records.ts'
import { alignLane } from '../pushes/lanes.ts'

type ChangeContext = Pick<UseCaseContext, 'reads' | 'writes' | 'now' | 'random'>

/** Two requests at once, and two servers; more often in a row something is wrong. */
const MAX_TRIES = 20

/**
 * Changes a partner as it is now: another request may have changed it since it was read.
 * @param change pure; undefined: not any more
 */
export async function changePartner(
  { reads, writes, now, random }: ChangeContext,
  { accountId, partnerId }: Pick<Partner, 'accountId' | 'partnerId'>,
  change: (partner: Partner) => Partner | undefined,
): Promise<Partner | undefined> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const seen = await reads.getRecord('partners', { accountId, partnerId })
    const changed = seen && change(seen)
    if (!seen || !changed) return undefined
    if (changed === seen) return seen
    const put = { ...changed, updatedAt: Math.max(now(), seen.updatedAt) }
    const news = put.state === seen.state ? [] : [partnerChanged.of({ ...put, previousState: seen.state })]
    const { ofDecision } = createEmission({ figuresIntervalMs: 0 }, freshEventId(random))
    const events = news.map((one) => ofDecision(one, { accountId, chargePointId: '' }, put.updatedAt, undefined))
    if (!(await writes.changeRecordsIf([{ kind: 'partners', put }], { kind: 'partners', put: seen }, events))) continue
    const isAnew = put.state === 'registered' && put.endpoints !== seen.endpoints
    // What was given up after days of failures is taken up again once the partner was reached.
    const isReached = put.tokensPulledAt !== seen.tokensPulledAt
    if (isAnew || isReached || put.state !== seen.state) await alignLane({ writes, now }, put, isAnew)
    return put
  }
  throw new Error(`The partner ${partnerId} changes too often.`)
}

/** Its tokens no longer hold, and it is called no more. */
export function asRemoved(partner: Partner): Partner {
  return { ...partner, state: 'removed', tokenHashes: [], sealedToken: undefined, endpoints: [] }
}
