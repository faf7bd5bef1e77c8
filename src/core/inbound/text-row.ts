/** Log rows for texts that are no calls, and for the number that was not kept. */

import { isoTime } from '../../domain/iso-time.ts'
import type { Command } from '../../domain/ports/storage-records.ts'
import { maskUnreadable } from '../../ocpp/mask.ts'
import type { OcppVersion } from '../../ocpp/version.ts'
import type { NotKept } from '../connections/row-count.ts'
import type { CoreContext } from '../context.ts'
import type { Job } from '../groups/engine.ts'
import type { Station } from '../memory/station.ts'

/** Enough to recognize the origin of a foreign text. */
const KEPT_CHARACTERS = 4096

/** Values of the log's method column that are no actions. */
export const MALFORMED_METHOD = 'Malformed'
export const UNANSWERED_METHOD = 'Unanswered'
const NOT_KEPT_METHOD = 'NotKept'

export interface TextFacts {
  readonly stationId: string
  readonly version: OcppVersion
  readonly method: string
  readonly messageId?: string | undefined
  readonly code: string
  readonly description: string
}

export function textRow(context: CoreContext, facts: TextFacts, text: string): Command {
  return row(context, facts, JSON.stringify(shortMasked(text)))
}

export function notKeptJob(context: CoreContext, station: Station, { messages, bytes, since }: NotKept): Job {
  const { id: stationId, version } = station
  const description = `${messages} more messages were not kept: more came than are worth their place.`
  const until = isoTime(context.clock.now())
  const request = JSON.stringify({ messages, bytes, since: isoTime(since), until })
  return {
    stationId,
    decide() {
      if (!version) return undefined
      const facts = { stationId, version, method: NOT_KEPT_METHOD, code: 'GenericError', description }
      return { chargePointId: stationId, command: row(context, facts, request) }
    },
  }
}

/** The beginning of unparsable text, with possible secrets masked. */
export function shortMasked(text: string): string {
  return maskUnreadable(text.slice(0, 2 * KEPT_CHARACTERS)).slice(0, KEPT_CHARACTERS)
}

function row(context: CoreContext, facts: TextFacts, request: string): Command {
  const now = context.clock.now()
  return {
    id: context.logIds.next(now),
    chargePointId: facts.stationId,
    direction: 'in',
    method: facts.method,
    messageId: facts.messageId ?? '-1',
    protocol: facts.version.protocol,
    status: 'error',
    request,
    error: { code: facts.code, description: facts.description, details: {} },
    answeredAt: now,
  }
}
