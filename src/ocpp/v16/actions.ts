/**
 * The direction of OCPP 1.6's actions, with the security extension. A test compares both lists with the official
 * schemas.
 */

export const inboundActions = [
  'BootNotification',
  'Heartbeat',
  'Authorize',
  'StatusNotification',
  'StartTransaction',
  'MeterValues',
  'StopTransaction',
  'DataTransfer',
  'DiagnosticsStatusNotification',
  'FirmwareStatusNotification',
  'LogStatusNotification',
  'SignedFirmwareStatusNotification',
  'SecurityEventNotification',
  'SignCertificate',
] as const

export const outboundActions = [
  'ChangeAvailability',
  'ChangeConfiguration',
  'GetConfiguration',
  'RemoteStartTransaction',
  'RemoteStopTransaction',
  'ClearCache',
  'Reset',
  'UnlockConnector',
  'DataTransfer',
  'GetDiagnostics',
  'UpdateFirmware',
  'GetLocalListVersion',
  'SendLocalList',
  'ReserveNow',
  'CancelReservation',
  'SetChargingProfile',
  'ClearChargingProfile',
  'GetCompositeSchedule',
  'TriggerMessage',
  'GetLog',
  'ExtendedTriggerMessage',
  'InstallCertificate',
  'DeleteCertificate',
  'GetInstalledCertificateIds',
  'CertificateSigned',
  'SignedUpdateFirmware',
] as const

export type InboundAction = (typeof inboundActions)[number]
export type OutboundAction = (typeof outboundActions)[number]
