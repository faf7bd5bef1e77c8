import { OCPP_VERSIONS } from '../domain/ocpp-versions.ts'
import type { Protocol } from '../domain/ports/core.ts'
import type { DocumentedVersion } from './translate/assemble-version.ts'
import { ocpp16 } from './v16/version.ts'
import { ocpp21 } from './v21/version.ts'
import { ocpp201 } from './v201/version.ts'

/** By sub-protocol. */
export const versions: Readonly<Record<Protocol, DocumentedVersion>> = {
  'ocpp1.6': ocpp16,
  'ocpp2.0.1': ocpp201,
  'ocpp2.1': ocpp21,
}

/** Of a charge point as it is stored; undefined: it has never connected. */
export function versionOf(protocol: string | undefined): DocumentedVersion | undefined {
  return isProtocol(protocol) ? versions[protocol] : undefined
}

/** Oldest first. */
export const PROTOCOLS = OCPP_VERSIONS.map((version) => `ocpp${version}` as const)

export function isProtocol(name: string | undefined): name is Protocol {
  return PROTOCOLS.some((known) => known === name)
}

/** @example protocolName('ocpp2.0.1') === 'OCPP 2.0.1' */
export function protocolName(protocol: string): string {
  return protocol.replace(/^ocpp/, 'OCPP ')
}
