/**
 * The published locations of all accounts, kept as compressed parts of the documents (AFIR-A3). What changed is read
 * every second, and a request joins the parts. No piece of work keeps others waiting.
 */
import { setImmediate } from 'node:timers/promises'
import { shownLocations } from '../application/locations/show.ts'
import { grouped } from '../domain/grouped.ts'
import { alpha2Of } from '../domain/locations/countries.ts'
import { partyInIds } from '../domain/locations/evse-id.ts'
import type { Location } from '../domain/locations/records.ts'
import { type ShownLocation, shownLocation } from '../domain/locations/shown.ts'
import { type Periodic, periodically } from '../domain/periodic.ts'
import type { Clock, Log } from '../domain/ports/core.ts'
import type { Reads } from '../domain/ports/storage.ts'
import type { Tariff } from '../domain/ports/storage-webhooks.ts'
import { recordPages } from '../domain/records/all-records.ts'
import { tariffsAt } from '../domain/tariffs/places.ts'
import type { ShownTariff } from '../domain/tariffs/shown-elements.ts'
import { appended, type Checksum, type Part, partOf, textOf } from './parts.ts'
import { type Exchange, type Publication, statusDocument, tableDocument } from './publication.ts'
import { changedSince, ratesOf, type SiteContext, siteOf, siteStatusOf } from './site.ts'
import { idOf, languageOf } from './words.ts'
import { xmlDocument, xmlOfSite } from './xml.ts'

export interface FeedContext {
  readonly reads: Pick<Reads, 'findAccount' | 'listTariffs' | 'getRecord' | 'listRecords'>
  readonly baseUrl: string
  readonly clock: Pick<Clock, 'after' | 'monotonic'>
  readonly log: Log
}

export type Kind = 'table' | 'status'
export type Format = 'json' | 'xml'

/** A document that is ready to be sent. */
export interface Ready extends Checksum {
  readonly parts: readonly Part[]
  /** Of the newest change in it. */
  readonly at: number
  /** What was found until then is in it. */
  readonly revision: number
  readonly isEmpty: boolean
  /** Not changes only. */
  readonly isWhole: boolean
}

export interface Feed {
  readonly document: (kind: Kind, format: Format) => Promise<Ready>
  /** EVSEs and prices that changed then or later; ms since the epoch. */
  readonly changes: (since: number, format: Format) => Promise<Ready>
  /** To be sent: the whole status, or what changed since then and was found after that revision (AFIR-A2). */
  readonly pushed: (since?: Since) => Promise<Ready>
  /** Moves with whatever is found. */
  readonly revision: () => number
  /** Locations that are in the table. */
  readonly published: () => Promise<readonly Site[]>
  readonly stop: () => Promise<void>
}

interface Since {
  readonly at: number
  readonly revision: number
}

interface Site {
  readonly key: string
  readonly accountId: string
  readonly locationId: string
  readonly party: NonNullable<SiteContext['party']>
  /** Of all that is shown. */
  readonly shownAt: number
  /** Of what stands in the table: its owner and its prices. */
  readonly tableAt: number
  /** Of what its owner says. */
  readonly saidAt: number
  readonly country: string
  readonly tariffIds: ReadonlySet<string>
  readonly table?: Part | undefined
  readonly status?: Part | undefined
  /** With removed EVSEs; all of them are where it is public no longer. */
  readonly changes?: Part | undefined
}

interface Account {
  readonly context: SiteContext
  /** Versions of tariffs by their ids. */
  readonly tariffs: ReadonlyMap<string, number>
  /** Of all but the tariffs' content. */
  readonly fingerprint: string
}

const EVERY_MS = 1000
/** Changes have the time of their decision and are there a moment later, on several servers by several clocks. */
export const OVERLAP_MS = 15_000
const PAGE = 20
/** Others wait no longer than that. */
const WORK_MS = 10
const NAMES = { table: 'energyInfrastructureSite', status: 'energyInfrastructureSiteStatus' } as const
/** Stands in a frame where the sites do. */
const MARK = '@sites@'

export function startFeed({ reads, baseUrl, clock, log }: FeedContext): Feed {
  const sites = new Map<string, Site>()
  const accounts = new Map<string, Account>()
  const ready = new Map<string, { readonly revision: number; readonly document: Promise<Ready> }>()
  const inXml = new WeakMap<Part, Part>()
  /** In which revision. */
  const foundIn = new WeakMap<Part, number>()
  const revisions = { table: 0, status: 0 }
  const pause = pauses(clock)
  let seenUntil = 0

  const refresh = async (): Promise<void> => {
    const from = Math.max(0, seenUntil - OVERLAP_MS)
    const due = new Map<string, Pick<Site, 'accountId' | 'locationId'>>()
    for await (const page of recordPages(reads, 'location_changes', { changedAt: { from } })) {
      for (const change of page) {
        seenUntil = Math.max(seenUntil, change.changedAt)
        if (change.changedAt > (sites.get(keyOf(change))?.shownAt ?? 0)) due.set(keyOf(change), change)
      }
      await pause()
    }
    for (const accountId of new Set([...[...due.values()].map((one) => one.accountId), ...accounts.keys()])) {
      const before = accounts.get(accountId)
      const account = await accountOf(reads, accountId)
      accounts.set(accountId, account)
      const isOther = before?.fingerprint !== account.fingerprint
      const others = [...account.tariffs].filter(([id, version]) => before?.tariffs.get(id) !== version)
      if (!before || (!isOther && others.length === 0)) continue
      for (const site of sites.values()) {
        const isDue = isOther || others.some(([id]) => site.tariffIds.has(id))
        if (site.accountId === accountId && isDue) due.set(site.key, site)
      }
    }
    for (const [accountId, ofAccount] of grouped(due.values(), (one) => one.accountId))
      await renew(accountId, ofAccount)
  }

  const renew = async (accountId: string, due: readonly Pick<Site, 'locationId'>[]): Promise<void> => {
    const context = accounts.get(accountId)?.context
    for (let at = 0; context && at < due.length; at += PAGE) {
      const where = { accountId, locationId: { in: due.slice(at, at + PAGE).map(({ locationId }) => locationId) } }
      const found = await reads.listRecords('locations', { where, limit: PAGE })
      const shown = await shownLocations(reads, found)
      for (const [index, location] of found.entries()) {
        const one = shown[index]
        if (!one) continue
        const before = sites.get(keyOf(location))
        revisions.status += 1
        const site = siteFor(location, one, context, before)
        if (before?.table !== site.table || before?.tableAt !== site.tableAt) revisions.table += 1
        if (site.changes && !foundIn.has(site.changes)) foundIn.set(site.changes, revisions.status)
        sites.set(site.key, site)
        await pause()
      }
    }
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
    const { party, organization = 'Pilotwire' } = accounts.get(first?.accountId ?? '')?.context ?? {}
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
    const made = joined(kind, 'snapshotPull', format, (site) => site[kind])
    ready.set(key, { revision, document: made })
    made.catch(() => ready.delete(key))
    return made
  }

  const changes = ({ at, revision }: Since, exchange: Exchange, format: Format): Promise<Ready> =>
    joined('status', exchange, format, (site) => {
      if (!site.changes || Math.max(site.shownAt, site.tableAt) < at) return undefined
      if ((foundIn.get(site.changes) ?? 0) <= revision) return undefined
      // All of a location that may have become public only then.
      if (site.saidAt >= at) return site.changes
      const status = changedSince(JSON.parse(textOf(site.changes)), at)
      return status && partOf(JSON.stringify(status))
    })

  const pushed = (since?: Since): Promise<Ready> => {
    // Whether it was public before this process cannot be said, so its EVSEs cannot be sent as removed.
    const isHidden = (site: Site): boolean => since?.revision === 0 && !site.changes && site.saidAt >= since.at
    if (since && ![...sites.values()].some(isHidden)) return changes(since, 'deltaPush', 'json')
    return joined('status', 'snapshotPush', 'json', (site) => site.status)
  }

  const joined = async (
    kind: Kind,
    exchange: Exchange,
    format: Format,
    pick: (site: Site) => Part | undefined,
  ): Promise<Ready> => {
    const of = publication(kind)
    const revision = revisions.status
    const frame = (kind === 'table' ? tableDocument(of, MARK) : statusDocument(of, exchange, MARK)) as object
    const isXml = format === 'xml'
    const text = isXml ? xmlDocument({ ...frame }) : JSON.stringify(frame)
    const [before = '', after = ''] = text.split(isXml ? MARK : `"${MARK}"`)
    const parts: Part[] = []
    let checksum: Checksum = { crc: 0, length: 0 }
    const add = (part: Part) => {
      parts.push(part)
      checksum = appended(checksum, part)
    }
    const comma = partOf(',')
    add(partOf(isXml ? before : `${before}[`))
    for (const site of [...sites.values()]) {
      await pause()
      const part = pick(site)
      if (!part) continue
      if (!isXml && parts.length > 1) add(comma)
      if (isXml && !inXml.has(part)) inXml.set(part, partOf(xmlOfSite(NAMES[kind], JSON.parse(textOf(part)))))
      add(isXml ? (inXml.get(part) ?? part) : part)
    }
    const isEmpty = parts.length === 1
    add(partOf(isXml ? after : `]${after}`))
    return { parts, ...checksum, at: of.at, revision, isEmpty, isWhole: exchange.startsWith('snapshot') }
  }

  const failed = (error: Error) => log.error({ error: error.message }, 'the AFIR feed is not up to date')
  const first = refresh().catch(failed)
  let loop: Periodic | undefined
  let isStopped = false
  void first.then(() => {
    if (!isStopped) loop = periodically({ clock, work: refresh, everyMs: EVERY_MS, failed })
  })
  return {
    document: async (kind, format) => first.then(() => document(kind, format)),
    changes: async (at, format) => first.then(() => changes({ at, revision: 0 }, 'deltaPull', format)),
    pushed: async (since) => first.then(() => pushed(since)),
    revision: () => revisions.status,
    published: async () => {
      await first
      return [...sites.values()].filter(({ table }) => table)
    },
    stop: async () => {
      isStopped = true
      await loop?.stop()
    },
  }
}

/** Lets others work where this has for long enough. */
function pauses({ monotonic }: Pick<Clock, 'monotonic'>): () => Promise<void> | undefined {
  let since = monotonic()
  return () => {
    if (monotonic() - since < WORK_MS) return undefined
    return setImmediate().then(() => {
      since = monotonic()
    })
  }
}

function keyOf({ accountId, locationId }: Pick<Location, 'accountId' | 'locationId'>): string {
  return `${accountId} ${locationId}`
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
    tariffs: new Map(tariffs.map(({ tariffId, version }) => [tariffId, version])),
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

function siteFor(location: Location, shown: ShownLocation, context: SiteContext, before: Site | undefined): Site {
  const { accountId, locationId, facts, lastUpdated } = location
  const version = String(lastUpdated)
  const rates = shown.evses.flatMap((evse) => [...ratesOf(shown, evse, context).values()])
  const isPublic = location.publish && !location.isRemoved
  // A status moves nothing in the table.
  const table = isPublic ? siteOf(shownLocation(location, [], undefined), version, context) : undefined
  const removed = shown.evses.map((evse) => ({ ...evse, status: 'REMOVED' as const, lastUpdated }))
  const all = isPublic ? shown : { ...shown, evses: removed }
  const wasPublic = location.publish || before?.changes !== undefined
  return {
    key: keyOf(location),
    accountId,
    locationId,
    party: context.party ??
      partyInIds(location.evses) ?? { countryCode: alpha2Of(facts.country) ?? 'EU', partyId: 'XXX' },
    shownAt: shown.lastUpdated,
    tableAt: Math.max(lastUpdated, ...rates.map(({ updatedAt }) => updatedAt)),
    saidAt: lastUpdated,
    country: facts.country,
    tariffIds: new Set(rates.map(({ tariff }) => tariff.tariffId)),
    table: kept(before?.table, table),
    status: kept(before?.status, table && siteStatusOf(shown, version, context)),
    changes: kept(before?.changes, wasPublic ? siteStatusOf(all, version, context, () => true) : undefined),
  }
}

/** The part that there was, where it is the same. */
function kept(before: Part | undefined, site: object | undefined): Part | undefined {
  const part = site && partOf(JSON.stringify(site))
  return before && before.crc === part?.crc && before.length === part.length ? before : part
}
