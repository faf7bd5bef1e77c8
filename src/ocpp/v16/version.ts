import { assembleVersion } from '../translate/assemble-version.ts'
import { certificates } from './certificates.ts'
import { commands } from './commands.ts'
import { deviceModel, intents } from './configuration-keys.ts'
import { inbound } from './inbound.ts'
import { maintenance } from './maintenance.ts'
import { outbound } from './outbound.ts'
import { newPassword, passwordTaken } from './password.ts'
import { raiseProfile } from './security-profile.ts'

/** OCPP 1.6-J with the security extension. */
export const ocpp16 = assembleVersion('ocpp1.6', inbound, outbound, {
  ...commands,
  ...maintenance,
  ...certificates,
  newPassword,
  passwordTaken,
  raiseProfile,
  intents,
  deviceModel,
})
