import { bootAnswer, booted } from '../translate/boot.ts'
import { needsText } from '../translate/message.ts'
import { object } from '../translate/payload.ts'
import { fromChargePoint } from './from-charge-point.ts'

/** OCPP 2.0.1 B01-B03. The answer has our clock, so a repetition is decided anew. */
export const bootNotification = fromChargePoint('BootNotification', {
  effect: 'registers the station; open transactions become suspect, none is closed',
  needs: needsText('chargingStation.vendorName', 'chargingStation.model'),
  repeatable: false,
  input: (request) => {
    const { vendorName, model, serialNumber, firmwareVersion } = object(request.chargingStation)
    return booted({ vendor: vendorName, model, serialNumber, firmwareVersion })
  },
  answer: bootAnswer,
})
