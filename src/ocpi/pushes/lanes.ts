/**
 * A partner's place in the outbox of webhooks (OCPI-A2): a subscription that is no webhook. What happens while a
 * partner is suspended is held for it; one that registers again is sent all that failed.
 */
import type { UseCaseContext } from '../../application/context.ts'
import { locationUpdated } from '../../domain/locations/events.ts'
import { laneOf, type Partner, TARIFF_CHANGED } from '../../domain/partners/records.ts'
import { recordPages } from '../../domain/records/all-records.ts'

type LaneContext = Pick<UseCaseContext, 'writes' | 'now'>

/** Of all partners of the account; sessions and CDRs go to the one whose customer they are of. */
const EVENTS = [locationUpdated.type, TARIFF_CHANGED]
/** Longer than any event is kept. */
const LONG_AGO_MS = 400 * 24 * 3600_000

export async function alignLane({ writes, now }: LaneContext, partner: Partner, isAnew: boolean): Promise<void> {
  const { accountId, partnerId, state, versionsUrl } = partner
  const id = laneOf(partnerId)
  const at = now()
  if (state === 'removed') await writes.deleteSubscription(id, at)
  if (state === 'suspended') await writes.disableSubscription(id, 'owner', at)
  if (state !== 'registered' || versionsUrl === undefined) return
  // No webhook has a fragment: the address is of this lane alone, and only its host counts.
  const url = `${versionsUrl.slice(0, 2000)}#${id}`
  const made = await writes.createSubscription(
    {
      id,
      accountId,
      partnerId,
      url,
      events: EVENTS,
      updates: 'all',
      status: 'active',
      secrets: [],
      consecutiveFailures: 0,
      attemptsSinceSuccess: 0,
      createdAt: at,
    },
    Number.POSITIVE_INFINITY,
  )
  if (made === 'created') return
  await writes.updateSubscription(id, { url, events: EVENTS })
  await writes.enableSubscription(id, 'held', at, Number.POSITIVE_INFINITY)
  if (isAnew) {
    await writes.replayDeliveries({ subscriptionId: id, from: at - LONG_AGO_MS, to: at, state: 'failed', now: at })
  }
}

/** What a kill left between a partner and its place; beside other servers it changes nothing. */
export async function alignLanes({ reads, ...context }: LaneContext & Pick<UseCaseContext, 'reads'>): Promise<void> {
  for await (const page of recordPages(reads, 'partners')) {
    for (const partner of page) await alignLane(context, partner, false)
  }
}
