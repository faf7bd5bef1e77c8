import type { Station } from '../memory/station.ts'

/** INTENT-A5: not before the connection's first message. */
export function isReachable(station: Station): boolean {
  const { connection, isHeld, awaitsFirstMessage, version, state, chargePoint } = station
  return (
    connection !== undefined &&
    !isHeld &&
    !awaitsFirstMessage &&
    version !== undefined &&
    state !== undefined &&
    chargePoint.registrationStatus === 'Accepted' &&
    // A station refuses everything until its boot is answered (OCPP-DR9).
    state.status.bootedAt !== undefined
  )
}

export function isUnderWay({ state }: Station, ...purposes: readonly string[]): boolean {
  return state?.records.all('outgoing_calls').some(({ purpose }) => purposes.includes(purpose.kind)) === true
}
