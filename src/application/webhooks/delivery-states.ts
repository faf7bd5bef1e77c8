import type { DeliveryState } from '../../domain/ports/storage-webhooks.ts'

/** What a list of deliveries can be narrowed to, in the order of a delivery's life. */
export const DELIVERY_STATES = [
  'pending',
  'in_flight',
  'succeeded',
  'failed',
  'held',
  'superseded',
  'cancelled',
] as const satisfies readonly DeliveryState[]
