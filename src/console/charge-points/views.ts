import { z } from '@hono/zod-openapi'
import { keepPreference, preferencesOf } from '../../application/users/preferences.ts'
import type { NetworkCounts } from '../../domain/ports/storage-queries.ts'
import { submitting } from '../../web/guard.ts'
import { seeOther } from '../../web/respond.tsx'
import { rootOf } from '../../web/site.ts'
import type { ConsolePage, ConsoleSite } from '../console-parts.ts'
import { chosenColumns } from './columns.tsx'
import { CHARGE_POINT_FILTERS } from './list-query.ts'

export const VIEWS = 'views of charge points'
export const COLUMNS_KEPT = 'columns of charge points'

const SAVED_VIEW = z.object({ name: z.string(), query: z.string() })
export type SavedView = Readonly<z.infer<typeof SAVED_VIEW>>

const MAX_VIEWS = 30
const MAX_NAME_LENGTH = 60
const MAX_QUERY_LENGTH = 2000

export function savedViews(kept: unknown): readonly SavedView[] {
  const views = Array.isArray(kept) ? kept.flatMap((one) => SAVED_VIEW.safeParse(one).data ?? []) : []
  // The filters may have had another order when it was saved.
  return views.slice(0, MAX_VIEWS).map(({ name, query }) => ({ name, query: narrowingOf(new URLSearchParams(query)) }))
}

/** One of the same name is replaced. Undefined: it has no name, or there are too many. */
function withView(views: readonly SavedView[], name: string, query: string): readonly SavedView[] | undefined {
  const requested = name.trim().slice(0, MAX_NAME_LENGTH)
  const others = views.filter((view) => view.name !== requested)
  if (requested === '' || others.length >= MAX_VIEWS || query.length > MAX_QUERY_LENGTH) return undefined
  return [...others, { name: requested, query: narrowingOf(new URLSearchParams(query)) }]
}

export function narrowingOf(asked: URLSearchParams): string {
  const query = new URLSearchParams()
  for (const name of Object.keys(CHARGE_POINT_FILTERS)) {
    for (const value of asked.getAll(name).toSorted()) query.append(name, value)
  }
  return query.toString()
}

export type UsualView = 'all' | 'faulted' | 'offline' | 'charging' | 'pending'

const DECIDED = 'registration=Accepted&registration=Rejected'

/** The lists that the figures of the overview count (CONSOLE-A1). */
export const DEFAULT_VIEWS: Readonly<Record<UsualView, string>> = {
  all: '',
  faulted: 'online=true&status=Faulted',
  offline: `online=false&${DECIDED}`,
  charging: 'online=true&charging=true',
  pending: 'registration=Pending',
}

export function countOf(view: UsualView, { chargePoints, online, pending, faulted, charging }: NetworkCounts): number {
  return { all: chargePoints, faulted, offline: chargePoints - online - pending, charging, pending }[view]
}

export const LIST_SETTINGS = '/list-settings'

/** It is the visitor's own, so nothing of it is recorded. */
export const keepListSettings: ConsolePage = submitting(
  'anybody',
  LIST_SETTINGS,
  async (site: ConsoleSite, context, { user }, form) => {
    const { reads, writes } = site
    const query = narrowingOf(new URLSearchParams(form.get('query') ?? ''))
    const [name, forgotten] = [form.get('view'), form.get('forget')]
    if (form.has('columns')) await keepPreference(writes, user.id, COLUMNS_KEPT, chosenColumns(form.getAll('columns')))
    if (name !== null || forgotten !== null) {
      const views = savedViews((await preferencesOf(reads, user.id)).get(VIEWS))
      const kept = name === null ? views.filter((view) => view.name !== forgotten) : withView(views, name, query)
      if (kept) await keepPreference(writes, user.id, VIEWS, kept)
    }
    return seeOther(site, context, `${rootOf(site)}/charge-points${query && `?${query}`}`)
  },
)
