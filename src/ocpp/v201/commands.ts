/** Our own calls to a 2.0.1 charge point, and the meaning of their answers. */

import type { Input, Request } from '../../domain/sessions/decision.ts'
import type { EvsePosition } from '../../domain/sessions/place.ts'
import type { OutgoingCall, Payload } from '../payload.ts'
import { text, transactionIdText } from '../translate/payload.ts'
import { reportedMeterKeys } from '../translate/signed/meter-keys.ts'
import type { OcppVersion, RemoteStartOrder } from '../version.ts'
import { readInstalled } from './security/certificates.ts'

type Commands = Pick<
  OcppVersion,
  'remoteStart' | 'remoteStop' | 'readRemoteAnswer' | 'ask' | 'readAskAnswer' | 'readReported'
>

export const commands: Commands = { remoteStart, remoteStop, readRemoteAnswer, ask, readAskAnswer, readReported }

/** F01: the request names an EVSE, never a connector. */
function remoteStart({ idToken, remoteStartId, evseId }: RemoteStartOrder): OutgoingCall {
  return {
    method: 'RequestStartTransaction',
    request: {
      idToken: { idToken: idToken.id, type: idToken.type },
      remoteStartId,
      evseId,
    },
  }
}

function remoteStop(transactionId: string): OutgoingCall {
  return { method: 'RequestStopTransaction', request: { transactionId } }
}

/** SESSION-O7: with the cable already in, the answer names the transaction. */
function readRemoteAnswer(response: Payload): {
  readonly accepted: boolean
  readonly transactionId?: string | undefined
} {
  const transactionId = transactionIdText(response.transactionId, undefined)
  return {
    accepted: text(response.status)?.toLowerCase() === 'accepted',
    transactionId,
  }
}

function ask(request: Request): OutgoingCall | undefined {
  switch (request.kind) {
    case 'transactionStatus':
      return { method: 'GetTransactionStatus', request: { transactionId: request.transactionId } }
    case 'triggerBoot':
      return { method: 'TriggerMessage', request: { requestedMessage: 'BootNotification' } }
    case 'triggerStatus':
      return triggerStatus(request)
  }
}

/** F06.FR.13: a status trigger names a connector; most EVSEs have one. A connector of 1.6 is an EVSE here. */
function triggerStatus({ evseId, connectorId = 0 }: EvsePosition): OutgoingCall | undefined {
  const id = evseId ?? connectorId
  if (id <= 0) return undefined
  const evse = { id, connectorId: evseId !== undefined && connectorId > 0 ? connectorId : 1 }
  return { method: 'TriggerMessage', request: { requestedMessage: 'StatusNotification', evse } }
}

/** 2.0.1 E14: whether messages of that transaction are still queued in the station. */
function readAskAnswer(call: OutgoingCall, response: Payload): Input | undefined {
  const { method, request } = call
  const transactionId = transactionIdText(request.transactionId, undefined)
  const { ongoingIndicator, messagesInQueue } = response
  if (method !== 'GetTransactionStatus') return readInstalled(call, response)
  if (transactionId === undefined) return undefined
  if (typeof messagesInQueue !== 'boolean') return undefined
  return {
    kind: 'transactionStatusAnswered',
    transactionId,
    messagesInQueue,
    ...(typeof ongoingIndicator === 'boolean' && { ongoing: ongoingIndicator }),
  }
}

function readReported({ method }: OutgoingCall, response: Payload): Input | undefined {
  return method === 'GetVariables' ? reportedMeterKeys(response.getVariableResult) : undefined
}
