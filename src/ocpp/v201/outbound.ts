/** Every message we may send to a 2.0.1 charge point. */

import type { Capability } from '../../domain/ports/capability.ts'
import { type OutboundRule, outboundTable } from '../translate/message.ts'
import { concernsConnection, isObject, list, object, type Payload, startBeyond, text } from '../translate/payload.ts'
import { columns } from './from-charge-point.ts'

/** `pending: true`: a pending station accepts variables, reports and triggers (SESSION-O4). */
export const outboundRules = {
  GetVariables: {
    capability: 'configuration',
    followUp: 'values in the answer, kept among its variables',
    list: { member: 'getVariableData', most: 'getItems', bytes: 'getBytes', results: ['getVariableResult'] },
    pending: true,
  },
  SetVariables: {
    capability: 'configuration',
    beyond: variablesBeyond,
    followUp: 'result per variable; RebootRequired needs a reset',
    list: { member: 'setVariableData', most: 'setItems', bytes: 'setBytes', results: ['setVariableResult'] },
    pending: true,
  },
  GetBaseReport: { capability: 'configuration', followUp: 'NotifyReport pages until tbc is false', pending: true },
  GetReport: {
    capability: 'configuration',
    followUp: 'NotifyReport pages until tbc is false',
    pending: true,
    // Its pages have the number of one request.
    list: { member: 'componentVariable', most: 'reportItems', bytes: 'reportBytes', results: [] },
  },
  SetNetworkProfile: {
    capability: 'connection',
    followUp: 'takes effect with NetworkConfigurationPriority and a reset',
  },
  Reset: { capability: 'configuration', followUp: 'BootNotification; Scheduled while a transaction runs' },
  RequestStartTransaction: {
    capability: 'control',
    beyond: startBeyond,
    followUp: 'TransactionEvent with the same remoteStartId',
  },
  RequestStopTransaction: { capability: 'control', followUp: 'TransactionEvent with trigger RemoteStop' },
  GetTransactionStatus: { capability: 'account', followUp: 'whether messages are still queued, in the answer' },
  UnlockConnector: { capability: 'control', followUp: 'nothing' },
  TriggerMessage: { capability: 'account', followUp: 'the requested message', pending: true },
  ClearCache: { capability: 'configuration', followUp: 'nothing' },
  ChangeAvailability: { capability: 'control', followUp: 'StatusNotification; Scheduled while a transaction runs' },
  DataTransfer: { capability: 'account', followUp: 'whatever the vendor says' },
  SendLocalList: { capability: 'configuration', followUp: 'after VersionMismatch send the full list' },
  GetLocalListVersion: { capability: 'configuration', followUp: 'version in the answer' },
  ReserveNow: { capability: 'reservations', followUp: 'StatusNotification Reserved, later ReservationStatusUpdate' },
  CancelReservation: { capability: 'reservations', followUp: 'StatusNotification Available' },
  CostUpdated: { capability: 'account', followUp: 'nothing' },
  SetDisplayMessage: { capability: 'messages', followUp: 'nothing' },
  GetDisplayMessages: { capability: 'messages', followUp: 'NotifyDisplayMessages pages until tbc is false' },
  ClearDisplayMessage: { capability: 'messages', followUp: 'nothing' },
  SetChargingProfile: { capability: 'limits', followUp: 'check with GetCompositeSchedule' },
  GetChargingProfiles: { capability: 'limits', followUp: 'ReportChargingProfiles pages until tbc is false' },
  ClearChargingProfile: { capability: 'limits', followUp: 'nothing' },
  GetCompositeSchedule: { capability: 'limits', followUp: 'schedule in the answer' },
  UpdateFirmware: { capability: 'firmware', followUp: 'FirmwareStatusNotification, then BootNotification' },
  PublishFirmware: { capability: 'firmware', followUp: 'PublishFirmwareStatusNotification' },
  UnpublishFirmware: { capability: 'firmware', followUp: 'nothing' },
  CertificateSigned: {
    capability: 'certificates',
    followUp: 'SecurityEventNotification when the certificate is refused',
    pending: true,
  },
  InstallCertificate: { capability: 'certificates', followUp: 'nothing' },
  DeleteCertificate: { capability: 'certificates', followUp: 'nothing' },
  GetInstalledCertificateIds: { capability: 'certificates', followUp: 'certificate hashes in the answer' },
  GetLog: { capability: 'firmware', followUp: 'LogStatusNotification until Uploaded or a failure' },
  CustomerInformation: { capability: 'account', followUp: 'NotifyCustomerInformation pages until tbc is false' },
  GetMonitoringReport: { capability: 'configuration', followUp: 'NotifyMonitoringReport pages until tbc is false' },
  SetMonitoringBase: { capability: 'configuration', followUp: 'nothing' },
  SetMonitoringLevel: { capability: 'configuration', followUp: 'nothing' },
  SetVariableMonitoring: {
    capability: 'configuration',
    followUp: 'NotifyEvent when a monitor triggers',
    list: {
      member: 'setMonitoringData',
      most: 'setMonitors',
      bytes: 'setMonitorBytes',
      results: ['setMonitoringResult'],
    },
  },
  ClearVariableMonitoring: {
    capability: 'configuration',
    followUp: 'nothing',
    list: { member: 'id', most: 'clearMonitors', results: ['clearMonitoringResult'] },
  },
} satisfies Record<string, OutboundRule>

export const outbound = outboundTable(columns, outboundRules)

/** OIDC-C11: one variable or component (`NetworkConfiguration`) of the connection makes it need `connection`. */
function variablesBeyond({ setVariableData }: Payload): Capability | undefined {
  const names = list(setVariableData)
    .filter(isObject)
    .flatMap(({ component, variable }) => [object(component).name, object(variable).name])
  return names.some((name) => concernsConnection(text(name) ?? '')) ? 'connection' : undefined
}
