import type { FrozenTariff } from '../../domain/ports/sessions.ts'
import type { Input, Request } from '../../domain/sessions/decision.ts'
import type { OutgoingCall, Payload } from '../payload.ts'
import { assembleVersion } from '../translate/assemble-version.ts'
import {
  type CostFacts,
  type CostsOnWire,
  type LocalListsOnWire,
  type ReservationsOnWire,
  sendLocalList,
  versionIn,
} from '../translate/blocks-on-wire.ts'
import { readHashes } from '../translate/certificate-hashes.ts'
import { certificateSigned } from '../translate/of-both.ts'
import { sentTime, text } from '../translate/payload.ts'
import { configuredMeterKeys } from '../translate/signed/meter-keys.ts'
import type {
  Maintenance,
  OcppVersion,
  ProfileOrder,
  ProfileStepCall,
  RaiseProfile,
  RemoteStartOrder,
} from '../version.ts'
import { deviceModel, intents } from './configuration-keys.ts'
import { idTagInfo } from './from-charge-point.ts'
import { inbound } from './inbound.ts'
import { charging, outbound } from './outbound.ts'

/** Certificates on a 1.6 charge point: a new request, and the installed ones (CERT-C20, CERT-C23). */
const certificates: Pick<OcppVersion, 'certificateTrigger'> = {
  certificateTrigger: {
    method: 'ExtendedTriggerMessage',
    request: { requestedMessage: 'SignChargePointCertificate' },
  },
}

/** One type per request, which the answer does not repeat. */
function readInstalled({ method, request }: OutgoingCall, response: Payload): Input | undefined {
  if (method !== 'GetInstalledCertificateIds' || typeof request.certificateType !== 'string') return undefined
  const type = request.certificateType
  const certificates = readHashes(response.certificateHashData).map((hash) => ({ type, hash }))
  return { kind: 'certificatesReported', types: [type], certificates }
}

type Commands = Pick<
  OcppVersion,
  'remoteStart' | 'remoteStop' | 'readRemoteAnswer' | 'ask' | 'readAskAnswer' | 'readReported'
>

const commands: Commands = {
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

/** A 1.6 charge point's steps to a higher security profile (CERT-C25; security whitepaper A05). */
const raiseProfile: RaiseProfile = {
  steps: (order) => [
    ...(order.root === undefined ? [] : (['installCertificate'] as const)),
    'setSecurityProfile',
    'reset',
  ],
  call(step, { securityProfile, root = '' }: ProfileOrder): ProfileStepCall | undefined {
    switch (step) {
      case 'installCertificate':
        return {
          method: 'InstallCertificate',
          request: { certificateType: 'CentralSystemRootCertificate', certificate: root },
        }
      case 'setSecurityProfile':
        return { method: 'ChangeConfiguration', request: { key: 'SecurityProfile', value: String(securityProfile) } }
      case 'reset':
        return { method: 'Reset', request: { type: 'Soft' } }
      default:
        return undefined
    }
  },
  /** Once accepted, it reconnects by itself. */
  answer(step, { status }) {
    const said = text(status)
    if (step === 'setSecurityProfile') {
      return said === 'Accepted' ? 'reconnects' : said === 'RebootRequired' ? 'done' : 'refused'
    }
    return said === 'Accepted' ? 'done' : 'refused'
  },
}

/** Logs and firmware of a 1.6 charge point (1.6 §6.19, §6.53; security whitepaper L01, N01). */
const maintenance: Maintenance = {
  getLog({ type, requestId, location, fromAt, toAt }): OutgoingCall {
    const [oldest, latest] = [sentTime(fromAt), sentTime(toAt)]
    if (type === 'diagnostics') {
      return {
        method: 'GetDiagnostics',
        request: {
          location,
          startTime: oldest,
          stopTime: latest,
        },
      }
    }
    return {
      method: 'GetLog',
      request: {
        logType: 'SecurityLog',
        requestId,
        log: {
          remoteLocation: location,
          oldestTimestamp: oldest,
          latestTimestamp: latest,
        },
      },
    }
  },

  /** Without certificate and signature only the plain order is possible. */
  updateFirmware({ requestId, location, retrieveAt, certificate, signature }): OutgoingCall {
    if (certificate === undefined || signature === undefined) {
      return { method: 'UpdateFirmware', request: { location, retrieveDate: sentTime(retrieveAt) } }
    }
    return {
      method: 'SignedUpdateFirmware',
      request: {
        requestId,
        firmware: { location, retrieveDateTime: sentTime(retrieveAt), signingCertificate: certificate, signature },
      },
    }
  },

  /** Only the extension's trigger has signed updates. */
  askProgress: ({ isSigned }) => ({
    method: isSigned ? 'ExtendedTriggerMessage' : 'TriggerMessage',
    request: { requestedMessage: 'FirmwareStatusNotification' },
  }),
}

/** 1.6 §5.2, §5.13: a connector, or 0 for any of them. */
const reservations: ReservationsOnWire = {
  reserve: (reservationId, { evseId, connectorId = evseId ?? 0, idToken, groupId, expiresAt }) => ({
    method: 'ReserveNow',
    request: {
      connectorId,
      expiryDate: sentTime(expiresAt),
      idTag: idToken,
      reservationId,
      parentIdTag: groupId,
    },
  }),
  cancel: (reservationId) => ({ method: 'CancelReservation', request: { reservationId } }),
  fault: ({ connectorType, idToken, groupId = '' }) => {
    if (connectorType !== undefined) return { pointer: '/connectorType', message: 'is not known to OCPP 1.6' }
    const [pointer] = [...(idToken.length > 20 ? ['/idToken'] : []), ...(groupId.length > 20 ? ['/groupId'] : [])]
    return pointer === undefined ? undefined : { pointer, message: 'has more than the 20 characters of OCPP 1.6' }
  },
  anyPlace: { key: 'chargepoint.reserveconnectorzerosupported', name: 'ReserveConnectorZeroSupported' },
}

/** 1.6 §5.10, §5.15: a list of idTags; one without idTagInfo is removed. */
const ID_TAG_LIMIT = 20

const localLists: LocalListsOnWire = {
  askVersion: { method: 'GetLocalListVersion', request: {} },
  askLimits: { method: 'GetConfiguration', request: { key: ['SendLocalListMaxLength', 'LocalAuthListMaxLength'] } },
  readVersion: ({ listVersion }) => versionIn(listVersion),
  entry: (entry, isGone) =>
    entry.id.length > ID_TAG_LIMIT ? undefined : { idTag: entry.id, ...(!isGone && { idTagInfo: idTagInfo(entry) }) },
  send: (listVersion, isFull, entries) => sendLocalList({ listVersion }, isFull, entries),
}

/** DataTransfer by the OCA's application note on California's pricing requirements: its data is JSON. */
const VENDOR = 'org.openchargealliance.costmsg'
const MICROS = 1_000_000
const MINUTES = 60

const costs: CostsOnWire = {
  running: (facts) => {
    const { transactionId, cost, at, isIdle, meterWh, tariff } = facts
    return transfer('RunningCost', {
      transactionId: Number(transactionId),
      timestamp: sentTime(at),
      cost,
      ...(meterWh !== undefined && { meterValue: Math.round(meterWh) }),
      state: isIdle ? 'Idle' : 'Charging',
      ...(tariff && pricesOf(tariff)),
    })
  },
  final: ({ transactionId, cost, currency }: CostFacts) =>
    transfer('FinalCost', { transactionId: Number(transactionId), cost, priceText: `${cost} ${currency}` }),
  readAnswer({ status }) {
    switch (text(status)?.toLowerCase()) {
      case 'accepted':
        return 'accepted'
      case 'unknownvendorid':
      case 'unknownmessageid':
        return 'unsupported'
      default:
        return 'refused'
    }
  },
}

function pricesOf({ perKwhMicros, perMinuteMicros, perSessionMicros, idlePerMinuteMicros }: FrozenTariff): object {
  const hourly = (micros: number): number => (micros * MINUTES) / MICROS
  return {
    chargingPrice: {
      kWhPrice: perKwhMicros / MICROS,
      hourPrice: hourly(perMinuteMicros),
      flatFee: perSessionMicros / MICROS,
    },
    idlePrice: { hourPrice: hourly(perMinuteMicros + idlePerMinuteMicros) },
  }
}

function transfer(messageId: string, data: object): OutgoingCall {
  return { method: 'DataTransfer', request: { vendorId: VENDOR, messageId, data: JSON.stringify(data) } }
}

/** OCPP 1.6-J with the security extension. */
export const ocpp16 = assembleVersion('ocpp1.6', inbound, outbound, {
  abilities: {
    setting: 'configurationKey',
    outlet: 'connectorId',
    startsWithOwnToken: false,
    identityFault: () => undefined,
    serverRoot: 'CentralSystemRootCertificate',
    rootQueries: [
      { certificateType: 'CentralSystemRootCertificate' },
      { certificateType: 'ManufacturerRootCertificate' },
    ],
    hasSend: false,
  },
  ...commands,
  ...maintenance,
  ...certificates,
  certificateSigned,
  newPasswords,
  passwordStatus,
  setPassword: (value) => ({ method: 'ChangeConfiguration', request: { key: 'AuthorizationKey', value } }),
  raiseProfile,
  intents,
  deviceModel,
  charging,
  localLists,
  reservations,
  costs,
})

/** OCPP-AU6: by ChangeConfiguration of `AuthorizationKey`. */
function newPasswords({ method, request }: OutgoingCall): ReturnType<OcppVersion['newPasswords']> {
  const { key, value } = request
  if (method !== 'ChangeConfiguration' || typeof value !== 'string') return []
  return text(key)?.toLowerCase() === 'authorizationkey' ? [{ pointer: '/value', password: value }] : []
}

function passwordStatus(call: OutgoingCall, { status }: Payload): string | undefined {
  return newPasswords(call).length === 0 ? undefined : text(status)
}
