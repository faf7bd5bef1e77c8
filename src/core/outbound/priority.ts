import type { Priority } from '../../domain/outgoing-calls/records.ts'
import type { OutgoingCall } from '../../ocpp/payload.ts'

const STOPS = new Set(['RemoteStopTransaction', 'RequestStopTransaction'])
const STARTS = new Set(['RemoteStartTransaction', 'RequestStartTransaction'])

/** OCPP-RP4: commands that a driver is waiting for go first. */
export function priorityOf({ method }: OutgoingCall): Priority {
  if (STOPS.has(method)) return 'stop'
  return STARTS.has(method) ? 'start' : 'rest'
}
