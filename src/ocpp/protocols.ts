/** The supported versions of OCPP, oldest first. A missing one does not compile. */
import type { Protocol } from '../domain/ports/core.ts'

const SPOKEN: Readonly<Record<Protocol, true>> = { 'ocpp1.6': true, 'ocpp2.0.1': true }

export const PROTOCOLS = Object.keys(SPOKEN) as readonly Protocol[]

export function isProtocol(name: string | undefined): name is Protocol {
  return name !== undefined && Object.hasOwn(SPOKEN, name)
}

/** @example protocolName('ocpp2.0.1') === 'OCPP 2.0.1' */
export function protocolName(protocol: string): string {
  return protocol.replace(/^ocpp/, 'OCPP ')
}
