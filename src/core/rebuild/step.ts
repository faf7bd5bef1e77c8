/** One thing that happened to a charge point, to be decided once more (HOOK-B3). */

import type { IdToken } from '../../domain/ports/id-tokens.ts'
import type { ChargePointState } from '../../domain/ports/sessions.ts'
import type { Command } from '../../domain/ports/storage.ts'
import type { Input } from '../../domain/sessions/decision.ts'
import type { Payload } from '../../ocpp/payload.ts'

export interface Step {
  readonly at: number
  /** Among steps of one millisecond: the log's order. */
  readonly order: number
  /** Log id that the step's events name as their cause. */
  readonly cause?: number
  readonly input: (state: ChargePointState) => Input | undefined
  readonly transactionId?: string
  /** The tokens of the input as they were then: what was answered about them. */
  readonly tokens?: (ids: readonly string[]) => ReadonlyMap<string, IdToken>
}

export function responseOf({ response = '{}' }: Command): Payload {
  return JSON.parse(response) as Payload
}
