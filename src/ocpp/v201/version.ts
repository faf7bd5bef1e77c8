import type { EvsePosition } from '../../domain/energy/place.ts'
import { isIdentityOf201 } from '../identity.ts'
import { assembleVersion, type Commands } from '../translate/assemble-version.ts'
import { type LocalListsOnWire, sendLocalList, versionIn } from '../translate/blocks-on-wire.ts'
import { certificateSigned, getLog, readHashes } from '../translate/of-both.ts'
import {
  isObject,
  list,
  type OutgoingCall,
  object,
  type Payload,
  reasonOf,
  sentTime,
  text,
  transactionIdText,
} from '../translate/payload.ts'
import { reportedMeterKeys } from '../translate/signed/meter-keys.ts'
import type { NetworkSlots, OcppVersion } from '../version.ts'
import { charging } from './charging.ts'
import { askForCustomer } from './driver.ts'
import { idTokenInfo, TOKEN_TYPES } from './from-charge-point.ts'
import { inbound, intents } from './inbound.ts'
import { outbound } from './outbound.ts'
import { valuesRead, wireName } from './variables.ts'

/** Default: keeps the first slot, the station's fallback (B10). */
const USUAL: NetworkSlots = { slot: 2, isInPriority: false, priority: [1], writable: [] }
const DEFAULT_INTERFACE = 'Wired0'
/** OCPPInterfaceEnumType; a station with other names would refuse these. */
const INTERFACES = ['Wired', 'Wireless'].flatMap((kind) => [0, 1, 2, 3].map((number) => `${kind}${number}`))
/** Of a 2.0.1 station; one of 2.1 takes any (OCPP21-B3). */
const ID_TOKEN_LIMIT = 36

/** What OCPP 2.1 has as well. */
export const commandsOf201: Commands = {
  abilities: {
    setting: 'variable',
    outlet: 'evseId',
    startsWithOwnToken: true,
    identityFault: (identity) =>
      isIdentityOf201(identity) ? undefined : 'must fit OCPP 2.0.1: at most 48 letters, digits and * - _ = + | @ .',
    serverRoot: 'CSMSRootCertificate',
    rootQueries: [{}],
    hasSend: false,
  },
  /** F01: the request names an EVSE, never a connector. */
  remoteStart: ({ idToken: { id, type }, remoteStartId, evseId }) => ({
    method: 'RequestStartTransaction',
    request: { idToken: { idToken: id, type }, remoteStartId, evseId },
  }),
  remoteStop: (transactionId) => ({ method: 'RequestStopTransaction', request: { transactionId } }),
  /** SESSION-O7: with the cable already in, the answer names the transaction. */
  readRemoteAnswer: ({ status, transactionId }) => ({
    accepted: text(status)?.toLowerCase() === 'accepted',
    transactionId: transactionIdText(transactionId, undefined),
  }),
  ask(request) {
    switch (request.kind) {
      case 'transactionStatus':
        return { method: 'GetTransactionStatus', request: { transactionId: request.transactionId } }
      case 'triggerBoot':
        return { method: 'TriggerMessage', request: { requestedMessage: 'BootNotification' } }
      case 'triggerStatus':
        return triggerStatus(request)
    }
  },
  /** 2.0.1 E14: whether messages of that transaction are still queued in the station. */
  readAskAnswer(call, response) {
    const { method, request } = call
    const transactionId = transactionIdText(request.transactionId, undefined)
    const { ongoingIndicator, messagesInQueue } = response
    if (method === 'GetInstalledCertificateIds') return readInstalled(request, response)
    if (method !== 'GetTransactionStatus' || transactionId === undefined) return undefined
    if (typeof messagesInQueue !== 'boolean') return undefined
    return {
      kind: 'transactionStatusAnswered',
      transactionId,
      messagesInQueue,
      ...(typeof ongoingIndicator === 'boolean' && { ongoing: ongoingIndicator }),
    }
  },
  readReported: ({ method }, response) =>
    method === 'GetVariables' ? reportedMeterKeys(response.getVariableResult) : undefined,
  getLog,
  /** L01.FR.11: a certificate is always sent if there is one. */
  updateFirmware: ({ requestId, location, retrieveAt, certificate, signature }) => ({
    method: 'UpdateFirmware',
    request: {
      requestId,
      firmware: {
        location,
        retrieveDateTime: sentTime(retrieveAt),
        signingCertificate: certificate,
        signature,
      },
    },
  }),
  askProgress: () => ({ method: 'TriggerMessage', request: { requestedMessage: 'FirmwareStatusNotification' } }),
  certificateTrigger: {
    method: 'TriggerMessage',
    request: { requestedMessage: 'SignChargingStationCertificate' },
  },
  certificateSigned,
  newPasswords,
  passwordStatus(call, response) {
    if (newPasswords(call).length === 0) return undefined
    return text(list(response.setVariableResult).filter(isObject).findLast(isPassword)?.attributeStatus)
  },
  setPassword(attributeValue) {
    const named = { component: { name: 'SecurityCtrlr' }, variable: { name: 'BasicAuthPassword' } }
    return { method: 'SetVariables', request: { setVariableData: [{ ...named, attributeValue }] } }
  },
  /** A05, B09, B10 (CERT-C25). */
  raiseProfile: {
    steps: ({ root }) => [
      ...(root === undefined ? [] : (['installCertificate'] as const)),
      'setNetworkProfile',
      'setPriority',
      'reset',
    ],
    call(step, { securityProfile, csmsUrl, root = '', network = USUAL }) {
      const { slot, priority, ocppInterface: reported } = network
      const ocppInterface =
        INTERFACES.find((name) => name.toLowerCase() === reported?.trim().toLowerCase()) ?? DEFAULT_INTERFACE
      switch (step) {
        case 'installCertificate':
          return {
            method: 'InstallCertificate',
            request: { certificateType: 'CSMSRootCertificate', certificate: root },
          }
        case 'setNetworkProfile':
          return {
            method: 'SetNetworkProfile',
            request: {
              configurationSlot: slot,
              connectionData: {
                ocppVersion: 'OCPP20',
                ocppTransport: 'JSON',
                ocppCsmsUrl: csmsUrl,
                messageTimeout: 30,
                securityProfile,
                ocppInterface,
              },
            },
          }
        case 'setPriority':
          return setPriority([slot, ...priority])
        case 'reset':
          return { method: 'Reset', request: { type: 'OnIdle' } }
        default:
          return undefined
      }
    },
    answer(step, response) {
      const results = list(response.setVariableResult).map((result) => object(result).attributeStatus)
      const said = results.length > 0 || step === 'setPriority' ? results : [response.status]
      if (said[0] === 'Scheduled') return 'scheduled'
      const isTaken = said.length > 0 && said.every((status) => status === 'Accepted' || status === 'RebootRequired')
      return isTaken ? 'done' : 'refused'
    },
  },
  intents,
  /** Reports of the device model (B07, B08), and values in other answers. */
  deviceModel: {
    reportCalls({ base, criteria, componentVariables }) {
      if (base !== undefined) {
        const call = { method: 'GetBaseReport', request: { reportBase: base } }
        return { calls: [call], needsRequestId: true, isWhole: base === 'FullInventory' }
      }
      const named = componentVariables?.map(({ component, variable }) => {
        const name = wireName({ component, variable: variable ?? { name: '' } })
        return variable ? name : { component: name.component }
      })
      const request = {
        ...(named && named.length > 0 && { componentVariable: named }),
        ...(criteria && criteria.length > 0 && { componentCriteria: criteria }),
      }
      return { calls: [{ method: 'GetReport', request }], needsRequestId: true, isWhole: false }
    },
    isAskedAtOnce: true,
    inTens: () => undefined,
    subjectReports: {
      monitors: { method: 'GetMonitoringReport', request: {} },
      displayMessages: { method: 'GetDisplayMessages', request: {} },
    },
    readReportAnswer(response) {
      const status = text(response.status)
      switch (status?.toLowerCase()) {
        case 'accepted':
          return { outcome: 'accepted' }
        case 'emptyresultset':
        // O03.FR.03: it has no such message.
        case 'unknown':
          return { outcome: 'empty' }
        default:
          return { outcome: 'rejected', reason: reasonOf(status ?? 'no status', response.statusInfo) }
      }
    },
    readValues: ({ method }, response) => (method === 'GetVariables' ? valuesRead(response) : []),
    reset: { call: { method: 'Reset', request: { type: 'OnIdle' } }, waits: true },
  },
  charging,
  /** D01, D02: a list of id tokens; one without idTokenInfo is removed (D01.FR.17). */
  localLists: {
    askVersion: { method: 'GetLocalListVersion', request: {} },
    askLimits: {
      method: 'GetVariables',
      request: {
        getVariableData: ['ItemsPerMessage', 'BytesPerMessage'].map((name) => ({
          component: { name: 'LocalAuthListCtrlr' },
          variable: { name },
        })),
      },
    },
    readVersion: ({ versionNumber }) => versionIn(versionNumber),
    entry: listEntries(ID_TOKEN_LIMIT, (type) => TOKEN_TYPES.includes(type)),
    send: (versionNumber, isFull, entries) => sendLocalList({ versionNumber }, isFull, entries),
  },
  /** H01, H02: an EVSE, or none for any of them. */
  reservations: {
    reserve: (id, { evseId, connectorType, idToken, idTokenType, groupId, expiresAt }) => ({
      method: 'ReserveNow',
      request: {
        id,
        expiryDateTime: sentTime(expiresAt),
        idToken: { idToken, type: idTokenType },
        evseId,
        connectorType,
        ...(groupId !== undefined && { groupIdToken: { idToken: groupId, type: 'Central' } }),
      },
    }),
    cancel: (reservationId) => ({ method: 'CancelReservation', request: { reservationId } }),
    fault: ({ connectorId }) => {
      if (connectorId === undefined) return undefined
      const message = 'is not known to OCPP 2.0.1, which keeps an evseId, perhaps with a connectorType'
      return { pointer: '/connectorId', message }
    },
    anyPlace: { key: 'reservationctrlr.nonevsespecific', name: 'ReservationCtrlr.NonEvseSpecific' },
  },
  /** I02: CostUpdated has an empty answer. The answer to the end of the charge has the total (I03). */
  costs: {
    running: ({ transactionId, cost }) => ({ method: 'CostUpdated', request: { totalCost: cost, transactionId } }),
    readAnswer: () => 'accepted',
  },
  askForCustomer,
}

/** OCPP 2.0.1 edition 3. */
export const ocpp201 = assembleVersion('ocpp2.0.1', inbound, outbound, commandsOf201)

export function setPriority(slots: readonly number[]): OutgoingCall {
  const named = { component: { name: 'OCPPCommCtrlr' }, variable: { name: 'NetworkConfigurationPriority' } }
  return { method: 'SetVariables', request: { setVariableData: [{ ...named, attributeValue: slots.join(',') }] } }
}

/** Entries of a local list: one that the version cannot express would spoil them all, and is left out (OCPP21-B3). */
export function listEntries(maxId: number, isType: (type: string) => boolean): LocalListsOnWire['entry'] {
  return (entry, isGone) =>
    entry.id.length <= maxId && isType(entry.type)
      ? { idToken: { idToken: entry.id, type: entry.type }, ...(!isGone && { idTokenInfo: idTokenInfo(entry) }) }
      : undefined
}

/** F06.FR.13: a status trigger names a connector; most EVSEs have one. A connector of 1.6 is an EVSE here. */
function triggerStatus({ evseId, connectorId = 0 }: EvsePosition): OutgoingCall | undefined {
  const id = evseId ?? connectorId
  if (id <= 0) return undefined
  const evse = { id, connectorId: evseId !== undefined && connectorId > 0 ? connectorId : 1 }
  return { method: 'TriggerMessage', request: { requestedMessage: 'StatusNotification', evse } }
}

/** CERT-C23 */
function readInstalled(request: Payload, response: Payload): ReturnType<OcppVersion['readAskAnswer']> {
  const certificates = list(response.certificateHashDataChain).flatMap((entry) => {
    const { certificateType, certificateHashData } = object(entry)
    const type = text(certificateType)
    return type === undefined ? [] : readHashes(certificateHashData).map((hash) => ({ type, hash }))
  })
  const types = Array.isArray(request.certificateType) ? request.certificateType.map(String) : undefined
  return { kind: 'certificatesReported', types, certificates }
}

/** OCPP-AU6, A01: by SetVariables of SecurityCtrlr.BasicAuthPassword. */
function newPasswords({ method, request }: OutgoingCall): ReturnType<OcppVersion['newPasswords']> {
  const entries = method === 'SetVariables' ? list(request.setVariableData) : []
  return entries.flatMap((entry, at) => {
    if (!isObject(entry) || !isPassword(entry) || typeof entry.attributeValue !== 'string') return []
    return [{ pointer: `/setVariableData/${at}/attributeValue`, password: entry.attributeValue }]
  })
}

function isPassword({ component, variable, attributeType }: Payload): boolean {
  return (
    named(component, 'securityctrlr') &&
    named(variable, 'basicauthpassword') &&
    (text(attributeType) ?? 'Actual').toLowerCase() === 'actual'
  )
}

function named(value: unknown, lowerCase: string): boolean {
  return text(object(value).name)?.toLowerCase() === lowerCase
}
