import { groupsOfAccount } from '../../application/limit-groups/members.ts'
import type { LimitGroup } from '../../domain/limit-groups/records.ts'
import { noSuch } from '../../domain/refuse.ts'
import type { PageContext } from '../../web/site.ts'
import type { ConsolePage } from '../console-parts.ts'
import { type Narrowing, queryText } from '../paths.ts'
import { acting, type Done, type Visit } from '../visit.tsx'

/** A form's token is good for one group. */
export function actionOf(context: PageContext): string {
  return `limit group ${nameOf(context)}`
}

export function nameOf({ req }: PageContext): string {
  return req.param('name') ?? ''
}

export function actingOnGroup(
  order: (visit: Visit, group: LimitGroup, form: URLSearchParams) => Promise<Done>,
): ConsolePage {
  return acting(actionOf, async (visit, form) => {
    const found = await ownGroup(visit)
    return found ? order(visit, found.group, form) : noSuch('limit group')
  })
}

export async function ownGroup({
  site,
  context,
  accountId,
}: Visit): Promise<{ readonly group: LimitGroup; readonly all: readonly LimitGroup[] } | undefined> {
  const all = await groupsOfAccount(site, accountId)
  const group = all.find(({ name }) => name === nameOf(context))
  return group && { group, all }
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
