/**
 * A text on its way through the core. Its connection hears when all that it held is dealt with, so that the next may
 * come (OCPP-CN7).
 */
import type { SocketEvents } from '../../domain/ports/core.ts'

export interface Arrival {
  readonly connection: number
  /** Messages of it that are not dealt with yet. */
  left: number
}

export function dealtWith(sockets: SocketEvents, arrival: Arrival): void {
  arrival.left--
  if (arrival.left === 0) sockets.done(arrival.connection)
}
