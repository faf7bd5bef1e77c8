/** One thing that happened to a charge point, to be decided again (HOOK-B3). */

import type { IdToken } from '../../domain/ports/id-tokens.ts'
import type { ChargePointState } from '../../domain/ports/sessions.ts'
import type { Command } from '../../domain/ports/storage.ts'
import type { Input } from '../../domain/sessions/decision.ts'
import type { Payload } from '../../ocpp/payload.ts'

export interface Step {
  readonly at: number
  /** Log order within one millisecond. */
  readonly order: number
  /** Log id of the events' cause. */
  readonly cause?: number
  readonly input: (state: ChargePointState) => Input | undefined
  readonly transactionId?: string
  /** The tokens as they were then, from the answers about them. */
  readonly tokens?: (ids: readonly string[]) => ReadonlyMap<string, IdToken>
}

export function responseOf({ response = '{}' }: Command): Payload {
  return JSON.parse(response) as Payload
}
