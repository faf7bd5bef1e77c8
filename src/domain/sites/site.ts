/** The state of a site as a whole, and which site needs attention first (SITE-A3). */

import type { LimitGroup } from '../limit-groups/records.ts'
import type { SiteCounts } from '../ports/storage-queries.ts'

/** The worst first. `gone`: none of its stations is connected. */
export const SITE_STATES = ['gone', 'faulted', 'offline', 'pending', 'charging', 'free', 'empty'] as const

export type SiteState = (typeof SITE_STATES)[number]

interface SiteStateSeen {
  readonly state: SiteState
  readonly count: number
}

/** The worst that is so of a site's stations. */
export function siteState({ stations, pending, offline, faulted, charging }: SiteCounts): SiteStateSeen {
  if (offline > 0 && offline + pending >= stations) return { state: 'gone', count: offline }
  if (faulted > 0) return { state: 'faulted', count: faulted }
  if (offline > 0) return { state: 'offline', count: offline }
  if (pending > 0) return { state: 'pending', count: pending }
  if (charging > 0) return { state: 'charging', count: charging }
  return { state: stations > 0 ? 'free' : 'empty', count: stations }
}

export function needsAttention({ state }: SiteStateSeen): boolean {
  return RANKS[state] <= RANKS.pending
}

const RANKS = Object.fromEntries(SITE_STATES.map((state, rank) => [state, rank])) as Readonly<Record<SiteState, number>>

export function worstOf(states: readonly SiteState[]): SiteState | undefined {
  return states.reduce<SiteState | undefined>(
    (worst, state) => (worst === undefined || RANKS[state] < RANKS[worst] ? state : worst),
    undefined,
  )
}

export const SITE_ORDERS = ['state', 'site', 'stations', 'offline', 'faulted', 'power', 'energy'] as const

export type SiteOrder = (typeof SITE_ORDERS)[number]

const FIGURES: Readonly<Record<Exclude<SiteOrder, 'state' | 'site'>, (counts: SiteCounts) => number>> = {
  stations: ({ stations }) => stations,
  offline: ({ offline }) => offline,
  faulted: ({ faulted }) => faulted,
  power: ({ powerMilliW }) => powerMilliW,
  energy: ({ milliWh }) => milliWh,
}

/** By state: most urgent first, alike ones by stations concerned; stations without a site behind those alike. */
export function inOrder<Site extends SiteCounts>(
  sites: readonly Site[],
  { by, descending = false }: { readonly by: SiteOrder; readonly descending?: boolean | undefined },
): Site[] {
  const seen = new Map(sites.map((one) => [one, siteState(one)]))
  const rank = (one: Site): readonly [number, number] => {
    const { state, count } = seen.get(one) ?? { state: 'empty', count: 0 }
    return [RANKS[state], -count]
  }
  const compare = (one: Site, other: Site): number => {
    if (by === 'site') return byName(one, other)
    if (by !== 'state') return FIGURES[by](one) - FIGURES[by](other)
    const [a, b] = [rank(one), rank(other)]
    return a[0] - b[0] || a[1] - b[1]
  }
  return [...sites].sort((one, other) => (descending ? -1 : 1) * compare(one, other) || byName(one, other))
}

function byName({ site: one }: SiteCounts, { site: other }: SiteCounts): number {
  if (one === other) return 0
  if (one === undefined || other === undefined) return one === undefined ? 1 : -1
  return one < other ? -1 : 1
}

/** Which limit groups are a site's: those whose selector names it (SITE-P3). */
export function groupsBySite(groups: readonly LimitGroup[]): ReadonlyMap<string, readonly LimitGroup[]> {
  const found = new Map<string, LimitGroup[]>()
  for (const group of groups) {
    const site = group.desired.selector?.labels?.site
    if (site === undefined) continue
    const own = found.get(site)
    if (own) own.push(group)
    else found.set(site, [group])
  }
  return found
}
