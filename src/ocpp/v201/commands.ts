/** Our own calls to a 2.0.1 charge point, and the meaning of their answers. */

import type { EvsePosition } from '../../domain/energy/place.ts'
import type { Input, Request } from '../../domain/sessions/decision.ts'
import type { OutgoingCall, Payload } from '../payload.ts'
import { readHashes } from '../translate/certificate-hashes.ts'
import { list, object, text, transactionIdText } from '../translate/payload.ts'
import { reportedMeterKeys } from '../translate/signed/meter-keys.ts'
import type { OcppVersion, RemoteStartOrder } from '../version.ts'

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

/** Certificates on a 2.0.1 station: a new request, and the installed ones (CERT-C20, CERT-C23). */
export const certificates: Pick<OcppVersion, 'certificateTrigger'> = {
  certificateTrigger: {
    method: 'TriggerMessage',
    request: { requestedMessage: 'SignChargingStationCertificate' },
  },
}

function readInstalled({ method, request }: OutgoingCall, response: Payload): Input | undefined {
  if (method !== 'GetInstalledCertificateIds') return undefined
  const certificates = list(response.certificateHashDataChain).flatMap((entry) => {
    const { certificateType, certificateHashData } = object(entry)
    const type = text(certificateType)
    return type === undefined ? [] : readHashes(certificateHashData).map((hash) => ({ type, hash }))
  })
  const types = Array.isArray(request.certificateType) ? request.certificateType.map(String) : undefined
  return { kind: 'certificatesReported', types, certificates }
}
