/** Every message we may send to a 2.0.1 charge point. A missing one does not compile. */

import type { OutboundRule } from '../translate/message.ts'
import { outboundTable } from '../translate/message.ts'
import type { OutboundAction } from './actions.ts'
import { columns } from './columns.ts'

/** `pending: true`: variables, reports and triggers are what a station that waits for approval may be sent (O4). */
export const outbound = outboundTable(columns, {
  GetVariables: { followUp: 'values in the answer', pending: true },
  SetVariables: { followUp: 'result per variable; RebootRequired needs a reset', pending: true },
  GetBaseReport: { followUp: 'NotifyReport pages until tbc is false', pending: true },
  GetReport: { followUp: 'NotifyReport pages until tbc is false', pending: true },
  SetNetworkProfile: { followUp: 'takes effect with NetworkConfigurationPriority and a reset' },
  Reset: { followUp: 'BootNotification; Scheduled while a transaction runs' },
  RequestStartTransaction: { followUp: 'TransactionEvent with the same remoteStartId' },
  RequestStopTransaction: { followUp: 'TransactionEvent with trigger RemoteStop' },
  GetTransactionStatus: { followUp: 'whether messages are still queued, in the answer' },
  UnlockConnector: { followUp: 'nothing' },
  TriggerMessage: { followUp: 'the requested message', pending: true },
  ClearCache: { followUp: 'nothing' },
  ChangeAvailability: { followUp: 'StatusNotification; Scheduled while a transaction runs' },
  DataTransfer: { followUp: 'whatever the vendor says' },
  SendLocalList: { followUp: 'after VersionMismatch send the full list' },
  GetLocalListVersion: { followUp: 'version in the answer' },
  ReserveNow: { followUp: 'StatusNotification Reserved, later ReservationStatusUpdate' },
  CancelReservation: { followUp: 'StatusNotification Available' },
  CostUpdated: { followUp: 'nothing' },
  SetDisplayMessage: { followUp: 'nothing' },
  GetDisplayMessages: { followUp: 'NotifyDisplayMessages pages until tbc is false' },
  ClearDisplayMessage: { followUp: 'nothing' },
  SetChargingProfile: { followUp: 'check with GetCompositeSchedule' },
  GetChargingProfiles: { followUp: 'ReportChargingProfiles pages until tbc is false' },
  ClearChargingProfile: { followUp: 'nothing' },
  GetCompositeSchedule: { followUp: 'schedule in the answer' },
  UpdateFirmware: { followUp: 'FirmwareStatusNotification, then BootNotification' },
  PublishFirmware: { followUp: 'PublishFirmwareStatusNotification' },
  UnpublishFirmware: { followUp: 'nothing' },
  CertificateSigned: { followUp: 'SecurityEventNotification when the certificate is refused' },
  InstallCertificate: { followUp: 'nothing' },
  DeleteCertificate: { followUp: 'nothing' },
  GetInstalledCertificateIds: { followUp: 'certificate hashes in the answer' },
  GetLog: { followUp: 'LogStatusNotification until Uploaded or a failure' },
  CustomerInformation: { followUp: 'NotifyCustomerInformation pages until tbc is false' },
  GetMonitoringReport: { followUp: 'NotifyMonitoringReport pages until tbc is false' },
  SetMonitoringBase: { followUp: 'nothing' },
  SetMonitoringLevel: { followUp: 'nothing' },
  SetVariableMonitoring: { followUp: 'NotifyEvent when a monitor triggers' },
  ClearVariableMonitoring: { followUp: 'nothing' },
} satisfies Record<OutboundAction, OutboundRule>)
