import { keepPreference, preferencesOf } from '../../application/users/preferences.ts'
import { submitting } from '../../web/guard.ts'
import { seeOther } from '../../web/respond.tsx'
import { rootOf } from '../../web/site.ts'
import type { ConsolePage, ConsoleSite } from '../console-parts.ts'
import { chosenColumns } from './columns.tsx'
import { COLUMNS_KEPT, narrowingOf, savedViews, VIEWS, withView } from './views.ts'

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
