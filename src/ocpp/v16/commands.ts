/** Our own calls to a 1.6 charge point, and the meaning of their answers. */
import type { Input, Request } from '../../domain/sessions/decision.ts'
import type { OutgoingCall, Payload } from '../payload.ts'
import { text } from '../translate/payload.ts'
import { configuredMeterKeys } from '../translate/signed/meter-keys.ts'
import type { OcppVersion, RemoteStartOrder } from '../version.ts'
import { readInstalled } from './certificates.ts'

type Commands = Pick<
  OcppVersion,
  'remoteStart' | 'remoteStop' | 'readRemoteAnswer' | 'ask' | 'readAskAnswer' | 'readReported'
>

export const commands: Commands = {
  remoteStart,
  remoteStop,
  readRemoteAnswer,
  ask,
  readAskAnswer: readInstalled,
  readReported,
}

/** 1.6 has no EVSEs: an EVSE means the connector of that number. Without either the station chooses. */
function remoteStart({ idToken, connectorId, evseId }: RemoteStartOrder): OutgoingCall {
  const connector = connectorId ?? evseId
  return {
    method: 'RemoteStartTransaction',
    request: { idTag: idToken.id, connectorId: connector },
  }
}

function remoteStop(transactionId: string): OutgoingCall {
  return { method: 'RemoteStopTransaction', request: { transactionId: Number(transactionId) } }
}

function readRemoteAnswer(response: Payload): { readonly accepted: boolean } {
  return { accepted: text(response.status)?.toLowerCase() === 'accepted' }
}

/** Connector 0 is the station; its trigger omits the connector. */
function ask(request: Request): OutgoingCall | undefined {
  switch (request.kind) {
    case 'transactionStatus':
      return undefined
    case 'triggerBoot':
      return { method: 'TriggerMessage', request: { requestedMessage: 'BootNotification' } }
    case 'triggerStatus': {
      const { connectorId = 0 } = request
      const connector = connectorId > 0 && { connectorId }
      return { method: 'TriggerMessage', request: { requestedMessage: 'StatusNotification', ...connector } }
    }
  }
}

function readReported({ method }: OutgoingCall, response: Payload): Input | undefined {
  return method === 'GetConfiguration' ? configuredMeterKeys(response.configurationKey) : undefined
}
