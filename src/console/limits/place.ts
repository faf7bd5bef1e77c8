import type { Child } from 'hono/jsx'
import type { LimitGroup } from '../../domain/limit-groups/records.ts'
import { noSuch } from '../../domain/refuse.ts'
import type { PageContext, Role } from '../../web/site.ts'
import type { ConsolePage } from '../console-parts.ts'
import { type Narrowing, queryText } from '../paths.ts'
import { acting, type Done, type Shown, showing, type Visit } from '../visit.tsx'

/** A form's token is good for one group. */
export function actionOf(context: PageContext): string {
  return `limit group ${nameOf(context)}`
}

function nameOf({ req }: PageContext): string {
  return req.param('name') ?? ''
}

export function actingOnGroup(
  order: (visit: Visit, group: LimitGroup, form: URLSearchParams) => Promise<Done>,
): ConsolePage {
  return acting(actionOf, async (visit, form) => {
    const group = await ownGroup(visit)
    return group ? order(visit, group, form) : noSuch('limit group')
  })
}

/** A page of one group. */
export function showingGroup(
  role: Role,
  show: (visit: Visit, group: LimitGroup) => Promise<Child | Shown | undefined>,
): ConsolePage {
  return showing(role, async (visit) => {
    const group = await ownGroup(visit)
    return group && show(visit, group)
  })
}

export async function ownGroup({ site, context, accountId }: Visit): Promise<LimitGroup | undefined> {
  return site.reads.getRecord('limit_groups', { accountId, name: nameOf(context) })
}

export const GROUPS = '/limits'
export const NEW_GROUP = '/new-limit-group'
export const WIZARD = '/share-connection'

/** @param below what stands behind its name, with its slash */
export function groupPath(
  { root }: { readonly root: string },
  name: string,
  below = '',
  query: Narrowing = {},
): string {
  return `${root}${GROUPS}/${encodeURIComponent(name)}${below}${queryText(query)}`
}

export function ownPath(name: string, below = ''): string {
  return groupPath({ root: '' }, name, below)
}
