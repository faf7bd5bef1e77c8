/** Locations as a file (LOCATION-A6). */
import type { Location } from '../../domain/locations/records.ts'
import { locationIn } from '../../domain/partners/ocpi-location.ts'
import { recordPages } from '../../domain/records/all-records.ts'
import { CSV_HEADER, csvLines } from './csv.ts'
import { type LocationReads, requestOf, shownLocations } from './show.ts'

/** All of them, some at a time. @param seen as the caller sees a location; none: it is not shown */
export async function* exportLocations(
  reads: LocationReads,
  accountId: string,
  format: 'csv' | 'ocpi',
  seen: (location: Location) => readonly Location[],
): AsyncGenerator<Uint8Array, void, undefined> {
  const party = await reads.getRecord('ocpi_parties', { accountId })
  let separator = '['
  if (format === 'csv') yield Buffer.from(CSV_HEADER)
  for await (const page of recordPages(reads, 'locations', { accountId }, EXPORT_PAGE)) {
    const texts = (await shownLocations(reads, page.flatMap(seen))).map((one) => {
      if (format === 'csv') return csvLines({ id: one.locationId, ...requestOf(one) })
      const evses = one.evses.filter(({ status }) => status !== 'REMOVED')
      const text = `${separator}\n${JSON.stringify(locationIn('2.3.0', { ...one, evses }, { party }))}`
      separator = ','
      return text
    })
    if (texts.length > 0) yield Buffer.from(texts.join(''))
  }
  if (format === 'ocpi') yield Buffer.from(separator === '[' ? '[]' : '\n]')
}

const EXPORT_PAGE = 50
