import { isoTime } from '../translate/iso-time.ts'
import { needsText } from '../translate/message.ts'
import { object, text } from '../translate/payload.ts'
import { fromChargePoint } from './from-charge-point.ts'

/** OCPP 2.0.1 B01-B03. The answer carries our clock, so a repetition is decided anew. */
export const bootNotification = fromChargePoint('BootNotification', {
  effect: 'registers the station; open transactions become suspect, none is closed',
  needs: needsText('chargingStation.vendorName', 'chargingStation.model'),
  repeatable: false,
  input: (request) => {
    const station = object(request.chargingStation)
    const vendor = text(station.vendorName)
    const model = text(station.model)
    const serialNumber = text(station.serialNumber)
    const firmwareVersion = text(station.firmwareVersion)
    const reason = text(request.reason)
    return {
      kind: 'booted',
      ...(vendor !== undefined && { vendor }),
      ...(model !== undefined && { model }),
      ...(serialNumber !== undefined && { serialNumber }),
      ...(firmwareVersion !== undefined && { firmwareVersion }),
      ...(reason !== undefined && { reason }),
    }
  },
  // Without a verdict the station waits and boots again, which is the harmless outcome.
  answer: (_request, { registration = 'Pending' }, { now, heartbeatIntervalSeconds, bootRetrySeconds }) => ({
    status: registration,
    currentTime: isoTime(now),
    interval: registration === 'Accepted' ? heartbeatIntervalSeconds : bootRetrySeconds,
  }),
})
