/** Whether a form was sent by our own page (L2, L3): a token bound to the login session, and the browser's own word. */
import type { OidcContext, Provider } from '../provider.ts'
import { derivedKey, equalHashes, macOf } from '../secrets.ts'
import { browserId } from './cookies.ts'
import type { Visitor } from './visitor.ts'

type Place = Pick<Provider, 'config' | 'random'>

/** @param action the token is good for this form only */
export function csrfToken(context: OidcContext, place: Place, visitor: Visitor | undefined, action: string): string {
  // Before sign-in the browser's own cookie takes the place of the session (login CSRF).
  const holder = visitor ? `session ${visitor.session.idHash}` : `browser ${browserId(context, place)}`
  return macOf(derivedKey(place.config.secretKey, 'csrf'), holder, action)
}

export function isOwnForm(
  context: OidcContext,
  place: Place,
  visitor: Visitor | undefined,
  action: string,
  token: string | undefined,
): boolean {
  return cameFromHere(context, place) && equalHashes(csrfToken(context, place, visitor, action), token ?? '')
}

/** `Origin: null` is a sandboxed frame or a redirect across origins: refused. */
export function cameFromHere({ req }: OidcContext, { config }: Pick<Provider, 'config'>): boolean {
  const site = req.header('sec-fetch-site')
  const origin = req.header('origin')
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false
  return origin === undefined || origin === new URL(config.dashboardUrl).origin
}
