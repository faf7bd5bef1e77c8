/** Anonymous OCPI 2.2.1 (AFIR-A4): the published locations and their tariffs, for whom the feed is for. */
import { admitReader, type PublicAccess } from '../api/access/public-access.ts'
import type { Api } from '../api/api-parts.ts'
import { json } from '../api/respond.ts'
import { shownLocations } from '../application/locations/show.ts'
import { grouped } from '../domain/grouped.ts'
import { isoTime } from '../domain/iso-time.ts'
import { locationIn } from '../domain/partners/ocpi-location.ts'
import type { Party } from '../domain/partners/ocpi-versions.ts'
import type { Tariff } from '../domain/ports/storage-webhooks.ts'
import { tariffIn } from './objects/tariff.ts'
import { listed } from './senders/listed.ts'
import { locationContext } from './senders/locations.ts'
import type { OcpiAnswer } from './wire/module.ts'
import { type PagedList, pageOf } from './wire/pages.ts'

/** A published location, and what prices charges there. */
export interface PublicLocation {
  readonly key: string
  readonly accountId: string
  readonly locationId: string
  readonly party: Party
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
  const add = <Row>(path: string, list: () => Promise<PagedList<Row>>) =>
    endpoints.addPage(`/ocpi/open/${VERSION}${path}`, async (context) => {
      admitReader(context, access)
      const query = new URL(context.req.url).searchParams
      const request = { query, version: `open/${VERSION}`, path, context: { settings } }
      const found: OcpiAnswer = await pageOf(request, { most: MAX_PAGE, ...(await list()) })
      const { data, code = 1000, message, headers } = found
      return json({ data, status_code: code, status_message: message, timestamp: isoTime(now()) }, 200, headers)
    })
  add('/locations', async () => ({
    ...listed(await published(), 'shownAt', 'key'),
    async show(rows) {
      const found: object[] = []
      for (const [accountId, ofAccount] of grouped(rows, (row) => row.accountId)) {
        const spelling = await locationContext(reads, accountId, partyOf(ofAccount))
        const where = { accountId, locationId: { in: ofAccount.map(({ locationId }) => locationId) } }
        const stored = await reads.listRecords('locations', { where, limit: ofAccount.length })
        // One may be public no longer since it was listed.
        const shown = (await shownLocations(reads, stored)).filter(({ publish }) => publish)
        found.push(...shown.map((one) => locationIn(VERSION, one, spelling)))
      }
      return found
    },
  }))
  add('/tariffs', async () => {
    const tariffs: (Tariff & { readonly party: Party })[] = []
    for (const [accountId, ofAccount] of grouped(await published(), (row) => row.accountId)) {
      const used = new Set(ofAccount.flatMap(({ tariffIds }) => [...tariffIds]))
      const party = partyOf(ofAccount)
      for (const tariff of await reads.listTariffs(accountId)) {
        if (used.has(tariff.tariffId)) tariffs.push({ ...tariff, party })
      }
    }
    return {
      ...listed(tariffs, 'updatedAt', 'tariffId'),
      show: (shown) => shown.map((tariff) => tariffIn(VERSION, tariff, tariff.updatedAt, tariff.party)),
    }
  })
}

/** Of one account: all have the same, unless it follows from their EVSE ids. */
function partyOf([first]: readonly PublicLocation[]): Party {
  return first?.party ?? { countryCode: 'EU', partyId: 'XXX' }
}
