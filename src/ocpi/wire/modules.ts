/** The modules that we offer, in both versions alike; what is not in it is answered 404 (OCPI-A6). */
import { chargingProfilesModule } from '../commands/charging-profiles.ts'
import { commandsModule } from '../commands/commands.ts'
import { credentialsModule } from '../partners/credentials.ts'
import { hubClientInfoModule } from '../partners/hub-client-info.ts'
import { tokensModule } from '../partners/tokens.ts'
import { cdrsModule } from '../senders/cdrs.ts'
import { locationsModule } from '../senders/locations.ts'
import { sessionsModule } from '../senders/sessions.ts'
import { tariffsModule } from '../senders/tariffs.ts'
import type { OcpiModule } from './module.ts'

export const MODULES: readonly OcpiModule[] = [
  credentialsModule,
  tokensModule,
  commandsModule,
  locationsModule,
  tariffsModule,
  sessionsModule,
  cdrsModule,
  chargingProfilesModule,
  hubClientInfoModule,
]
