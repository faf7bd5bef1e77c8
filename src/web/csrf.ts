/** Whether our own page sent a form (OIDC-L2, OIDC-L3): a token bound to the session, and the browser's headers. */
import { browserId } from './cookies.ts'
import { equalHashes, macOf } from './mac.ts'
import type { PageContext, Site, Visitor } from './site.ts'

type CsrfContext = Pick<Site, 'config' | 'csrfKey' | 'random'>
type Holder = Pick<Visitor, 'session'>

/** @param action the token is good for this form only */
export function csrfToken(
  context: PageContext,
  place: CsrfContext,
  visitor: Holder | undefined,
  action: string,
): string {
  // Before sign-in the browser's own cookie takes the place of the session (login CSRF).
  const holder = visitor ? `session ${visitor.session.idHash}` : `browser ${browserId(context, place)}`
  return macOf(place.csrfKey, holder, action)
}

export function isOwnToken(
  context: PageContext,
  place: CsrfContext,
  visitor: Holder | undefined,
  action: string,
  token: string | undefined,
): boolean {
  return equalHashes(csrfToken(context, place, visitor, action), token ?? '')
}

export function isOwnForm(...request: Parameters<typeof isOwnToken>): boolean {
  const [context, place] = request
  return cameFromHere(context, place) && isOwnToken(...request)
}

/** The form is of this very server, but was opened at another address of it than the configured one. */
export function cameFromOtherAddress({ req }: PageContext, { config }: Pick<Site, 'config'>): boolean {
  const origin = req.header('origin')
  if (origin === undefined || !URL.canParse(origin) || origin === new URL(config.dashboardUrl).origin) return false
  const site = req.header('sec-fetch-site')
  // Browsers leave Sec-Fetch-Site out at plain http addresses that are not loopback.
  return site === undefined ? new URL(origin).host === req.header('host') : site === 'same-origin'
}

/** `Origin: null` is a sandboxed frame or a redirect across origins: refused. */
export function cameFromHere({ req }: PageContext, { config }: Pick<Site, 'config'>): boolean {
  const site = req.header('sec-fetch-site')
  const origin = req.header('origin')
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false
  return origin === undefined || origin === new URL(config.dashboardUrl).origin
}
