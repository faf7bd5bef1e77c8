/** A station's messages in OCPP 2.1: those of 2.0.1, and what differs. */
import type { Dialect } from '../model/dialect.ts'
import { v201 } from '../v201/messages.ts'

export const v21: Dialect = { ...v201, protocol: 'ocpp2.1' }
