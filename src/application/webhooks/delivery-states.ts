import type { DeliveryState } from '../../domain/ports/storage-webhooks.ts'

export const DELIVERY_STATES = [
  'pending',
  'in_flight',
  'succeeded',
  'failed',
  'held',
  'superseded',
  'cancelled',
] as const satisfies readonly DeliveryState[]
