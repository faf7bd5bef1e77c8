/** What `/metrics` says about the deliveries: what waits comes from the database, what happened from the loop. */
import type { DeliveryFigures } from '../metrics.ts'
import type { ApiParts } from '../parts.ts'

export function deliveryFigures({ reads, now, deliveries }: ApiParts): DeliveryFigures {
  return async () => {
    const at = now()
    const stored = await reads.deliveryStatistics(at)
    const { succeeded = 0, failed = 0 } = deliveries?.statistics() ?? {}
    return [
      ['deliveries_due', 'Deliveries that may leave now', stored.due],
      ['deliveries_waiting', 'Deliveries that wait for their next attempt', stored.waiting],
      ['deliveries_in_flight', 'Attempts under way', stored.inFlight],
      ['deliveries_held', 'Deliveries kept for disabled subscriptions', stored.held],
      ['attempts_succeeded', 'Successful attempts since the start', succeeded],
      ['attempts_failed', 'Failed attempts since the start', failed],
      [
        'oldest_due_seconds',
        'Age of the oldest delivery that is due',
        stored.oldestDueAt === undefined ? 0 : Math.max(0, (at - stored.oldestDueAt) / 1000),
      ],
    ]
  }
}
