import type { Protocol } from '../domain/ports/core.ts'
import type { DocumentedVersion } from './translate/assemble-version.ts'
import { ocpp16 } from './v16/version.ts'
import { ocpp201 } from './v201/version.ts'

/** By sub-protocol. */
export const versions: Readonly<Record<Protocol, DocumentedVersion>> = {
  'ocpp1.6': ocpp16,
  'ocpp2.0.1': ocpp201,
}

/** Of a charge point as it is stored; undefined: it has never connected. */
export function versionOf(protocol: string | undefined): DocumentedVersion | undefined {
  return isProtocol(protocol) ? versions[protocol] : undefined
}

/** The supported versions of OCPP, oldest first. A missing one does not compile. */
const SPOKEN: Readonly<Record<Protocol, true>> = { 'ocpp1.6': true, 'ocpp2.0.1': true }

export const PROTOCOLS = Object.keys(SPOKEN) as readonly Protocol[]

export function isProtocol(name: string | undefined): name is Protocol {
  return name !== undefined && Object.hasOwn(SPOKEN, name)
}

/** @example protocolName('ocpp2.0.1') === 'OCPP 2.0.1' */
export function protocolName(protocol: string): string {
  return protocol.replace(/^ocpp/, 'OCPP ')
}
