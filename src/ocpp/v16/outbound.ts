/** Every message we may send to a 1.6 charge point. A missing one does not compile. */

import type { OutboundRule } from '../translate/message.ts'
import { outboundTable } from '../translate/message.ts'
import type { OutboundAction } from './actions.ts'
import { columns } from './columns.ts'

/** `pending: true`: configuration and triggers are what a station that waits for approval may be sent (O4). */
export const outbound = outboundTable(columns, {
  ChangeAvailability: { followUp: 'StatusNotification; Scheduled while a transaction runs' },
  ChangeConfiguration: { followUp: 'at once, or after a reset when RebootRequired', pending: true },
  GetConfiguration: { followUp: 'values in the answer', pending: true },
  RemoteStartTransaction: { followUp: 'StartTransaction with the same tag' },
  RemoteStopTransaction: { followUp: 'StopTransaction' },
  ClearCache: { followUp: 'nothing' },
  Reset: { followUp: 'BootNotification; StopTransaction of what was running' },
  UnlockConnector: { followUp: 'perhaps StopTransaction with reason UnlockCommand' },
  DataTransfer: { followUp: 'whatever the vendor says' },
  GetDiagnostics: { followUp: 'DiagnosticsStatusNotification until Uploaded or UploadFailed' },
  UpdateFirmware: { followUp: 'FirmwareStatusNotification, then BootNotification' },
  GetLocalListVersion: { followUp: 'version in the answer; -1 means unsupported' },
  SendLocalList: { followUp: 'after VersionMismatch send the full list' },
  ReserveNow: { followUp: 'StatusNotification Reserved' },
  CancelReservation: { followUp: 'StatusNotification Available' },
  SetChargingProfile: { followUp: 'check with GetCompositeSchedule' },
  ClearChargingProfile: { followUp: 'nothing' },
  GetCompositeSchedule: { followUp: 'schedule in the answer' },
  TriggerMessage: { followUp: 'the requested message', pending: true },
  GetLog: { followUp: 'LogStatusNotification until Uploaded or a failure' },
  ExtendedTriggerMessage: { followUp: 'the requested message', pending: true },
  InstallCertificate: { followUp: 'nothing' },
  DeleteCertificate: { followUp: 'nothing' },
  GetInstalledCertificateIds: { followUp: 'certificate hashes in the answer' },
  CertificateSigned: { followUp: 'SecurityEventNotification when the certificate is refused' },
  SignedUpdateFirmware: { followUp: 'SignedFirmwareStatusNotification, then BootNotification' },
} satisfies Record<OutboundAction, OutboundRule>)
