/** A valid request of every message that a 2.1 charge point sends. */
import type { Payload } from '../../../../src/ocpp/translate/payload.ts'
import type { newMessages } from '../../../../src/ocpp/v21/inbound.ts'
import { requests as requestsOf201 } from '../v201/testing.ts'

const at = '2026-03-01T10:00:00Z'

const monitored = {
  ...requestsOf201.NotifyMonitoringReport,
  monitor: [
    {
      component: { name: 'EVSE' },
      variable: { name: 'Power' },
      variableMonitoring: [
        { id: 1, transaction: false, value: 5, type: 'Delta', severity: 8, eventNotificationType: 'CustomMonitor' },
      ],
    },
  ],
}
const hash = { hashAlgorithm: 'SHA256', issuerNameHash: 'ab', issuerKeyHash: 'cd', serialNumber: '01' }

const newRequests: Record<keyof typeof newMessages, Payload> = {
  BatterySwap: {
    eventType: 'BatteryIn',
    requestId: 1,
    idToken: { idToken: 'CARD', type: 'ISO14443' },
    batteryData: [{ evseId: 1, serialNumber: 'B1', soC: 80, soH: 99 }],
  },
  ClosePeriodicEventStream: { id: 1 },
  GetCertificateChainStatus: {
    certificateStatusRequests: [
      { source: 'OCSP', urls: ['http://ocsp.example'], certificateHashData: hash },
      { source: 'CRL', urls: ['http://crl.example'], certificateHashData: hash },
    ],
  },
  NotifyDERAlarm: { controlType: 'FreqDroop', timestamp: at },
  NotifyDERStartStop: { controlId: 'C1', started: true, timestamp: at },
  NotifyPeriodicEventStream: { id: 1, pending: 0, basetime: at, data: [{ t: 0.5, v: '230.1' }] },
  NotifyPriorityCharging: { transactionId: 'T1', activated: true },
  NotifySettlement: { pspRef: 'P1', status: 'Settled', settlementAmount: 12.5, settlementTime: at },
  OpenPeriodicEventStream: { constantStreamData: { id: 1, variableMonitoringId: 1, params: {} } },
  PullDynamicScheduleUpdate: { chargingProfileId: 1 },
  ReportDERControl: { requestId: 1 },
  VatNumberValidation: { vatNumber: 'DE123456789', evseId: 1 },
}

export const requests: Readonly<Record<string, Payload>> = {
  ...requestsOf201,
  NotifyMonitoringReport: monitored,
  ...newRequests,
}
