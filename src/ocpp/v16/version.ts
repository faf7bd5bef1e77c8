import type { OutgoingCall, Payload } from '../payload.ts'
import { assembleVersion } from '../translate/assemble-version.ts'
import { text } from '../translate/payload.ts'
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
  ...commands,
  ...maintenance,
  ...certificates,
  newPassword,
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

/** OCPP-AU6: a 1.6 charge point gets its password by ChangeConfiguration of `AuthorizationKey`. */
function newPassword({ method, request }: OutgoingCall): string | undefined {
  const { key, value } = request
  if (method !== 'ChangeConfiguration' || typeof value !== 'string') return undefined
  if (text(key)?.toLowerCase() !== 'authorizationkey') return undefined
  return value
}

function passwordStatus(call: OutgoingCall, { status }: Payload): string | undefined {
  return newPassword(call) === undefined ? undefined : text(status)
}
