/** One realistic request per message a 1.6 charge point sends; tests only. */
import type { Payload } from '../../../../src/ocpp/translate/payload.ts'
import type { inbound } from '../../../../src/ocpp/v16/inbound.ts'

export const requests: Readonly<Record<keyof typeof inbound, Payload>> = {
  BootNotification: {
    chargePointVendor: 'Alfen BV',
    chargePointModel: 'NG910-60023',
    chargePointSerialNumber: 'ACE0123456',
    firmwareVersion: '6.4.0-4210',
    meterType: 'KWh Meter',
  },
  Heartbeat: {},
  Authorize: { idTag: '04A2B3C4D5E680' },
  StatusNotification: {
    connectorId: 1,
    errorCode: 'NoError',
    status: 'Charging',
    timestamp: '2026-03-01T10:00:00.000Z',
    info: '',
  },
  StartTransaction: {
    connectorId: 1,
    idTag: '04A2B3C4D5E680',
    meterStart: 1_234_567,
    timestamp: '2026-03-01T10:00:00Z',
    reservationId: 12,
  },
  MeterValues: {
    connectorId: 1,
    transactionId: 4711,
    meterValue: [
      {
        timestamp: '2026-03-01T10:15:00Z',
        sampledValue: [
          { value: '1235.5', unit: 'kWh', measurand: 'Energy.Active.Import.Register', context: 'Sample.Clock' },
          { value: '16.02', unit: 'A', measurand: 'Current.Import', phase: 'L1' },
          { value: '61', measurand: 'SoC', location: 'EV' },
        ],
      },
    ],
  },
  StopTransaction: {
    transactionId: 4711,
    idTag: '04A2B3C4D5E680',
    meterStop: 1_244_567,
    timestamp: '2026-03-01T11:00:00Z',
    reason: 'EVDisconnected',
    transactionData: [
      {
        timestamp: '2026-03-01T11:00:00Z',
        sampledValue: [{ value: '1244567', context: 'Transaction.End' }],
      },
    ],
  },
  DataTransfer: { vendorId: 'com.example', messageId: 'Temperature', data: '{"celsius":21}' },
  DiagnosticsStatusNotification: { status: 'Uploaded' },
  FirmwareStatusNotification: { status: 'Installed' },
  LogStatusNotification: { status: 'Uploading', requestId: 3 },
  SignedFirmwareStatusNotification: { status: 'SignatureVerified', requestId: 3 },
  SecurityEventNotification: { type: 'FirmwareUpdated', timestamp: '2026-03-01T10:00:00Z' },
  SignCertificate: { csr: '-----BEGIN CERTIFICATE REQUEST-----\nMIIB\n-----END CERTIFICATE REQUEST-----' },
}
