/** The modules that we offer, in both versions alike; what is not in it is answered 404 (OCPI-A6). */

import { credentialsModule } from '../partners/credentials.ts'
import { tokensModule } from '../partners/tokens.ts'
import { cdrsModule, sessionsModule } from '../pushes/lists.ts'
import type { OcpiModule } from './module.ts'

export const MODULES: readonly OcpiModule[] = [cdrsModule, credentialsModule, sessionsModule, tokensModule]
