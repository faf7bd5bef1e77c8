/** Every message we may send to a 1.6 charge point. A missing one does not compile. */

import type { Capability } from '../../domain/ports/capability.ts'
import type { Payload } from '../payload.ts'
import { concernsConnection, startBeyond } from '../translate/connection-names.ts'
import { type OutboundRule, outboundTable } from '../translate/message.ts'
import { text } from '../translate/payload.ts'
import type { OutboundAction } from './actions.ts'
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
} satisfies Record<OutboundAction, OutboundRule>)

/** OIDC-C11: keys like `AuthorizationKey` decide how a charge point connects; they need more than `configuration`. */
function configurationBeyond({ key }: Payload): Capability | undefined {
  return concernsConnection(text(key) ?? '') ? 'connection' : undefined
}
