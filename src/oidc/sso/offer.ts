import { csrfToken } from '../../web/respond.tsx'
import { rootOf } from '../../web/site.ts'
import type { OidcContext, Provider } from '../provider.ts'
import type { SsoOffer } from '../views/sign-in-page.tsx'

export const BEGIN = 'begin single sign-on'

/**
 * The button to the company's provider. It is a link, because browsers hold a form to the addresses that the page
 * names through every redirect behind it, and where a provider sends people on to is its own affair. Its token keeps
 * other sites from beginning a sign-in here (ADMIN-K5).
 * @param way to the page behind the sign-in, or to the request of an application
 */
export function offerOf(
  provider: Provider,
  context: OidcContext,
  way: { readonly next: string } | { readonly path: string },
): SsoOffer | undefined {
  const { identityProvider, config } = provider
  if (!identityProvider) return undefined
  const query = new URLSearchParams({ begin: csrfToken(context, provider, undefined, BEGIN) })
  if ('next' in way) query.set('next', way.next)
  const path = 'next' in way ? `${rootOf(provider)}/login` : way.path
  return {
    host: identityProvider.host,
    address: `${path}/sso?${query}`,
    isAway: identityProvider.isAway(),
    isRule: config.passwordSignIn === 'break-glass',
  }
}
