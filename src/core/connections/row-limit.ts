/**
 * Limits log rows whose number the sender controls (OCPP-RP12, OCPP-RP14); calls of accepted stations are all kept (law
 * 7).
 */
import type { Clock } from '../../domain/ports/core.ts'
import { isUnaccepted, type Station } from '../memory/station.ts'
import { type NotKept, RowCount } from './row-count.ts'

export interface RowLimit {
  mayKeep(station: Station, bytes: number): boolean
  tell(stations: Iterable<Station>): void
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** At 4 KiB each (inbound.ts), 2.4 MB an hour and station. */
const UNANSWERED_PER_HOUR = 600
const UNACCEPTED_PER_HOUR = 100
/** For all unaccepted charge points together, including their counting rows: 20 MB a day. */
const UNACCEPTED_PER_DAY = 5000

export function createRowLimit(clock: Clock, write: (station: Station, notKept: NotKept) => void): RowLimit {
  const unacceptedChargePoints = new RowCount()

  const takeOfAll = (station: Station): boolean =>
    !isUnaccepted(station) || unacceptedChargePoints.take(clock.now(), DAY_MS, UNACCEPTED_PER_DAY)
  const tell = (station: Station): void => {
    const { lost } = station.rows
    if (!lost) return
    if (takeOfAll(station)) {
      station.rows.lost = undefined
      write(station, lost)
      return
    }
    tellLater(station)
  }
  const tellLater = (station: Station): void => {
    clock.after(HOUR_MS, () => tell(station))
  }

  return {
    mayKeep(station, bytes) {
      const { rows } = station
      const now = clock.now()
      const most = isUnaccepted(station) ? UNACCEPTED_PER_HOUR : UNANSWERED_PER_HOUR
      if (rows.take(now, HOUR_MS, most) && takeOfAll(station)) return true
      if (!rows.lost) {
        rows.lost = { messages: 0, bytes: 0, since: now }
        tellLater(station)
      }
      rows.lost.messages++
      rows.lost.bytes += bytes
      return false
    },
    tell(stations) {
      for (const station of stations) tell(station)
    },
  }
}
