/** What may be done at a connector now (CONSOLE-A9). */

import type { Connectivity, Protocol } from '../../domain/ports/core.ts'
import type { Session } from '../../domain/ports/sessions.ts'
import type { ChargePointView, ConnectorView } from '../../domain/ports/storage-records.ts'
import { isProtocol } from '../../ocpp/protocols.ts'

interface Legal {
  readonly start: boolean
  readonly session?: Session
  readonly unlock: boolean
  readonly takeOut: boolean
  readonly putBack: boolean
}

interface Station {
  readonly view: ChargePointView
  readonly live?: Connectivity | undefined
}

export function protocolOf({ view, live }: Station): Protocol | undefined {
  const protocol = live?.protocol ?? view.status.protocol
  return isProtocol(protocol) ? protocol : undefined
}

export function legalAt(station: Station, connector: ConnectorView, open: readonly Session[]): Legal {
  const { view } = station
  const status = connector.status.toLowerCase()
  const session = sessionAt(connector, open)
  const isOutlet = connector.connectorId > 0 || (connector.evseId ?? 0) > 0
  const ready = protocolOf(station) !== undefined && view.registrationStatus === 'Accepted' && !view.disabled
  const booted = ready && view.status.bootedAt !== undefined
  const usable = status !== 'faulted' && status !== 'unavailable'
  return {
    start: booted && isOutlet && usable && session === undefined,
    session,
    unlock: booted && isOutlet,
    takeOut: booted && status !== 'unavailable',
    putBack: booted && status === 'unavailable',
  }
}

export function sessionAt(connector: ConnectorView, open: readonly Session[]): Session | undefined {
  return open.find((one) => isAt(one, connector))
}

/** 2.0.1 charges at an EVSE, 1.6 at a connector. */
function isAt(session: Session, { evseId, connectorId }: ConnectorView): boolean {
  if (evseId !== undefined && session.evseId !== undefined) return session.evseId === evseId
  return session.connectorId === connectorId && connectorId > 0
}
