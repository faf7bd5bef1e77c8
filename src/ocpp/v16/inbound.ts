/** Every message of a 1.6 charge point. A missing one does not compile. */

import type { InboundMessage } from '../translate/message.ts'
import { messageTable } from '../translate/message.ts'
import type { InboundAction } from './actions.ts'
import { authorize } from './authorize.ts'
import { bootNotification } from './boot-notification.ts'
import { dataTransfer } from './data-transfer.ts'
import { heartbeat } from './heartbeat.ts'
import { meterValues } from './meter-values.ts'
import {
  diagnosticsStatusNotification,
  firmwareStatusNotification,
  logStatusNotification,
  securityEventNotification,
  signedFirmwareStatusNotification,
} from './notices.ts'
import { signCertificate } from './sign-certificate.ts'
import { startTransaction } from './start-transaction.ts'
import { statusNotification } from './status-notification.ts'
import { stopTransaction } from './stop-transaction.ts'

export const inbound = messageTable({
  BootNotification: bootNotification,
  Heartbeat: heartbeat,
  Authorize: authorize,
  StatusNotification: statusNotification,
  StartTransaction: startTransaction,
  MeterValues: meterValues,
  StopTransaction: stopTransaction,
  DataTransfer: dataTransfer,
  DiagnosticsStatusNotification: diagnosticsStatusNotification,
  FirmwareStatusNotification: firmwareStatusNotification,
  LogStatusNotification: logStatusNotification,
  SignedFirmwareStatusNotification: signedFirmwareStatusNotification,
  SecurityEventNotification: securityEventNotification,
  SignCertificate: signCertificate,
} satisfies Record<InboundAction, InboundMessage>)
