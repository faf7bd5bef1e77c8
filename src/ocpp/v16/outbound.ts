/** Every message we may send to a 1.6 charge point. */

import type { ChargingOrder } from '../../domain/charging/profile.ts'
import type { Capability } from '../../domain/ports/capability.ts'
import type { ChargingOnWire } from '../translate/blocks-on-wire.ts'
import { readProfile, readReportedSchedule, writeProfile16 } from '../translate/charging-profile.ts'
import { outboundTable } from '../translate/message.ts'
import {
  concernsConnection,
  integer,
  type OutgoingCall,
  type Payload,
  startBeyond,
  text,
} from '../translate/payload.ts'
import { columns } from './from-charge-point.ts'

/** `pending: true`: a pending station accepts configuration and triggers (SESSION-O4). */
export const outbound = outboundTable(columns, {
  ChangeAvailability: { capability: 'control', followUp: 'StatusNotification; Scheduled while a transaction runs' },
  ChangeConfiguration: {
    capability: 'configuration',
    beyond: configurationBeyond,
    followUp: 'at once, or after a reset when RebootRequired',
    pending: true,
  },
  GetConfiguration: {
    capability: 'configuration',
    followUp: 'values in the answer, kept among its variables',
    list: { member: 'key', most: 'maxKeys', results: ['configurationKey', 'unknownKey'] },
    pending: true,
  },
  RemoteStartTransaction: {
    capability: 'control',
    beyond: startBeyond,
    followUp: 'StartTransaction with the same tag',
  },
  RemoteStopTransaction: { capability: 'control', followUp: 'StopTransaction' },
  ClearCache: { capability: 'configuration', followUp: 'nothing' },
  Reset: { capability: 'configuration', followUp: 'BootNotification; StopTransaction of what was running' },
  UnlockConnector: { capability: 'control', followUp: 'perhaps StopTransaction with reason UnlockCommand' },
  DataTransfer: { capability: 'account', followUp: 'whatever the vendor says' },
  GetDiagnostics: { capability: 'firmware', followUp: 'DiagnosticsStatusNotification until Uploaded or UploadFailed' },
  UpdateFirmware: { capability: 'firmware', followUp: 'FirmwareStatusNotification, then BootNotification' },
  GetLocalListVersion: { capability: 'configuration', followUp: 'version in the answer; -1 means unsupported' },
  SendLocalList: { capability: 'configuration', followUp: 'after VersionMismatch send the full list' },
  ReserveNow: { capability: 'reservations', followUp: 'StatusNotification Reserved' },
  CancelReservation: { capability: 'reservations', followUp: 'StatusNotification Available' },
  SetChargingProfile: { capability: 'limits', followUp: 'check with GetCompositeSchedule' },
  ClearChargingProfile: { capability: 'limits', followUp: 'nothing' },
  GetCompositeSchedule: { capability: 'limits', followUp: 'schedule in the answer' },
  TriggerMessage: { capability: 'account', followUp: 'the requested message', pending: true },
  GetLog: { capability: 'firmware', followUp: 'LogStatusNotification until Uploaded or a failure' },
  ExtendedTriggerMessage: { capability: 'account', followUp: 'the requested message', pending: true },
  InstallCertificate: { capability: 'certificates', followUp: 'nothing' },
  DeleteCertificate: { capability: 'certificates', followUp: 'nothing' },
  GetInstalledCertificateIds: { capability: 'certificates', followUp: 'certificate hashes in the answer' },
  CertificateSigned: {
    capability: 'certificates',
    followUp: 'SecurityEventNotification when the certificate is refused',
    pending: true,
  },
  SignedUpdateFirmware: { capability: 'firmware', followUp: 'SignedFirmwareStatusNotification, then BootNotification' },
})

/** OIDC-C11: keys like `AuthorizationKey` decide how a charge point connects; they need more than `configuration`. */
function configurationBeyond({ key }: Payload): Capability | undefined {
  return concernsConnection(text(key) ?? '') ? 'connection' : undefined
}

/** Charging profiles of a 1.6 charge point (§3.13, §5.4, §5.7, §5.16); its connectors are EVSEs. */
const ABILITY_KEYS = [
  'SupportedFeatureProfiles',
  'ChargeProfileMaxStackLevel',
  'ChargingScheduleAllowedChargingRateUnit',
  'ChargingScheduleMaxPeriods',
]

export const charging: ChargingOnWire = {
  isStrict: false,
  set: (connectorId, profile) => ({
    method: 'SetChargingProfile',
    request: { connectorId, csChargingProfiles: writeProfile16(profile) },
  }),
  clear: (id) => ({ method: 'ClearChargingProfile', request: { id } }),
  composite: (connectorId, duration, unit) => ({
    method: 'GetCompositeSchedule',
    request: { connectorId, duration, ...(unit && { chargingRateUnit: unit }) },
  }),
  clearAll: { method: 'ClearChargingProfile', request: {} },
  abilities: { method: 'GetConfiguration', request: { key: [...ABILITY_KEYS] } },
  setKey: (key, value) => ({ method: 'ChangeConfiguration', request: { key, value } }),
  readKey: (key) => ({ method: 'GetConfiguration', request: { key: [key] } }),
  readOrder,
  pointer: (pointer, { method }) =>
    pointer
      .replace(/^\/evseId/, '/connectorId')
      .replace(/^\/chargingProfile(?=\/|$)/, method === 'SetChargingProfile' ? '/csChargingProfiles' : '$&')
      .replace('/chargingSchedule/0', '/chargingSchedule')
      .replace(/^\/chargingProfileCriteria/, ''),
  readComposite: ({ status, chargingSchedule, scheduleStart }) =>
    text(status)?.toLowerCase() === 'accepted' ? readReportedSchedule(chargingSchedule, scheduleStart) : undefined,
}

function readOrder({ method, request }: OutgoingCall): ChargingOrder | undefined {
  switch (method) {
    case 'SetChargingProfile': {
      const profile = readProfile(request.csChargingProfiles, 0)
      return profile && { kind: 'set', evseId: integer(request.connectorId) ?? 0, profile }
    }
    case 'RemoteStartTransaction': {
      const profile = request.chargingProfile === undefined ? undefined : readProfile(request.chargingProfile, 0)
      return profile && { kind: 'start', evseId: integer(request.connectorId), profile }
    }
    case 'ClearChargingProfile':
      return {
        kind: 'clear',
        mayBeAll: true,
        id: integer(request.id),
        purpose: text(request.chargingProfilePurpose),
        evseId: integer(request.connectorId),
        stackLevel: integer(request.stackLevel),
      }
    default:
      return undefined
  }
}
