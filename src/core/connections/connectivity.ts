/** Whether a charge point is shown as online, and its clock as wrong. */

/** OCPP-CN4: a short loss of the connection is not shown. */
export const OFFLINE_GRACE_MS = 60_000
/** As the alert rule of the kind `clock` (ALERT-K7). */
const WRONG_CLOCK_MS = 60_000

/** @param offlineMs since its last connection ended; negative, and so not known, when the clock was put back */
export function isOnline(isConnected: boolean, offlineMs: number | undefined): boolean {
  return isConnected || (offlineMs !== undefined && offlineMs >= 0 && offlineMs < OFFLINE_GRACE_MS)
}

export function isWrongClock(skewMs: number): boolean {
  return Math.abs(skewMs) > WRONG_CLOCK_MS
}
