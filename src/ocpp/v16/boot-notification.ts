import { bootAnswer, booted } from '../translate/boot.ts'
import { needsText } from '../translate/message.ts'
import { text } from '../translate/payload.ts'
import { fromChargePoint } from './from-charge-point.ts'

/** OCPP 1.6 §4.2. The answer has our clock, so a repetition is decided anew. */
export const bootNotification = fromChargePoint('BootNotification', {
  effect: 'registers the station; open transactions become suspect, none is closed',
  needs: needsText('chargePointVendor', 'chargePointModel'),
  repeatable: false,
  input: (request) =>
    booted({
      vendor: request.chargePointVendor,
      model: request.chargePointModel,
      serialNumber: text(request.chargePointSerialNumber) ?? request.chargeBoxSerialNumber,
      firmwareVersion: request.firmwareVersion,
    }),
  answer: bootAnswer,
})
