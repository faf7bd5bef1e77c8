/**
 * The published locations of all accounts, kept as compressed parts of the documents (AFIR-A3). What changed is read
 * every second; a request makes nothing, but for the changes since a time, which it reads.
 */
import { setImmediate as breathe } from 'node:timers/promises'
import { shownLocations } from '../application/locations/show.ts'
import { alpha2Of } from '../domain/locations/countries.ts'
import type { Location } from '../domain/locations/records.ts'
import { type ShownLocation, shownLocation } from '../domain/locations/shown.ts'
import { type Periodic, periodically } from '../domain/periodic.ts'
import type { Clock, Log } from '../domain/ports/core.ts'
import type { Reads } from '../domain/ports/storage.ts'
import type { Tariff } from '../domain/ports/storage-webhooks.ts'
import { recordPages } from '../domain/records/all-records.ts'
import { tariffsAt } from '../domain/tariffs/priced-by.ts'
import type { ShownTariff } from '../domain/tariffs/shown-elements.ts'
import { type Checksum, checksumOf, type Part, partOf, textOf } from './parts.ts'
import { type Exchange, type Publication, statusDocument, tableDocument } from './publication.ts'
import { type StatusQuery, siteStatusOf } from './status.ts'
import { ratesOf, type SiteContext, siteOf } from './table.ts'
import { idOf, languageOf } from './words.ts'
import { xmlDocument, xmlOfSite } from './xml.ts'

export interface FeedContext {
  readonly reads: Pick<Reads, 'findAccount' | 'listTariffs' | 'getRecord' | 'listRecords'>
  readonly baseUrl: string
  readonly after: Clock['after']
  readonly log: Log
}

export type Kind = 'table' | 'status'
export type Format = 'json' | 'xml'

/** A document that is ready to be sent. */
export interface Ready extends Checksum {
  readonly parts: readonly Part[]
  /** Of the newest change in it. */
  readonly at: number
  readonly isEmpty: boolean
}

export interface Feed {
  readonly document: (kind: Kind, format: Format) => Promise<Ready>
  readonly changes: (since: number, format: Format) => Promise<Ready>
  /** Locations that are in the table. */
  readonly published: () => Promise<readonly Pick<Site, 'accountId' | 'locationId' | 'shownAt' | 'tariffIds'>[]>
  readonly stop: () => Promise<void>
}

interface Made {
  readonly json: Part
  xml?: Part
}

interface Site extends Partial<Record<Kind, Made>> {
  readonly accountId: string
  readonly locationId: string
  /** Of all that is shown. */
  readonly shownAt: number
  /** Of what stands in the table: its owner and its prices. */
  readonly tableAt: number
  readonly country: string
  readonly tariffIds: ReadonlySet<string>
  /** It is in no document now, and may have been. */
  readonly wasPublic: boolean
}

interface Account {
  readonly tariffs: readonly Tariff[]
  readonly context: SiteContext
  /** Of all but the tariffs' content. */
  readonly fingerprint: string
}

const EVERY_MS = 1000
/** Changes have the time of their decision and are there a moment later, on several servers by several clocks. */
const OVERLAP_MS = 15_000
const PAGE = 50
/** So many parts are made at a time. */
const AT_ONCE = 20
const NAMES = { table: 'energyInfrastructureSite', status: 'energyInfrastructureSiteStatus' } as const
/** Stands in a frame where the sites do. */
const MARK = '@sites@'

export function startFeed({ reads, baseUrl, after, log }: FeedContext): Feed {
  const sites = new Map<string, Site>()
  const accounts = new Map<string, Account>()
  const ready = new Map<string, { readonly revision: number; readonly document: Promise<Ready> }>()
  const revisions = { table: 0, status: 0 }
  let seenUntil = 0

  const refresh = async (): Promise<void> => {
    const from = Math.max(0, seenUntil - OVERLAP_MS)
    const due = new Map<string, Set<string>>()
    const look = (accountId: string, locationId: string) => {
      due.set(accountId, (due.get(accountId) ?? new Set()).add(locationId))
    }
    for await (const page of recordPages(reads, 'location_changes', { changedAt: { from } })) {
      for (const { accountId, locationId, changedAt } of page) {
        seenUntil = Math.max(seenUntil, changedAt)
        if (changedAt > (sites.get(keyOf({ accountId, locationId }))?.shownAt ?? 0)) look(accountId, locationId)
      }
    }
    for (const accountId of new Set([...due.keys(), ...accounts.keys()])) {
      const before = accounts.get(accountId)
      const account = await accountOf(reads, accountId)
      accounts.set(accountId, account)
      if (!before) continue
      const others = changedTariffs(before, account)
      const isOther = before.fingerprint !== account.fingerprint
      if (!isOther && others.size === 0) continue
      for (const site of sites.values()) {
        const isDue = site.accountId === accountId && (isOther || [...site.tariffIds].some((id) => others.has(id)))
        if (isDue) look(accountId, site.locationId)
      }
    }
    for (const [accountId, ids] of due) await renew(accountId, [...ids])
  }

  const renew = async (accountId: string, ids: readonly string[]): Promise<void> => {
    const account = accounts.get(accountId)
    if (!account) return
    for (let at = 0; at < ids.length; at += PAGE) {
      const found = await locationsOf(accountId, ids.slice(at, at + PAGE))
      for (const { location, shown } of found) {
        const key = keyOf(location)
        const before = sites.get(key)
        const site = siteFor(location, shown, account.context, before)
        if (!isSame(before?.table, site.table) || before?.tableAt !== site.tableAt) revisions.table += 1
        revisions.status += 1
        sites.set(key, site)
        await breathe()
      }
    }
  }

  const locationsOf = async (accountId: string, ids: readonly string[]) => {
    const where = { accountId, locationId: { in: ids } }
    const found = await reads.listRecords('locations', { where, limit: ids.length })
    const shown = await shownLocations(reads, found)
    return found.flatMap((location, at) => (shown[at] ? [{ location, shown: shown[at] }] : []))
  }

  const publication = (kind: Kind): Publication => {
    let at = 0
    let tableAt = 0
    let first: Site | undefined
    for (const site of sites.values()) {
      if (site.table) first ??= site
      at = Math.max(at, site.shownAt, site.tableAt)
      tableAt = Math.max(tableAt, site.tableAt)
    }
    const context = accounts.get(first?.accountId ?? '')?.context
    const { party, organization = 'Pilotwire' } = context ?? {}
    const country = first?.country ?? ''
    return {
      lang: languageOf(country),
      country: party?.countryCode ?? alpha2Of(country) ?? 'EU',
      publisher: party ? `${party.countryCode}*${party.partyId}` : organization,
      at: kind === 'table' ? tableAt : at,
      tableId: idOf('table', baseUrl),
      version: String(tableAt),
    }
  }

  const document = (kind: Kind, format: Format): Promise<Ready> => {
    const key = `${kind} ${format}`
    const revision = revisions[kind] + (kind === 'status' ? revisions.table : 0)
    const known = ready.get(key)
    if (known?.revision === revision) return known.document
    const made = whole(kind, format)
    ready.set(key, { revision, document: made })
    made.catch(() => ready.delete(key))
    return made
  }

  const whole = async (kind: Kind, format: Format): Promise<Ready> => {
    const of = publication(kind)
    const found: Part[] = []
    let count = 0
    for (const site of sites.values()) {
      const made = site[kind]
      if (!made) continue
      if (format === 'xml' && !made.xml) {
        made.xml = partOf(xmlOfSite(NAMES[kind], JSON.parse(textOf(made.json))))
        count += 1
        if (count % AT_ONCE === 0) await breathe()
      }
      found.push(format === 'xml' ? (made.xml ?? made.json) : made.json)
    }
    return framed(of, kind, 'snapshotPull', format, found)
  }

  const changes = async (since: number, format: Format): Promise<Ready> => {
    const found: Part[] = []
    const of = publication('status')
    const due = [...sites.values()].filter(
      ({ wasPublic, shownAt, tableAt }) => wasPublic && Math.max(shownAt, tableAt) >= since,
    )
    for (const accountId of new Set(due.map((site) => site.accountId))) {
      const context = accounts.get(accountId)?.context
      const ids = due.filter((site) => site.accountId === accountId).map(({ locationId }) => locationId)
      for (let at = 0; context && at < ids.length; at += PAGE) {
        for (const { location, shown } of await locationsOf(accountId, ids.slice(at, at + PAGE))) {
          const status = statusOf(location, shown, context, { since })
          if (status) found.push(partOf(format === 'xml' ? xmlOfSite(NAMES.status, status) : JSON.stringify(status)))
          await breathe()
        }
      }
    }
    return framed(of, 'status', 'deltaPull', format, found)
  }

  const failed = (error: Error) => log.error({ error: error.message }, 'the AFIR feed is not up to date')
  const first = refresh().catch(failed)
  let loop: Periodic | undefined
  let isStopped = false
  void first.then(() => {
    if (!isStopped) loop = periodically({ clock: { after }, work: refresh, everyMs: EVERY_MS, failed })
  })
  return {
    document: async (kind, format) => first.then(() => document(kind, format)),
    changes: async (since, format) => first.then(() => changes(since, format)),
    published: async () => first.then(() => [...sites.values()].filter(({ table }) => table)),
    stop: async () => {
      isStopped = true
      await loop?.stop()
    },
  }
}

function keyOf({ accountId, locationId }: Pick<Location, 'accountId' | 'locationId'>): string {
  return JSON.stringify([accountId, locationId])
}

async function accountOf(reads: FeedContext['reads'], accountId: string): Promise<Account> {
  const [account, party, tariffs] = await Promise.all([
    reads.findAccount(accountId),
    reads.getRecord('ocpi_parties', { accountId }),
    reads.listTariffs(accountId),
  ])
  const organization = party?.businessDetails.name ?? account?.name ?? ''
  const pricing = tariffsAt(tariffs)
  const places = tariffs.map(({ tariffId, chargePointId = '' }) => `${tariffId} ${chargePointId}`)
  return {
    tariffs,
    fingerprint: JSON.stringify([organization, party?.countryCode, party?.partyId, places]),
    context: {
      party,
      organization,
      adhocOf(evse, connector) {
        const found: readonly (Tariff & ShownTariff)[] = pricing(evse, connector)
        const tariff = found.find(({ type }) => type === 'AD_HOC_PAYMENT') ?? found[0]
        return tariff && { tariff, updatedAt: tariff.updatedAt }
      },
    },
  }
}

function changedTariffs(before: Account, now: Account): ReadonlySet<string> {
  const known = new Map(before.tariffs.map(({ tariffId, version }) => [tariffId, version]))
  return new Set(now.tariffs.flatMap(({ tariffId, version }) => (known.get(tariffId) === version ? [] : [tariffId])))
}

function siteFor(location: Location, shown: ShownLocation, context: SiteContext, before: Site | undefined): Site {
  const { accountId, locationId, facts, publish, isRemoved } = location
  const rates = shown.evses.flatMap((evse) => [...ratesOf(shown, evse, context).values()])
  const tableAt = Math.max(location.lastUpdated, ...rates.map(({ updatedAt }) => updatedAt))
  // A status moves nothing in the table.
  const site = publish && !isRemoved && siteOf(shownLocation(location, [], undefined), versionOf(location), context)
  const status = site ? siteStatusOf(shown, versionOf(location), context) : undefined
  return {
    accountId,
    locationId,
    shownAt: shown.lastUpdated,
    tableAt,
    country: facts.country,
    tariffIds: new Set(rates.map(({ tariff }) => tariff.tariffId)),
    wasPublic: publish || before?.wasPublic === true,
    ...(site && { table: keep(before?.table, { json: partOf(JSON.stringify(site)) }) }),
    ...(status && { status: keep(before?.status, { json: partOf(JSON.stringify(status)) }) }),
  }
}

/** Of what its owner said: a status does not move it. */
function versionOf({ lastUpdated }: Location): string {
  return String(lastUpdated)
}

/** All EVSEs of what is public no longer are removed. */
function statusOf(location: Location, shown: ShownLocation, context: SiteContext, query: StatusQuery) {
  const { lastUpdated } = location
  const evses = location.publish
    ? shown.evses
    : shown.evses.map((evse) => ({ ...evse, status: 'REMOVED' as const, lastUpdated }))
  return siteStatusOf({ ...shown, evses }, versionOf(location), context, query)
}

function isSame(one: Made | undefined, other: Made | undefined): boolean {
  return one?.json.crc === other?.json.crc && one?.json.length === other?.json.length
}

function keep(before: Made | undefined, made: Made): Made {
  return before && isSame(before, made) ? before : made
}

function framed(of: Publication, kind: Kind, exchange: Exchange, format: Format, sites: readonly Part[]): Ready {
  const frame = (kind === 'table' ? tableDocument(of, MARK) : statusDocument(of, exchange, MARK)) as Record<
    string,
    unknown
  >
  const text = format === 'xml' ? xmlDocument(frame) : JSON.stringify(frame)
  const [before = '', after = ''] = text.split(format === 'xml' ? MARK : `"${MARK}"`)
  const comma = partOf(',')
  const parts =
    format === 'xml'
      ? [partOf(before), ...sites, partOf(after)]
      : [partOf(`${before}[`), ...sites.flatMap((part, at) => (at === 0 ? [part] : [comma, part])), partOf(`]${after}`)]
  return { parts, ...checksumOf(parts), at: of.at, isEmpty: sites.length === 0 }
}
