import type { FrozenTariff } from '../../domain/ports/sessions.ts'
import { assembleVersion } from '../translate/assemble-version.ts'
import { sendLocalList, versionIn } from '../translate/blocks-on-wire.ts'
import { certificateSigned, getLog, readHashes } from '../translate/of-both.ts'
import { type OutgoingCall, sentTime, text } from '../translate/payload.ts'
import { configuredMeterKeys } from '../translate/signed/meter-keys.ts'
import type { OcppVersion } from '../version.ts'
import { deviceModel, intents } from './configuration-keys.ts'
import { idTagInfo } from './from-charge-point.ts'
import { inbound } from './inbound.ts'
import { charging, outbound } from './outbound.ts'

const ID_TAG_LIMIT = 20

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
  /** 1.6 has no EVSEs: an EVSE means the connector of that number. Without either the station chooses. */
  remoteStart: ({ idToken, connectorId, evseId }) => ({
    method: 'RemoteStartTransaction',
    request: { idTag: idToken.id, connectorId: connectorId ?? evseId },
  }),
  remoteStop: (transactionId) => ({
    method: 'RemoteStopTransaction',
    request: { transactionId: Number(transactionId) },
  }),
  readRemoteAnswer: ({ status }) => ({ accepted: text(status)?.toLowerCase() === 'accepted' }),
  /** Connector 0 is the station; its trigger omits the connector. */
  ask(request) {
    if (request.kind === 'transactionStatus') return undefined
    if (request.kind === 'triggerBoot') return trigger('BootNotification')
    const { connectorId = 0 } = request
    return trigger('StatusNotification', connectorId > 0 ? { connectorId } : {})
  },
  /** One type per request, which the answer does not repeat (CERT-C23). */
  readAskAnswer({ method, request: { certificateType: type } }, response) {
    if (method !== 'GetInstalledCertificateIds' || typeof type !== 'string') return undefined
    const certificates = readHashes(response.certificateHashData).map((hash) => ({ type, hash }))
    return { kind: 'certificatesReported', types: [type], certificates }
  },
  readReported: ({ method }, response) =>
    method === 'GetConfiguration' ? configuredMeterKeys(response.configurationKey) : undefined,
  getLog(order) {
    if (order.type !== 'diagnostics') return getLog(order)
    const { location, fromAt, toAt } = order
    return {
      method: 'GetDiagnostics',
      request: { location, startTime: sentTime(fromAt), stopTime: sentTime(toAt) },
    }
  },
  /** Without certificate and signature only the plain order is possible. */
  updateFirmware({ requestId, location, retrieveAt, certificate, signature }) {
    const at = sentTime(retrieveAt)
    if (certificate === undefined || signature === undefined) {
      return { method: 'UpdateFirmware', request: { location, retrieveDate: at } }
    }
    const firmware = { location, retrieveDateTime: at, signingCertificate: certificate, signature }
    return { method: 'SignedUpdateFirmware', request: { requestId, firmware } }
  },
  /** Only the extension's trigger has signed updates. */
  askProgress: ({ isSigned }) => ({
    method: isSigned ? 'ExtendedTriggerMessage' : 'TriggerMessage',
    request: { requestedMessage: 'FirmwareStatusNotification' },
  }),
  certificateTrigger: {
    method: 'ExtendedTriggerMessage',
    request: { requestedMessage: 'SignChargePointCertificate' },
  },
  certificateSigned,
  newPasswords,
  passwordStatus: (call, { status }) => (newPasswords(call).length === 0 ? undefined : text(status)),
  setPassword: (value) => ({ method: 'ChangeConfiguration', request: { key: 'AuthorizationKey', value } }),
  /** Security whitepaper A05 (CERT-C25). */
  raiseProfile: {
    steps: ({ root }) => [
      ...(root === undefined ? [] : (['installCertificate'] as const)),
      'setSecurityProfile',
      'reset',
    ],
    call(step, { securityProfile, root = '' }) {
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
  },
  intents,
  deviceModel,
  charging,
  /** 1.6 §5.10, §5.15: a list of idTags; one without idTagInfo is removed. */
  localLists: {
    askVersion: { method: 'GetLocalListVersion', request: {} },
    askLimits: { method: 'GetConfiguration', request: { key: ['SendLocalListMaxLength', 'LocalAuthListMaxLength'] } },
    readVersion: ({ listVersion }) => versionIn(listVersion),
    entry: (entry, isGone) =>
      entry.id.length > ID_TAG_LIMIT ? undefined : { idTag: entry.id, ...(!isGone && { idTagInfo: idTagInfo(entry) }) },
    send: (listVersion, isFull, entries) => sendLocalList({ listVersion }, isFull, entries),
  },
  /** 1.6 §5.2, §5.13: a connector, or 0 for any of them. */
  reservations: {
    reserve: (reservationId, { evseId, connectorId = evseId ?? 0, idToken, groupId, expiresAt }) => ({
      method: 'ReserveNow',
      request: { connectorId, expiryDate: sentTime(expiresAt), idTag: idToken, reservationId, parentIdTag: groupId },
    }),
    cancel: (reservationId) => ({ method: 'CancelReservation', request: { reservationId } }),
    fault: ({ connectorType, idToken, groupId = '' }) => {
      if (connectorType !== undefined) return { pointer: '/connectorType', message: 'is not known to OCPP 1.6' }
      const pointer =
        idToken.length > ID_TAG_LIMIT ? '/idToken' : groupId.length > ID_TAG_LIMIT ? '/groupId' : undefined
      return pointer && { pointer, message: 'has more than the 20 characters of OCPP 1.6' }
    },
    anyPlace: { key: 'chargepoint.reserveconnectorzerosupported', name: 'ReserveConnectorZeroSupported' },
  },
  costs: {
    running: ({ transactionId, cost, at, isIdle, meterWh, tariff }) =>
      transfer('RunningCost', {
        transactionId: Number(transactionId),
        timestamp: sentTime(at),
        cost,
        meterValue: meterWh === undefined ? undefined : Math.round(meterWh),
        state: isIdle ? 'Idle' : 'Charging',
        ...(tariff && pricesOf(tariff)),
      }),
    final: ({ transactionId, cost, currency }) =>
      transfer('FinalCost', { transactionId: Number(transactionId), cost, priceText: `${cost} ${currency}` }),
    readAnswer({ status }) {
      const said = text(status)?.toLowerCase() ?? ''
      if (said === 'accepted') return 'accepted'
      return ['unknownvendorid', 'unknownmessageid'].includes(said) ? 'unsupported' : 'refused'
    },
  },
})

function trigger(requestedMessage: string, place: object = {}): OutgoingCall {
  return { method: 'TriggerMessage', request: { requestedMessage, ...place } }
}

const MICROS = 1_000_000
const MINUTES = 60

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

/** By the OCA's application note on California's pricing requirements: its data is JSON. */
const VENDOR = 'org.openchargealliance.costmsg'

function transfer(messageId: string, data: object): OutgoingCall {
  return { method: 'DataTransfer', request: { vendorId: VENDOR, messageId, data: JSON.stringify(data) } }
}

/** OCPP-AU6: by ChangeConfiguration of `AuthorizationKey`. */
function newPasswords({ method, request }: OutgoingCall): ReturnType<OcppVersion['newPasswords']> {
  const { key, value } = request
  if (method !== 'ChangeConfiguration' || typeof value !== 'string') return []
  return text(key)?.toLowerCase() === 'authorizationkey' ? [{ pointer: '/value', password: value }] : []
}
