/** A CALL from a charge point, from its frame to the input it stands for, or to the error that refuses it (VA1-VA3). */
import { hash } from 'node:crypto'
import type { Frame } from '../ocpp/rpc/frame.ts'
import type { ErrorCode, FromChargePoint, OcppVersion, Payload } from '../ocpp/version.ts'
import type { Input } from '../sessions/decision.ts'
import type { CoreContext } from './context.ts'
import type { Station } from './station.ts'

export type CallFrame = Extract<Frame, { type: 'call' }>

export interface ArrivedCall {
  readonly connection: number
  readonly stationId: string
  readonly version: OcppVersion
  readonly frame: CallFrame
  readonly receivedAt: number
}

export interface ReadCall {
  readonly ok: true
  readonly handler: FromChargePoint
  readonly payload: Payload
  readonly input: Input
  readonly schemaErrors?: string
}

export interface RefusedCall {
  readonly ok: false
  readonly code: ErrorCode
  readonly description: string
}

export function readCall(
  context: CoreContext,
  station: Station,
  { version, frame, receivedAt }: ArrivedCall,
): ReadCall | RefusedCall {
  const code = version.refuseAction(frame.action)
  if (code) return { ok: false, code, description: `${frame.action.slice(0, 60)} is not supported here.` }
  const mode = station.chargePoint.validation ?? context.settings.validation
  const valid = version.validateCall(frame.action, frame.payload, mode)
  if (!valid.ok) return valid
  const handler = version.fromChargePoint[frame.action]
  if (!handler) return { ok: false, code: 'NotImplemented', description: 'The action is not known.' }
  const { messageId, payloadText } = frame
  const input = inputOf(handler, valid.payload, { messageId, payloadText, receivedAt })
  return {
    ok: true,
    handler,
    payload: valid.payload,
    input,
    ...schemaErrorsOf(frame, valid.schemaErrors),
  }
}

function schemaErrorsOf({ mended }: CallFrame, found: string | undefined): { readonly schemaErrors?: string } {
  const schemaErrors = mended ? ['The message was not JSON.', found].join(' ').trim() : found
  return schemaErrors === undefined ? {} : { schemaErrors }
}

/** 96 bits: no two payloads of one charge point share them by chance. */
const DIGEST_DIGITS = 24

/** What a valid call means. The same for one that arrives and for one that is read from the log again (B3). */
export function inputOf(
  handler: FromChargePoint,
  payload: Payload,
  sent: { readonly messageId: string; readonly payloadText: string; readonly receivedAt: number },
): Input {
  return handler.input(payload, {
    receivedAt: sent.receivedAt,
    raw: sent.payloadText,
    digest: (facts = sent.payloadText) => hash('sha256', facts).slice(0, DIGEST_DIGITS),
    messageId: sent.messageId,
  })
}
