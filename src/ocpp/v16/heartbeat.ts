import { sentTime } from '../translate/payload.ts'
import { fromChargePoint } from './from-charge-point.ts'

/** OCPP 1.6 §4.6. Stations set their clock by it, so it is never answered from memory. */
export const heartbeat = fromChargePoint('Heartbeat', {
  effect: 'sign of life',
  repeatable: false,
  answer: (_request, _outcome, { now }) => ({ currentTime: sentTime(now) }),
})
