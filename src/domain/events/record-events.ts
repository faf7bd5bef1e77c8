/** Events that follow from how a record changed, whatever changed it. */
import type { EventData } from '../ports/events.ts'
import type { KnownRecords, RecordChange } from '../records/records.ts'
import { intentChanged } from './intent-events.ts'
import { reservationUpdated } from './reservation-events.ts'

/** @param before the records as they were before these changes */
export function recordEvents(changes: readonly RecordChange[], before: KnownRecords): readonly EventData[] {
  const events: EventData[] = []
  for (const change of changes) {
    if (!('put' in change)) continue
    if (change.kind === 'reservations') {
      const was = before.find('reservations', change.put)
      if (was?.state !== change.put.state) events.push(reservationUpdated.of(change.put))
    }
    if (change.kind !== 'intents') continue
    const { put } = change
    const former = before.find('intents', put)
    // What is being tried again is no news.
    if (former?.state !== put.state || former.revision !== put.revision) events.push(intentChanged.of(put))
  }
  return events
}
