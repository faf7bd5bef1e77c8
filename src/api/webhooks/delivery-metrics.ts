import { Counter, Gauge, type Registry } from 'prom-client'
import type { ApiContext } from '../api-parts.ts'

export function deliveryFigures(
  { reads, now, deliveries }: Pick<ApiContext, 'reads' | 'now' | 'deliveries'>,
  registers: Registry[],
): () => Promise<void> {
  const metric =
    <M>(Kind: new (of: { name: string; help: string; registers: Registry[] }) => M) =>
    (name: string, help: string): M =>
      new Kind({ name: `pilotwire_webhook_${name}`, help, registers })
  const [gauge, counter] = [metric<Gauge>(Gauge), metric<Counter>(Counter)]
  const due = gauge('deliveries_due', 'Deliveries that may leave now')
  const waiting = gauge('deliveries_waiting', 'Deliveries that wait for their next attempt')
  const inFlight = gauge('deliveries_in_flight', 'Attempts under way')
  const held = gauge('deliveries_held', 'Deliveries kept for disabled subscriptions')
  const oldest = gauge('oldest_due_seconds', 'Age of the oldest delivery that is due')
  const succeeded = counter('attempts_succeeded_total', 'Successful attempts')
  const failed = counter('attempts_failed_total', 'Failed attempts')
  const since = (counted: Counter, value: number): void => {
    counted.reset()
    counted.inc(value)
  }
  return async () => {
    const at = now()
    const stored = await reads.deliveryStatistics(at)
    const attempts = deliveries?.statistics()
    due.set(stored.due)
    waiting.set(stored.waiting)
    inFlight.set(stored.inFlight)
    held.set(stored.held)
    oldest.set(stored.oldestDueAt === undefined ? 0 : Math.max(0, (at - stored.oldestDueAt) / 1000))
    since(succeeded, attempts?.succeeded ?? 0)
    since(failed, attempts?.failed ?? 0)
  }
}
