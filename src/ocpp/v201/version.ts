import { assembleVersion } from '../translate/assemble-version.ts'
import { commands } from './commands.ts'
import { deviceModel } from './device-model.ts'
import { inbound } from './inbound.ts'
import { intents } from './intents.ts'
import { maintenance } from './maintenance.ts'
import { outbound } from './outbound.ts'
import { newPassword, passwordTaken } from './password.ts'
import { certificates } from './security/certificates.ts'
import { raiseProfile } from './security/security-profile.ts'

/** OCPP 2.0.1 edition 3. */
export const ocpp201 = assembleVersion('ocpp2.0.1', inbound, outbound, {
  ...commands,
  ...maintenance,
  ...certificates,
  newPassword,
  passwordTaken,
  raiseProfile,
  intents,
  deviceModel,
})
