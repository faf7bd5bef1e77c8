/** Anonymous OCPI 2.2.1 (AFIR-A4): the published locations and their tariffs, for whom the feed is for. */
import type { Context } from 'hono'
import { admitReader, type PublicAccess } from '../api/access/public-access.ts'
import type { Api } from '../api/api-parts.ts'
import type { ApiEnv } from '../api/endpoint.ts'
import { json } from '../api/respond.ts'
import { shownLocations } from '../application/locations/show.ts'
import { grouped } from '../domain/grouped.ts'
import { isoTime } from '../domain/iso-time.ts'
import { alpha2Of } from '../domain/locations/countries.ts'
import { partyInIds } from '../domain/locations/evse-party.ts'
import type { ShownLocation } from '../domain/locations/shown.ts'
import type { Tariff } from '../domain/ports/storage-webhooks.ts'
import { type LocationContext, locationIn } from './objects/location.ts'
import { tariffIn } from './objects/tariff.ts'
import { locationContext } from './senders/locations.ts'
import type { Party } from './versions.ts'
import type { OcpiAnswer } from './wire/module.ts'
import { type PagedList, pageOf } from './wire/pages.ts'

/** A published location, and what prices charges there. */
export interface PublicLocation {
  readonly accountId: string
  readonly locationId: string
  readonly shownAt: number
  readonly tariffIds: ReadonlySet<string>
}

interface OpenContext {
  readonly published: () => Promise<readonly PublicLocation[]>
  readonly access: PublicAccess
}

const VERSION = '2.2.1'
const MAX_PAGE = 100

export function addOpenOcpi({ endpoints, reads, settings, now }: Api, { published, access }: OpenContext): void {
  const page = async <Row>(context: Context<ApiEnv>, path: string, list: PagedList<Row>): Promise<Response> => {
    const query = new URL(context.req.url).searchParams
    const found: OcpiAnswer = await pageOf({ query, version: `open/${VERSION}`, path, context: { settings } }, list)
    const { data, code = 1000, message, headers } = found
    return json({ data, status_code: code, status_message: message, timestamp: isoTime(now()) }, 200, headers)
  }
  const partyOf = async ({ accountId, evses, facts }: ShownLocation): Promise<Party> => {
    const party = await reads.getRecord('ocpi_parties', { accountId })
    return party ?? partyInIds(evses) ?? { countryCode: alpha2Of(facts.country) ?? 'EU', partyId: 'XXX' }
  }
  const contextFor = async (location: ShownLocation): Promise<LocationContext> =>
    locationContext(reads, location.accountId, await partyOf(location))

  const locationsOf = async (rows: readonly PublicLocation[]): Promise<readonly ShownLocation[]> => {
    const found = new Map<string, ShownLocation>()
    for (const [accountId, ofAccount] of grouped(rows, (row) => row.accountId)) {
      const where = { accountId, locationId: { in: ofAccount.map(({ locationId }) => locationId) } }
      const stored = await reads.listRecords('locations', { where, limit: ofAccount.length })
      for (const one of await shownLocations(reads, stored)) found.set(keyOf(one), one)
    }
    // One may be public no longer since it was listed.
    return rows.flatMap((row) => found.get(keyOf(row)) ?? []).filter(({ publish }) => publish)
  }

  endpoints.addPage(`/ocpi/open/${VERSION}/locations`, async (context) => {
    admitReader(context, access)
    const rows = sorted(await published(), keyOf)
    return page<PublicLocation>(context, '/locations', {
      ...listOf(rows, ({ shownAt }) => shownAt, keyOf),
      show: async (shown) => {
        const contexts = new Map<string, LocationContext>()
        const found: object[] = []
        for (const one of await locationsOf(shown)) {
          const spelling = contexts.get(one.accountId) ?? (await contextFor(one))
          contexts.set(one.accountId, spelling)
          found.push(locationIn(VERSION, one, spelling))
        }
        return found
      },
    })
  })
  endpoints.addPage(`/ocpi/open/${VERSION}/tariffs`, async (context) => {
    admitReader(context, access)
    const tariffs: (Tariff & { readonly party: Party })[] = []
    for (const [accountId, ofAccount] of grouped(await published(), (one) => one.accountId)) {
      const used = new Set(ofAccount.flatMap(({ tariffIds }) => [...tariffIds]))
      const [first] = await locationsOf(ofAccount.slice(0, 1))
      if (!first) continue
      const party = await partyOf(first)
      const all = await reads.listTariffs(accountId)
      tariffs.push(...all.filter(({ tariffId }) => used.has(tariffId)).map((tariff) => ({ ...tariff, party })))
    }
    const idOf = ({ tariffId }: Tariff): string => tariffId
    return page(context, '/tariffs', {
      ...listOf(sorted(tariffs, idOf), ({ updatedAt }) => updatedAt, idOf),
      show: (shown) => shown.map((tariff) => tariffIn(VERSION, tariff, tariff.updatedAt, tariff.party)),
    })
  })
}

function keyOf({ accountId, locationId }: Pick<PublicLocation, 'accountId' | 'locationId'>): string {
  return `${accountId} ${locationId}`
}

function sorted<Row>(rows: readonly Row[], id: (row: Row) => string): readonly Row[] {
  return [...rows].sort((a, b) => (id(a) < id(b) ? -1 : 1))
}

function listOf<Row>(
  all: readonly Row[],
  timeOf: (row: Row) => number,
  id: (row: Row) => string,
): Omit<PagedList<Row>, 'show'> {
  const within = (from = 0, below = Number.POSITIVE_INFINITY) =>
    all.filter((row) => timeOf(row) >= from && timeOf(row) < below)
  return {
    most: MAX_PAGE,
    count: async ({ from, below }) => within(from, below).length,
    rows: async ({ from, below }, limit, after = '') =>
      within(from, below)
        .filter((row) => id(row) > after)
        .slice(0, limit),
    id,
  }
}
