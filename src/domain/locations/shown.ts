/** A location as it is shown: with the status of its EVSEs and the times of their last changes (LOCATION-A3). */
import type { EvseStatus, Location, LocationChange, LocationEvse, LocationEvseState } from './records.ts'

export interface ShownEvse extends LocationEvse {
  readonly status: EvseStatus
}

export interface ShownLocation extends Location {
  readonly evses: readonly ShownEvse[]
}

type Shown = Pick<LocationEvseState, 'uid' | 'shown' | 'shownSince'>

/** @param states of its EVSEs, as they were shown last */
export function shownLocation(
  location: Location,
  states: readonly Shown[],
  change: Pick<LocationChange, 'changedAt'> | undefined,
): ShownLocation {
  const byUid = new Map(states.map((state) => [state.uid, state]))
  const evses = location.evses.map((evse) => shownEvse(evse, byUid.get(evse.uid)))
  const times = evses.map(({ lastUpdated }) => lastUpdated)
  return { ...location, lastUpdated: Math.max(location.lastUpdated, change?.changedAt ?? 0, ...times), evses }
}

function shownEvse(evse: LocationEvse, state: Shown | undefined): ShownEvse {
  if (evse.isRemoved) return { ...evse, status: 'REMOVED' }
  if (evse.chargePointId === undefined) return { ...evse, status: 'PLANNED' }
  if (!state) return { ...evse, status: 'UNKNOWN' }
  return { ...evse, status: state.shown, lastUpdated: Math.max(evse.lastUpdated, state.shownSince) }
}
