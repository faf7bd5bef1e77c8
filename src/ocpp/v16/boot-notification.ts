import { isoTime } from '../translate/iso-time.ts'
import { needsText } from '../translate/message.ts'
import { text } from '../translate/payload.ts'
import { fromChargePoint } from './from-charge-point.ts'

/** OCPP 1.6 §4.2. The answer carries our clock, so a repetition is decided anew. */
export const bootNotification = fromChargePoint('BootNotification', {
  effect: 'registers the station; open transactions become suspect, none is closed',
  needs: needsText('chargePointVendor', 'chargePointModel'),
  repeatable: false,
  input: (request) => {
    const vendor = text(request.chargePointVendor)
    const model = text(request.chargePointModel)
    const serialNumber = text(request.chargePointSerialNumber) ?? text(request.chargeBoxSerialNumber)
    const firmwareVersion = text(request.firmwareVersion)
    return {
      kind: 'booted',
      ...(vendor !== undefined && { vendor }),
      ...(model !== undefined && { model }),
      ...(serialNumber !== undefined && { serialNumber }),
      ...(firmwareVersion !== undefined && { firmwareVersion }),
    }
  },
  // Without a verdict the station waits and boots again, which is the harmless outcome.
  answer: (_request, { registration = 'Pending' }, { now, heartbeatIntervalSeconds, bootRetrySeconds }) => ({
    status: registration,
    currentTime: isoTime(now),
    interval: registration === 'Accepted' ? heartbeatIntervalSeconds : bootRetrySeconds,
  }),
})
