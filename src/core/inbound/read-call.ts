/** Turns the frame of a CALL into its input, or into the error that refuses it (OCPP-VA1 to OCPP-VA3). */

import type { SocketEvents } from '../../domain/ports/core.ts'
import type { Input } from '../../domain/sessions/decision.ts'
import { commonNameFault } from '../../domain/x509/issue.ts'
import { inputOf } from '../../ocpp/admission.ts'
import type { Frame } from '../../ocpp/rpc/frame.ts'
import type { Payload } from '../../ocpp/translate/payload.ts'
import type { ErrorCode, FromChargePoint, OcppVersion, Situation } from '../../ocpp/version.ts'
import type { CoreContext } from '../context.ts'
import { isUnaccepted, type Station } from '../memory/station.ts'

type CallFrame = Extract<Frame, { type: 'call' }>

export interface ArrivedCall {
  readonly connection: number
  readonly stationId: string
  readonly version: OcppVersion
  readonly frame: CallFrame
  readonly receivedAt: number
  readonly arrival: Arrival
  /** It was answered, or never will be. */
  readonly settled?: (() => void) | undefined
}

export interface ReadCall {
  readonly ok: true
  readonly handler: FromChargePoint
  readonly payload: Payload
  readonly input: Input
  readonly schemaErrors?: string
  /** The action, if the payload satisfies its schema. */
  readonly valid: string | undefined
  /** The id of its row, which was stored before its answer was known (OCPP21-C8). */
  readonly storedAs?: number | undefined
}

export interface RefusedCall {
  readonly ok: false
  readonly code: ErrorCode
  readonly description: string
  /** Closes the connection. */
  readonly closes?: true
}

export function readCall(
  context: CoreContext,
  station: Station,
  { connection, version, frame, receivedAt }: ArrivedCall,
): ReadCall | RefusedCall {
  const code = version.refuseAction(frame.action)
  if (code) return { ok: false, code, description: `${frame.action.slice(0, 60)} is not supported here.` }
  if (frame.tooDeep) return refusal(version, 'syntax', 'The message is nested too deeply.')
  const { isSend = false } = frame
  const mode = station.chargePoint.validation ?? context.settings.validation
  if (frame.notUtf8 && mode === 'strict') return refusal(version, 'syntax', 'The message is not UTF-8.')
  const valid = version.validateCall(frame.action, frame.payload, mode)
  if (!valid.ok) return valid
  const handler = version.fromChargePoint[frame.action]
  if (!handler) return { ok: false, code: 'NotImplemented', description: 'The action is not known.' }
  const misuse = isSend === handler.isSend ? undefined : `${frame.action} must be a ${isSend ? 'CALL' : 'SEND'}.`
  if (misuse !== undefined && mode === 'strict') return refusal(version, 'syntax', misuse)
  const { messageId, payloadText } = frame
  const input = inputOf(handler, valid.payload, { messageId, payloadText, receivedAt })
  if (input.kind === 'booted' && isAnothers(station, connection, input.serialNumber)) {
    const description = 'The serial number is not that of the client certificate.'
    return { ...refusal(version, 'notAccepted', description), closes: true }
  }
  return {
    ok: true,
    handler,
    payload: valid.payload,
    input,
    valid: mode === 'off' || valid.schemaErrors !== undefined ? undefined : frame.action,
    ...schemaErrorsOf(frame, [misuse, valid.schemaErrors]),
  }
}

/** CERT-C18: the boot names a serial number other than the login certificate's (B01.FR.12). */
function isAnothers(station: Station, connection: number, serialNumber: string | undefined): boolean {
  const { shown, chargePoint } = station
  if (!shown || station.connection !== connection) return false
  return commonNameFault(shown.commonName, serialNumber, chargePoint.subjectCheck) !== undefined
}

/** OCPP-RP14: further calls of an unaccepted charge point are not read. */
export function refuseUnaccepted(station: Station, { version, frame }: ArrivedCall): RefusedCall | undefined {
  const handler = version.fromChargePoint[frame.action]
  if (!isUnaccepted(station) || handler === undefined || mayTalk(station, handler)) return undefined
  return notAccepted(version)
}

/**
 * OCPP-DR9: before its boot is accepted a station may only boot, send what we triggered, and where its version says so
 * report its transactions. A station that was set back does not know it until it boots again, and would lose them
 * (OCPP-DR4).
 */
export function mayTalk(
  { state, chargePoint, askedFor }: Station,
  { action, billing, beforeBoot }: FromChargePoint,
): boolean {
  const accepted = chargePoint.registrationStatus === 'Accepted'
  const booted = state?.status.bootedAt !== undefined
  if (booted ? accepted || billing : accepted && beforeBoot) return true
  return action === 'BootNotification' || askedFor?.includes(action) === true
}

export function notAccepted(version: OcppVersion): RefusedCall {
  return refusal(version, 'notAccepted', 'The charge point is not accepted yet: send a BootNotification first.')
}

function refusal(version: OcppVersion, situation: Situation, description: string): RefusedCall {
  return { ok: false, code: version.code(situation) ?? 'GenericError', description }
}

function schemaErrorsOf(
  { mended, notUtf8 }: CallFrame,
  found: readonly (string | undefined)[],
): { readonly schemaErrors?: string } {
  const ofText = [mended && 'The message was not JSON.', notUtf8 && 'The message was not UTF-8.']
  const schemaErrors = [...ofText, ...found].filter(Boolean).join(' ')
  return schemaErrors === '' ? {} : { schemaErrors }
}

/** A text on its way through the core. Once processed, its connection hands over the next (OCPP-CN7). */
export interface Arrival {
  readonly connection: number
  left: number
}

export function frameProcessed(sockets: SocketEvents, arrival: Arrival): void {
  arrival.left--
  if (arrival.left === 0) sockets.done(arrival.connection)
}
