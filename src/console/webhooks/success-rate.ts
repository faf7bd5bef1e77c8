import type { Delivery } from '../../domain/ports/storage-webhooks.ts'

export interface SuccessRate {
  readonly succeeded: number
  readonly finished: number
  /** Whole percent, 100 only when nothing failed; absent while nothing has finished. */
  readonly percent?: number
}

/** Of the deliveries that reached their end: what still waits says nothing yet, what was cancelled never tried. */
export function successRate(deliveries: readonly Pick<Delivery, 'state'>[]): SuccessRate {
  const count = (state: Delivery['state']): number => deliveries.filter((delivery) => delivery.state === state).length
  const succeeded = count('succeeded')
  const finished = succeeded + count('failed')
  return { succeeded, finished, ...(finished > 0 && { percent: Math.floor((100 * succeeded) / finished) }) }
}
