/** Every message of a 2.0.1 charge point. A missing one does not compile. */

import type { InboundMessage } from '../translate/message.ts'
import { messageTable } from '../translate/message.ts'
import type { InboundAction } from './actions.ts'
import { authorize } from './authorize.ts'
import { bootNotification } from './boot-notification.ts'
import * as charging from './charging/notices.ts'
import { dataTransfer } from './data-transfer.ts'
import { notifyCustomerInformation } from './driver/customer-information.ts'
import { notifyDisplayMessages } from './driver/notify-display-messages.ts'
import { heartbeat } from './heartbeat.ts'
import { meterValues } from './meter-values.ts'
import * as refusals from './missing-abilities.ts'
import { notifyEvent } from './monitoring/notify-event.ts'
import { notifyMonitoringReport } from './monitoring/notify-monitoring-report.ts'
import * as notices from './notices.ts'
import { notifyReport } from './notify-report.ts'
import { signCertificate } from './security/sign-certificate.ts'
import { statusNotification } from './status-notification.ts'
import { transactionEvent } from './transaction-event.ts'

export const inbound = messageTable({
  BootNotification: bootNotification,
  Heartbeat: heartbeat,
  Authorize: authorize,
  StatusNotification: statusNotification,
  TransactionEvent: transactionEvent,
  MeterValues: meterValues,
  NotifyEvent: notifyEvent,
  DataTransfer: dataTransfer,
  SecurityEventNotification: notices.securityEventNotification,
  SignCertificate: signCertificate,
  Get15118EVCertificate: refusals.get15118EVCertificate,
  GetCertificateStatus: refusals.getCertificateStatus,
  NotifyReport: notifyReport,
  NotifyMonitoringReport: notifyMonitoringReport,
  NotifyCustomerInformation: notifyCustomerInformation,
  NotifyDisplayMessages: notifyDisplayMessages,
  NotifyChargingLimit: charging.notifyChargingLimit,
  ClearedChargingLimit: charging.clearedChargingLimit,
  NotifyEVChargingNeeds: charging.notifyEVChargingNeeds,
  NotifyEVChargingSchedule: charging.notifyEVChargingSchedule,
  ReportChargingProfiles: charging.reportChargingProfiles,
  ReservationStatusUpdate: notices.reservationStatusUpdate,
  FirmwareStatusNotification: notices.firmwareStatusNotification,
  PublishFirmwareStatusNotification: notices.publishFirmwareStatusNotification,
  LogStatusNotification: notices.logStatusNotification,
} satisfies Record<InboundAction, InboundMessage>)
