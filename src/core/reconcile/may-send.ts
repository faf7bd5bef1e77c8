import type { Station } from '../memory/station.ts'

/** INTENT-A5: not before the first word of a connection. */
export function isReachable(station: Station): boolean {
  const { connection, isHeld, awaitsFirstMessage, version, state, chargePoint } = station
  return (
    connection !== undefined &&
    !isHeld &&
    !awaitsFirstMessage &&
    version !== undefined &&
    state !== undefined &&
    chargePoint.registrationStatus === 'Accepted' &&
    // Until its boot is answered it refuses everything (OCPP-DR9).
    state.status.bootedAt !== undefined
  )
}

export function isUnderWay({ state }: Station, ...purposes: readonly string[]): boolean {
  return state?.records.all('outgoing_calls').some(({ purpose }) => purposes.includes(purpose.kind)) === true
}
