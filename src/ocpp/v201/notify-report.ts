import { integer } from '../translate/payload.ts'
import { reportedMeterKeys } from '../translate/signed/meter-keys.ts'
import { fromChargePoint } from './from-charge-point.ts'
import { reportData } from './variables.ts'

/** OCPP 2.0.1 B07, B08. Stored page by page (DEVICE-A2); unasked reports count, too. */
export const notifyReport = fromChargePoint('NotifyReport', {
  effect: 'page of a device model report; its variables are kept, and what a complete full report leaves out is gone',
  input: (request, { messageId }) => {
    const [requestId, sequence] = [integer(request.requestId), integer(request.seqNo)]
    return {
      kind: 'reportPage',
      requestId,
      sequence,
      isLast: request.tbc !== true,
      batch: `page:${requestId ?? '-'}:${sequence ?? messageId}`,
      values: reportData(request),
      meterKeys: reportedMeterKeys(request.reportData),
    }
  },
})
