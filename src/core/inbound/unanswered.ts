/** Texts that answer no CALL: unreadable ones (OCPP-RP10), and stray results (OCPP-RP8, OCPP-RP11). */
import { errorText, type Frame } from '../../ocpp/rpc/frame.ts'
import type { OcppVersion } from '../../ocpp/version.ts'
import type { CoreContext } from '../context.ts'
import type { Job } from '../groups/engine.ts'
import type { Station } from '../memory/station.ts'
import { type Arrival, frameProcessed } from './read-call.ts'
import { MALFORMED_METHOD, type TextFacts, textRow, UNANSWERED_METHOD } from './text-row.ts'

/** OCPP-RP10: then the peer does not speak OCPP. */
const IN_A_ROW_LIMIT = 10

interface Arrived {
  readonly stationId: string
  readonly version: OcppVersion
  readonly text: string
  readonly arrival: Arrival
}

/** Stored for the installer; answered where the version says so. */
export function malformedFrame(
  context: CoreContext,
  arrived: Arrived & { readonly frame: Extract<Frame, { type: 'malformed' }>; readonly inARow: number },
): Job {
  const { stationId, version, text, frame, inARow, arrival } = arrived
  const { connection } = arrival
  const code = version.code('unreadable') ?? 'GenericError'
  context.counters.malformedFrames++
  const facts = { stationId, version, method: MALFORMED_METHOD, code, description: frame.reason }
  return textJob(context, arrived, facts, text, () => {
    context.sockets.send(connection, errorText(frame.idText ?? '"-1"', code, frame.reason))
    if (inARow >= IN_A_ROW_LIMIT) context.sockets.close(connection, 1002, 'no OCPP messages')
  })
}

export function unansweredFrame(
  context: CoreContext,
  arrived: Arrived & {
    readonly messageId?: string
    readonly description: string
    readonly answerText?: string | undefined
  },
): Job {
  const { stationId, version, text, messageId, description, answerText, arrival } = arrived
  const code = version.code('unknownMessageType') ?? 'GenericError'
  const facts = { stationId, version, method: UNANSWERED_METHOD, messageId, code, description }
  return textJob(context, arrived, facts, text, () => {
    if (answerText !== undefined) context.sockets.send(arrival.connection, answerText)
  })
}

function textJob(
  context: CoreContext,
  { stationId, arrival }: Arrived,
  facts: TextFacts,
  text: string,
  answer: () => void,
): Job {
  let isKept: boolean | undefined
  const settled = (): void => {
    answer()
    frameProcessed(context.sockets, arrival)
  }
  return {
    stationId,
    bytes: text.length,
    decide(station: Station) {
      isKept ??= context.rowLimit.mayKeep(station, text.length)
      if (!isKept) return undefined
      return { chargePointId: stationId, command: textRow(context, facts, text) }
    },
    committed: settled,
    failed: settled,
  }
}
