/** Where sites are. A site itself is a value of the label `site`: it is declared nowhere else (SITE-A1). */
import { integer, json, type RecordOf, record, text } from '../records/record.ts'

/** Degrees of WGS 84, north and east positive. */
export interface Coordinates {
  readonly latitude: number
  readonly longitude: number
}

/** Places of sites, by the value of the label. */
export const sitePlaces = record('site_places', {
  key: ['accountId', 'site'],
  columns: {
    accountId: text(),
    site: text(),
    coordinates: json<Coordinates>(),
    createdAt: integer(),
    updatedAt: integer(),
  },
})

export type SitePosition = RecordOf<typeof sitePlaces>
