/** The modules that we offer, in both versions alike; what is not in it is answered 404 (OCPI-A6). */
import { chargingProfilesModule } from '../commands/charging-profiles.ts'
import { commandsModule } from '../commands/commands.ts'
import { credentialsModule } from '../partners/credentials.ts'
import { hubClientInfoModule } from '../partners/hub-client-info.ts'
import { tokensModule } from '../partners/tokens.ts'
import type { OcpiModule } from './module.ts'

export const MODULES: readonly OcpiModule[] = [
  credentialsModule,
  tokensModule,
  commandsModule,
  chargingProfilesModule,
  hubClientInfoModule,
]
