import { type Narrowing, queryText } from '../paths.ts'

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
