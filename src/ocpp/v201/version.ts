import { isIdentityOf201 } from '../identity.ts'
import type { OutgoingCall, Payload } from '../payload.ts'
import { assembleVersion } from '../translate/assemble-version.ts'
import {
  type CostsOnWire,
  type DeviceModelOnWire,
  type LocalListsOnWire,
  type ReservationsOnWire,
  sendLocalList,
  versionIn,
} from '../translate/blocks-on-wire.ts'
import { certificateSigned } from '../translate/of-both.ts'
import { isObject, list, object, reasonOf, sentTime, text } from '../translate/payload.ts'
import type { Maintenance, NetworkSlots, OcppVersion, ProfileOrder, ProfileStepCall, RaiseProfile } from '../version.ts'
import { charging } from './charging/charging.ts'
import { certificates, commands } from './commands.ts'
import { askForCustomer } from './driver/customer-information.ts'
import { idTokenInfo, TOKEN_TYPES } from './id-token-info.ts'
import { inbound, intents } from './inbound.ts'
import { outbound } from './outbound.ts'
import { valuesRead, wireName } from './variables.ts'

// A 2.0.1 station's steps to a higher security profile (CERT-C25; A05, B09, B10).

/** Default: keeps the first slot, the station's fallback (B10). */
const USUAL = { slot: 2, priority: [1] }
const DEFAULT_INTERFACE = 'Wired0'
/** OCPPInterfaceEnumType; a station with other names would refuse these. */
const INTERFACES = ['Wired', 'Wireless'].flatMap((kind) => [0, 1, 2, 3].map((number) => `${kind}${number}`))

const raiseProfile: RaiseProfile = {
  steps: (order) => [
    ...(order.root === undefined ? [] : (['installCertificate'] as const)),
    'setNetworkProfile',
    'setPriority',
    'reset',
  ],
  call(step, { securityProfile, csmsUrl, root = '', network }: ProfileOrder): ProfileStepCall | undefined {
    const { slot, priority, ocppInterface: reported }: NetworkSlots = network ?? USUAL
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
        return {
          method: 'SetVariables',
          request: {
            setVariableData: [
              {
                component: { name: 'OCPPCommCtrlr' },
                variable: { name: 'NetworkConfigurationPriority' },
                attributeValue: [slot, ...priority].join(','),
              },
            ],
          },
        }
      case 'reset':
        return { method: 'Reset', request: { type: 'OnIdle' } }
      default:
        return undefined
    }
  },
  answer(step, response) {
    const { attributeStatus } = object(list(response.setVariableResult)[0])
    const said = text(step === 'setPriority' ? attributeStatus : response.status)
    if (said === 'Scheduled') return 'scheduled'
    return said === 'Accepted' || said === 'RebootRequired' ? 'done' : 'refused'
  },
}

/** Logs and firmware of a 2.0.1 charge point (L01, N01). */
const LOG_TYPES = { diagnostics: 'DiagnosticsLog', security: 'SecurityLog' } as const

const maintenance: Maintenance = {
  getLog({ type, requestId, location, fromAt, toAt }) {
    const [oldest, latest] = [sentTime(fromAt), sentTime(toAt)]
    return {
      method: 'GetLog',
      request: {
        logType: LOG_TYPES[type],
        requestId,
        log: {
          remoteLocation: location,
          oldestTimestamp: oldest,
          latestTimestamp: latest,
        },
      },
    }
  },

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
}

/** Reports of the device model in 2.0.1 (B07, B08), and values in other answers. */
const deviceModel: DeviceModelOnWire = {
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
}

/** H01, H02: an EVSE, or none for any of them. */
const reservations: ReservationsOnWire = {
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
}

/** Of a 2.0.1 station; one of 2.1 takes any (OCPP21-B3). */
const ID_TOKEN_LIMIT = 36

/** Entries of a local list: one that the version cannot express would spoil them all, and is left out (OCPP21-B3). */
export function listEntries(maxId: number, isType: (type: string) => boolean): LocalListsOnWire['entry'] {
  return (entry, isGone) =>
    entry.id.length <= maxId && isType(entry.type)
      ? { idToken: { idToken: entry.id, type: entry.type }, ...(!isGone && { idTokenInfo: idTokenInfo(entry) }) }
      : undefined
}

/** D01, D02: a list of id tokens; one without idTokenInfo is removed (D01.FR.17). */
const localLists: LocalListsOnWire = {
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
}

/** I02: CostUpdated has an empty answer. The answer to the end of the charge has the total (I03). */
const costs: CostsOnWire = {
  running: ({ transactionId, cost }) => ({ method: 'CostUpdated', request: { totalCost: cost, transactionId } }),
  readAnswer: () => 'accepted',
}

const abilities: OcppVersion['abilities'] = {
  setting: 'variable',
  outlet: 'evseId',
  startsWithOwnToken: true,
  identityFault: (identity) =>
    isIdentityOf201(identity) ? undefined : 'must fit OCPP 2.0.1: at most 48 letters, digits and * - _ = + | @ .',
  serverRoot: 'CSMSRootCertificate',
  rootQueries: [{}],
  hasSend: false,
}

/** What OCPP 2.1 has as well. */
export const commandsOf201 = {
  abilities,
  ...commands,
  ...maintenance,
  ...certificates,
  certificateSigned,
  newPasswords,
  passwordStatus,
  setPassword,
  raiseProfile,
  intents,
  deviceModel,
  charging,
  localLists,
  reservations,
  costs,
  askForCustomer,
}

/** OCPP 2.0.1 edition 3. */
export const ocpp201 = assembleVersion('ocpp2.0.1', inbound, outbound, commandsOf201)

/** OCPP-AU6, A01: by SetVariables of SecurityCtrlr.BasicAuthPassword. */
function newPasswords({ method, request }: OutgoingCall): ReturnType<OcppVersion['newPasswords']> {
  const entries = method === 'SetVariables' ? list(request.setVariableData) : []
  return entries.flatMap((entry, at) => {
    if (!isObject(entry) || !isPassword(entry) || typeof entry.attributeValue !== 'string') return []
    return [{ pointer: `/setVariableData/${at}/attributeValue`, password: entry.attributeValue }]
  })
}

function setPassword(attributeValue: string): OutgoingCall {
  const named = { component: { name: 'SecurityCtrlr' }, variable: { name: 'BasicAuthPassword' } }
  return { method: 'SetVariables', request: { setVariableData: [{ ...named, attributeValue }] } }
}

function passwordStatus(call: OutgoingCall, response: Payload): string | undefined {
  if (newPasswords(call).length === 0) return undefined
  return text(list(response.setVariableResult).filter(isObject).findLast(isPassword)?.attributeStatus)
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
