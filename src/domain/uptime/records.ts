/** What charge points were ordered of their availability and took: downtime that was planned (UPTIME-U3). */
import { flag, integer, optional, record, text } from '../records/record.ts'

/** Orders, by charge point and the log id of the command. */
export const availabilityOrders = record('availability_orders', {
  key: ['chargePointId', 'id'],
  columns: {
    chargePointId: text(),
    id: integer(),
    /** When the charge point took it; ms since the epoch. */
    at: integer(),
    evseId: optional(integer()),
    /** Absent, as the EVSE: all of them. */
    connectorId: optional(integer()),
    available: flag(),
  },
  indexes: [['at']],
  age: 'at',
})

/** A charge point took such an order. */
export interface AvailabilityInput {
  readonly kind: 'availabilityOrdered'
  readonly evseId?: number | undefined
  readonly connectorId?: number | undefined
  readonly available: boolean
}
