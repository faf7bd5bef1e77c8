/** Which limit groups are a site's: those whose selector names it (SITE-P3). */
import type { LimitGroup } from '../limit-groups/records.ts'

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
