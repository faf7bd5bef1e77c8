/** Visits, and those that the charge point failed (UPTIME-U5). */
import type { Session } from '../ports/sessions.ts'

export interface Visits {
  readonly visits: number
  readonly failedVisits: number
}

export const NO_VISITS: Visits = { visits: 0, failedVisits: 0 }

/** Stop reasons that are the charge point's own, of both versions. */
const OF_THE_STATION: ReadonlySet<string> = new Set([
  'emergencystop',
  'groundfault',
  'hardreset',
  'immediatereset',
  'other',
  'overcurrentfault',
  'powerloss',
  'powerquality',
  'reboot',
  'softreset',
])

type Visit = Pick<Session, 'state' | 'endReason' | 'energyMilliWh' | 'remoteStart'>

/** A visit that ended without energy: only its stop reason says whether that was the charge point's doing. */
export function needsStopReason({ state, endReason, energyMilliWh }: Visit): boolean {
  return state === 'completed' && endReason !== 'interrupted' && energyMilliWh <= 0
}

/** Undefined: nobody was there, or was refused for a reason of their own. @param stopReason the station's word */
export function visitOf(session: Visit, stopReason: string | undefined): 'good' | 'failed' | undefined {
  const { state, endReason, energyMilliWh, remoteStart } = session
  if (state === 'pending') return undefined
  if (state === 'failed') return endReason === 'rejected' && remoteStart ? 'failed' : undefined
  if (state !== 'completed' || energyMilliWh > 0) return 'good'
  const isOfStation = endReason === 'interrupted' || OF_THE_STATION.has(stopReason?.toLowerCase() ?? '')
  return isOfStation ? 'failed' : 'good'
}

export function withVisit({ visits, failedVisits }: Visits, visit: 'good' | 'failed'): Visits {
  return { visits: visits + 1, failedVisits: failedVisits + (visit === 'failed' ? 1 : 0) }
}
