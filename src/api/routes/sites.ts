import { pageQuery, shown } from '../../application/schemas/common.ts'
import {
  findSite,
  listSites,
  PutSiteSchema,
  placeSite,
  type Site,
  SiteListSchema,
  SiteSchema,
  siteParams,
  unplaceSite,
} from '../../application/sites/sites.ts'
import type { Coordinates } from '../../domain/sites/records.ts'
import { inOrder, siteState } from '../../domain/sites/site.ts'
import type { Api } from '../api-parts.ts'
import { pageOf, resource } from '../resource.ts'
import { orNotFound, orRefused } from '../respond.ts'

const COMMON = { tag: 'Sites', path: '/2/sites' } as const

export function addSites(api: Api): void {
  const { reads, core, now } = api
  const parts = { reads, core, now, timeZone: api.settings.timeZone }
  const shownSite = async (accountId: string, name: string) => {
    const site = orNotFound(await findSite(parts, accountId, name), 'site')
    return represented(site, name)
  }
  resource(api, COMMON).get('', 'listSites', 'List sites, by name', {
    description: 'The values of the label `site`, and what was placed; charge points without the label are not in it.',
    query: pageQuery,
    ok: [SiteListSchema, 'A page of sites'],
    handle: (request) =>
      pageOf(api, request, {
        name: 'sites',
        rows: async (limit, last) => {
          const named = (await listSites(parts, request.principal.accountId)).flatMap(({ site, ...of }) =>
            site === undefined || (last && site <= last[0]) ? [] : [{ ...of, site }],
          )
          return inOrder(named, { by: 'site' }).slice(0, limit)
        },
        place: ({ site }) => [site] as const,
        show: (rows) => rows.map((row) => represented(row, row.site)),
      }),
  })
  const one = resource(api, { ...COMMON, path: `${COMMON.path}/{site}`, params: siteParams })
  one.put('', 'placeSite', 'Say where a site is', {
    description:
      'Charge points belong to it by their label `site`, and need not be there yet. What was said before is replaced.',
    body: PutSiteSchema,
    problems: [409],
    replaced: [SiteSchema, 'It had a place before', 'It has one now'],
    async handle({ principal: { accountId }, params: { site }, body }) {
      const { coordinates } = body as { readonly coordinates: Coordinates }
      const { before } = orRefused(await placeSite(api, accountId, site, coordinates))
      return { before, shown: await shownSite(accountId, site) }
    },
  })
  one.get('', 'getSite', 'Get a site', {
    ok: [SiteSchema, 'The site'],
    handle: ({ principal, params }) => shownSite(principal.accountId, params.site),
  })
  one.delete('', 'unplaceSite', 'Remove the place of a site', {
    description: 'Its charge points keep their label.',
    done: 'Removed',
    handle: ({ principal, params }) => unplaceSite(api, principal.accountId, params.site),
  })
}

function represented(site: Site, name: string) {
  return shown(SiteSchema, site, {
    site: name,
    state: siteState(site).state,
    powerKw: site.powerMilliW / 1_000_000,
    energyKwh: Math.round(site.milliWh / 1000) / 1000,
  })
}
