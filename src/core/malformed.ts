/** RP10: a frame that is no OCPP message. Stored, since it is what an installer needs to see; answered where the version says so. */

import { maskUnreadable } from '../ocpp/mask.ts'
import type { Frame } from '../ocpp/rpc/frame.ts'
import { errorText } from '../ocpp/rpc/frame.ts'
import type { OcppVersion } from '../ocpp/version.ts'
import type { CoreContext } from './context.ts'
import type { Job } from './engine.ts'

/** RP10: then whatever is at the other end does not speak OCPP. */
const IN_A_ROW_LIMIT = 10
/** Enough of a foreign frame to recognise its origin. */
const KEPT_CHARACTERS = 4096

/** The log's method column for frames without a readable action. */
export const MALFORMED_METHOD = 'Malformed'

export function malformedFrame(
  context: CoreContext,
  arrived: {
    readonly connection: number
    readonly stationId: string
    readonly version: OcppVersion
    readonly text: string
    readonly frame: Extract<Frame, { type: 'malformed' }>
    readonly inARow: number
  },
): Job {
  const { connection, stationId, version, text, frame, inARow } = arrived
  const code = version.code('unreadable') ?? 'GenericError'
  const answer = (): void => {
    context.sockets.send(connection, errorText(frame.idText ?? '"-1"', code, frame.reason))
    if (inARow >= IN_A_ROW_LIMIT) context.sockets.close(connection, 1002, 'no OCPP messages')
  }
  context.counters.malformedFrames++
  return {
    stationId,
    prepare: () => undefined,
    decide: () => ({
      chargePointId: stationId,
      command: {
        id: context.nextLogId(context.clock.now()),
        chargePointId: stationId,
        direction: 'in',
        method: MALFORMED_METHOD,
        messageId: '-1',
        protocol: version.protocol,
        status: 'error',
        request: JSON.stringify(maskUnreadable(text).slice(0, KEPT_CHARACTERS)),
        error: { code, description: frame.reason, details: {} },
        answeredAt: context.clock.now(),
      },
    }),
    committed: answer,
    failed: answer,
  }
}
