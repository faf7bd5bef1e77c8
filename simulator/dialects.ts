import type { Protocol } from '../src/domain/ports/core.ts'
import type { Dialect } from './model/dialect.ts'
import { v16 } from './v16/messages.ts'
import { v21 } from './v21/messages.ts'
import { v201 } from './v201/messages.ts'

export const dialects: Readonly<Record<Protocol, Dialect>> = { 'ocpp1.6': v16, 'ocpp2.0.1': v201, 'ocpp2.1': v21 }
