import type { Station } from '../memory/station.ts'

/** Who waits for approval boots again by itself, and a rejected one is sent nothing (SESSION-O4). */
export function neverBooted({ chargePoint, state }: Station): boolean {
  return chargePoint.registrationStatus === 'Accepted' && state !== undefined && state.status.bootedAt === undefined
}
