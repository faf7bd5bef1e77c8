/** Pages and forms of users who are signed in: the frame, the tokens of forms, and how they are answered. */
import type { Child } from 'hono/jsx'
import type { Frame } from '../../web/entries.tsx'
import { submitting, visiting } from '../../web/guard.ts'
import type { PageHandler } from '../../web/mount.ts'
import { csrfToken, frameOf, type PageOptions, renderFault, renderPage, seeOther } from '../../web/respond.tsx'
import type { Role } from '../../web/site.ts'
import type { FaultName } from '../../web/texts.ts'
import type { OidcContext, Provider, SignedIn } from '../provider.ts'

export interface Visit {
  readonly provider: Provider
  readonly context: OidcContext
  readonly visitor: SignedIn
  readonly frame: Frame
  readonly csrf: (action: string) => string
  readonly show: (page: Child, options?: PageOptions) => Response
  /** @param path below the dashboard */
  readonly goTo: (path: string) => Response
  readonly fault: (fault: FaultName) => Response
  readonly missing: () => Response
}

export function visitOf(provider: Provider, context: OidcContext, visitor: SignedIn): Visit {
  const frame = frameOf(provider, context, { visitor })
  return {
    provider,
    context,
    visitor,
    frame,
    csrf: (action) => csrfToken(context, provider, visitor, action),
    show: (page, options) => renderPage(provider, context, page, options),
    goTo: (path) => seeOther(provider, context, frame.root + path),
    fault: (fault) => renderFault(provider, context, fault),
    missing: () => renderFault(provider, context, 'not_found', { status: 404 }),
  }
}

type Answer = Response | Promise<Response>

export function showing(role: Role, show: (visit: Visit) => Answer): PageHandler<Provider> {
  return visiting<Provider>(role, (...place) => show(visitOf(...place)))
}

/** @param action, options as in `submitting` */
export function acting(
  role: Role,
  action: string | ((context: OidcContext) => string),
  order: (visit: Visit, form: URLSearchParams) => Answer,
  options?: Parameters<typeof submitting>[3],
): PageHandler<Provider> {
  return submitting<Provider>(
    role,
    action,
    (...[provider, context, visitor, form]) => order(visitOf(provider, context, visitor), form),
    options,
  )
}
