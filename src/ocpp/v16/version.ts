import type { OutgoingCall, Payload } from '../payload.ts'
import { assembleVersion } from '../translate/assemble-version.ts'
import { text } from '../translate/payload.ts'
import type { OcppVersion } from '../version.ts'
import { certificates } from './certificates.ts'
import { charging } from './charging.ts'
import { commands } from './commands.ts'
import { deviceModel, intents } from './configuration-keys.ts'
import { costs } from './driver/costs.ts'
import { localLists } from './driver/local-lists.ts'
import { reservations } from './driver/reservations.ts'
import { inbound } from './inbound.ts'
import { maintenance } from './maintenance.ts'
import { outbound } from './outbound.ts'
import { raiseProfile } from './security-profile.ts'

/** OCPP 1.6-J with the security extension. */
export const ocpp16 = assembleVersion('ocpp1.6', inbound, outbound, {
  abilities: {
    setting: 'configurationKey',
    outlet: 'connectorId',
    startsWithOwnToken: false,
    identityFault: () => undefined,
    serverRoot: 'CentralSystemRootCertificate',
    rootQueries: [
      { certificateType: 'CentralSystemRootCertificate' },
      { certificateType: 'ManufacturerRootCertificate' },
    ],
  },
  ...commands,
  ...maintenance,
  ...certificates,
  newPasswords,
  passwordStatus,
  setPassword: (value) => ({ method: 'ChangeConfiguration', request: { key: 'AuthorizationKey', value } }),
  raiseProfile,
  intents,
  deviceModel,
  charging,
  localLists,
  reservations,
  costs,
})

/** OCPP-AU6: by ChangeConfiguration of `AuthorizationKey`. */
function newPasswords({ method, request }: OutgoingCall): ReturnType<OcppVersion['newPasswords']> {
  const { key, value } = request
  if (method !== 'ChangeConfiguration' || typeof value !== 'string') return []
  return text(key)?.toLowerCase() === 'authorizationkey' ? [{ pointer: '/value', password: value }] : []
}

function passwordStatus(call: OutgoingCall, { status }: Payload): string | undefined {
  return newPasswords(call).length === 0 ? undefined : text(status)
}
