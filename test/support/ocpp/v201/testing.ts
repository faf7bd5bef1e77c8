/** One realistic request per message a 2.0.1 charge point sends; tests only. */
import type { Payload } from '../../../../src/ocpp/translate/payload.ts'
import type { inbound } from '../../../../src/ocpp/v201/inbound.ts'

const component = { name: 'Connector', evse: { id: 1, connectorId: 1 } }

const schedule = {
  id: 1,
  chargingRateUnit: 'A',
  chargingSchedulePeriod: [{ startPeriod: 0, limit: 16 }],
}

export const requests: Readonly<Record<keyof typeof inbound, Payload>> = {
  BootNotification: {
    reason: 'PowerUp',
    chargingStation: { model: 'Double', vendorName: 'Kempower', serialNumber: 'KP-1', firmwareVersion: '2.1.0' },
  },
  Heartbeat: {},
  Authorize: { idToken: { idToken: '04A2B3C4D5E680', type: 'ISO14443' } },
  StatusNotification: {
    timestamp: '2026-03-01T10:00:00Z',
    connectorStatus: 'Occupied',
    evseId: 1,
    connectorId: 2,
  },
  TransactionEvent: {
    eventType: 'Ended',
    timestamp: '2026-03-01T11:00:00Z',
    triggerReason: 'StopAuthorized',
    seqNo: 7,
    offline: true,
    reservationId: 4,
    evse: { id: 1, connectorId: 2 },
    idToken: { idToken: '04A2B3C4D5E680', type: 'ISO14443' },
    transactionInfo: {
      transactionId: 'a1b2-c3',
      chargingState: 'EVConnected',
      stoppedReason: 'Local',
      remoteStartId: 99,
    },
    meterValue: [
      {
        timestamp: '2026-03-01T11:00:00Z',
        sampledValue: [
          {
            value: 12.345,
            context: 'Transaction.End',
            measurand: 'Energy.Active.Import.Register',
            unitOfMeasure: { unit: 'Wh', multiplier: 3 },
            signedMeterValue: {
              signedMeterData: 'T0NNRnw=',
              signingMethod: 'ECDSA-secp256r1-SHA256',
              encodingMethod: 'OCMF',
              publicKey: 'b2NhOmJhc2UxNg==',
            },
          },
        ],
      },
    ],
  },
  MeterValues: {
    evseId: 0,
    meterValue: [{ timestamp: '2026-03-01T10:00:00Z', sampledValue: [{ value: 230.1, measurand: 'Voltage' }] }],
  },
  NotifyEvent: {
    generatedAt: '2026-03-01T10:00:00Z',
    seqNo: 0,
    eventData: [
      {
        eventId: 1,
        timestamp: '2026-03-01T10:00:00Z',
        trigger: 'Delta',
        actualValue: 'Available',
        eventNotificationType: 'HardWiredNotification',
        component,
        variable: { name: 'AvailabilityState' },
      },
    ],
  },
  DataTransfer: { vendorId: 'com.example', data: { celsius: 21 } },
  SecurityEventNotification: { type: 'FirmwareUpdated', timestamp: '2026-03-01T10:00:00Z' },
  SignCertificate: { csr: 'MIIB', certificateType: 'ChargingStationCertificate' },
  Get15118EVCertificate: {
    iso15118SchemaVersion: 'urn:iso:15118:2:2013:MsgDef',
    action: 'Install',
    exiRequest: 'gA==',
  },
  GetCertificateStatus: {
    ocspRequestData: {
      hashAlgorithm: 'SHA256',
      issuerNameHash: 'aa',
      issuerKeyHash: 'bb',
      serialNumber: '1',
      responderURL: 'http://ocsp.example',
    },
  },
  NotifyReport: {
    requestId: 1,
    generatedAt: '2026-03-01T10:00:00Z',
    seqNo: 0,
    reportData: [
      {
        component: { name: 'OCPPCommCtrlr' },
        variable: { name: 'HeartbeatInterval' },
        variableAttribute: [{ value: '300', mutability: 'ReadWrite' }],
      },
    ],
  },
  NotifyMonitoringReport: {
    requestId: 1,
    generatedAt: '2026-03-01T10:00:00Z',
    seqNo: 0,
    monitor: [
      {
        component: { name: 'EVSE' },
        variable: { name: 'Power' },
        variableMonitoring: [{ id: 1, transaction: false, value: 5, type: 'Delta', severity: 8 }],
      },
    ],
  },
  NotifyCustomerInformation: { data: 'none', seqNo: 0, generatedAt: '2026-03-01T10:00:00Z', requestId: 1 },
  NotifyDisplayMessages: {
    requestId: 1,
    messageInfo: [{ id: 1, priority: 'NormalCycle', message: { format: 'UTF8', content: 'Welcome' } }],
  },
  NotifyChargingLimit: { evseId: 1, chargingLimit: { chargingLimitSource: 'EMS' }, chargingSchedule: [schedule] },
  ClearedChargingLimit: { chargingLimitSource: 'EMS', evseId: 1 },
  NotifyEVChargingNeeds: {
    evseId: 1,
    chargingNeeds: {
      requestedEnergyTransfer: 'AC_three_phase',
      acChargingParameters: { energyAmount: 20_000, evMinCurrent: 6, evMaxCurrent: 32, evMaxVoltage: 230 },
    },
  },
  NotifyEVChargingSchedule: { evseId: 1, timeBase: '2026-03-01T10:00:00Z', chargingSchedule: schedule },
  ReportChargingProfiles: {
    requestId: 1,
    chargingLimitSource: 'CSO',
    evseId: 1,
    chargingProfile: [
      {
        id: 1,
        stackLevel: 0,
        chargingProfilePurpose: 'TxDefaultProfile',
        chargingProfileKind: 'Absolute',
        chargingSchedule: [schedule],
      },
    ],
  },
  ReservationStatusUpdate: { reservationId: 4, reservationUpdateStatus: 'Expired' },
  FirmwareStatusNotification: { status: 'Installed', requestId: 2 },
  PublishFirmwareStatusNotification: { status: 'Published', requestId: 2, location: ['https://example.org/f.bin'] },
  LogStatusNotification: { status: 'Uploaded', requestId: 2 },
}
