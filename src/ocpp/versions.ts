import type { Protocol } from '../domain/ports/core.ts'
import { isProtocol } from './protocols.ts'
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
