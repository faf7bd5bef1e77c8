/**
 * Answers of a modest station to what it takes no part in: schema-valid, and "no" wherever the schema knows a no.
 * The commands that do something are in v16.ts and v201.ts beside this file.
 */
import type { Payload } from '../../src/ocpp/version.ts'

export const plainAnswers16: Readonly<Record<string, Payload>> = {
  CancelReservation: { status: 'Rejected' },
  CertificateSigned: { status: 'Rejected' },
  ClearCache: { status: 'Accepted' },
  ClearChargingProfile: { status: 'Unknown' },
  DataTransfer: { status: 'UnknownVendorId' },
  DeleteCertificate: { status: 'NotFound' },
  GetCompositeSchedule: { status: 'Rejected' },
  GetDiagnostics: {},
  GetInstalledCertificateIds: { status: 'NotFound' },
  GetLocalListVersion: { listVersion: -1 },
  GetLog: { status: 'Rejected' },
  InstallCertificate: { status: 'Rejected' },
  ReserveNow: { status: 'Rejected' },
  SendLocalList: { status: 'NotSupported' },
  SetChargingProfile: { status: 'NotSupported' },
  SignedUpdateFirmware: { status: 'Rejected' },
  UpdateFirmware: {},
}

export const plainAnswers201: Readonly<Record<string, Payload>> = {
  CancelReservation: { status: 'Rejected' },
  CertificateSigned: { status: 'Rejected' },
  ClearCache: { status: 'Accepted' },
  ClearChargingProfile: { status: 'Unknown' },
  ClearDisplayMessage: { status: 'Unknown' },
  CostUpdated: {},
  CustomerInformation: { status: 'Rejected' },
  DataTransfer: { status: 'UnknownVendorId' },
  DeleteCertificate: { status: 'NotFound' },
  GetChargingProfiles: { status: 'NoProfiles' },
  GetCompositeSchedule: { status: 'Rejected' },
  GetDisplayMessages: { status: 'Unknown' },
  GetInstalledCertificateIds: { status: 'NotFound' },
  GetLocalListVersion: { versionNumber: 0 },
  GetLog: { status: 'Rejected' },
  GetMonitoringReport: { status: 'NotSupported' },
  InstallCertificate: { status: 'Rejected' },
  PublishFirmware: { status: 'Rejected' },
  ReserveNow: { status: 'Rejected' },
  SendLocalList: { status: 'Failed' },
  SetChargingProfile: { status: 'Rejected' },
  SetDisplayMessage: { status: 'Rejected' },
  SetMonitoringBase: { status: 'NotSupported' },
  SetMonitoringLevel: { status: 'Rejected' },
  SetNetworkProfile: { status: 'Rejected' },
  UnpublishFirmware: { status: 'NoFirmware' },
  UpdateFirmware: { status: 'Rejected' },
}
