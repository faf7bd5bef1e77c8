/** Pages at their addresses below the dashboard: other methods are answered 405, failures with a page. */
import type { Hono } from 'hono'
import { UnreadableForm } from './form.ts'
import { type PageOptions, renderFailure, renderFault } from './respond.tsx'
import { type PageContext, type PageEnv, rootOf, type Site } from './site.ts'

export type PageHandler<Place extends Site> = (site: Place, context: PageContext) => Promise<Response> | Response

export type MountPage<Place extends Site> = (
  path: string,
  methods: {
    readonly GET?: PageHandler<Place> | undefined
    readonly POST?: PageHandler<Place> | undefined
    /** The field of the form that names what is made or meant, where the address does not: the audit log's subject. */
    readonly names?: string | undefined
  },
) => void

export interface Pages<Place extends Site> {
  readonly home: string
  readonly mount: (app: Hono<PageEnv>, site: Place) => void
}

export function pageMounter<Place extends Site>(app: Hono<PageEnv>, site: Place): MountPage<Place> {
  const root = rootOf(site)
  return (path, { names, ...methods }) => {
    const allow = Object.keys(methods).join(', ')
    app.all(root + path, async (context) => {
      const { method } = context.req
      const handler = method === 'POST' ? methods.POST : method === 'GET' || method === 'HEAD' ? methods.GET : undefined
      if (!handler) return absent(site, context, { status: 405, headers: { allow } })
      context.set('names', names)
      return answer(site, context, handler)
    })
  }
}

/** A missing page still has the navigation, so that the visitor can go on (CONSOLE-A6). */
export async function absent(site: Site, context: PageContext, options: PageOptions = {}): Promise<Response> {
  const visitor = await site.findVisitor(context).catch(() => undefined)
  return renderFault(site, context, 'not_found', { status: 404, ...options, visitor })
}

async function answer<Place extends Site>(
  site: Place,
  context: PageContext,
  handler: PageHandler<Place>,
): Promise<Response> {
  try {
    return await handler(site, context)
  } catch (error) {
    if (error instanceof UnreadableForm) return renderFault(site, context, 'bad_form', { status: error.status })
    return renderFailure(site, context, error)
  }
}
