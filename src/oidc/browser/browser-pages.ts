import type { Hono } from 'hono'
import { fixedDocument, ICON, STYLE, STYLE_PATH } from '../../web/fixed-document.ts'
import { absent, pageMounter } from '../../web/mount.ts'
import { seeOther } from '../../web/respond.tsx'
import { rootOf } from '../../web/site.ts'
import { authorizeByGet, authorizeByPost } from '../authorize/endpoint.ts'
import { showInteraction, submitConsent, submitSignIn, switchUser } from '../authorize/interaction-pages.tsx'
import { createSignIn } from '../login/sign-in.ts'
import { disconnect, showApplications, showSelection, submitSelection } from '../pages/applications.tsx'
import { actOnClient, changeClient, createClient, showClient, showClients } from '../pages/clients.tsx'
import { createCredential, revokeCredential, showCredentials } from '../pages/credentials.tsx'
import { ownPasswordForms, showOwnPassword } from '../pages/own-password.tsx'
import { showPasswordLink, submitPasswordLink } from '../pages/password-link.tsx'
import { endSignIn, showSignIn, showSignIns, signOut, submitDashboardSignIn } from '../pages/sign-in.tsx'
import type { OidcContext, OidcEnv, Provider } from '../provider.ts'
import { singleSignOn } from '../sso/sign-in.ts'
import { homeOf } from './home.ts'
import { logoutByGet, logoutByPost } from './logout.tsx'

export function mountBrowserPages(app: Hono<OidcEnv>, provider: Provider): void {
  const root = rootOf(provider)
  const signIn = createSignIn(provider)
  const page = pageMounter(app, provider)
  page('/oauth/authorize', { GET: authorizeByGet, POST: authorizeByPost })
  page('/oauth/interaction/:id', { GET: showInteraction })
  page('/oauth/interaction/:id/login', { POST: (...args) => submitSignIn(...args, signIn), GET: toInteraction })
  page('/oauth/interaction/:id/consent', { POST: submitConsent, GET: toInteraction })
  page('/oauth/interaction/:id/switch', { POST: switchUser, GET: toInteraction })
  page('/oauth/logout', { GET: logoutByGet, POST: logoutByPost })
  page('/login', { GET: showSignIn, POST: (...args) => submitDashboardSignIn(...args, signIn) })
  const sso = provider.identityProvider && singleSignOn(provider, provider.identityProvider)
  if (sso) {
    page('/login/sso', { GET: sso.begin })
    page('/login/sso/callback', { GET: sso.answered })
    page('/oauth/interaction/:id/sso', { GET: sso.beginFor })
  }
  page('/logout', { POST: signOut })
  page('/password/:link', { GET: showPasswordLink, POST: submitPasswordLink })
  const own = ownPasswordForms(provider)
  page('/account', { GET: showOwnPassword, POST: own.changePassword })
  page('/account/display', { POST: own.keepDisplay })
  page('/account/enrol', { POST: own.enrol })
  page('/account/confirm', { POST: own.confirm })
  page('/account/remove', { POST: own.remove })
  page('/sign-ins', { GET: showSignIns })
  page('/sign-ins/:sid/end', { POST: endSignIn })
  page('/applications', { GET: showApplications })
  page('/applications/:grantId', { GET: showSelection, POST: submitSelection })
  page('/applications/:grantId/disconnect', { POST: disconnect })
  page('/developer/clients', { GET: showClients, POST: createClient, names: 'name' })
  page('/developer/clients/:clientId', { GET: showClient, POST: changeClient })
  page('/developer/clients/:clientId/:action', { POST: actOnClient })
  page('/developer/credentials', { GET: showCredentials, POST: createCredential, names: 'name' })
  page('/developer/credentials/:credentialId/revoke', { POST: revokeCredential })
  if (provider.pages?.home !== '') {
    for (const home of root === '' ? ['/'] : ['', '/']) {
      page(home, {
        GET: async (...[, context]) =>
          seeOther(provider, context, homeOf(provider, (await provider.findVisitor(context))?.user)),
      })
    }
  }
  if (root !== '') app.get('/', (context) => seeOther(provider, context, homeOf(provider)))
  const style = fixedDocument(() => STYLE, {
    'content-type': 'text/css; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
  })
  app.get(root + STYLE_PATH, ({ req }) => style(req))
  const icon = fixedDocument(() => ICON, {
    'content-type': 'image/svg+xml',
    'cache-control': 'public, max-age=86400',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
    'x-content-type-options': 'nosniff',
  })
  for (const address of [`${root}/assets/icon.svg`, '/favicon.ico']) app.get(address, ({ req }) => icon(req))
}

/** To be called when all pages are there: what is left of the dashboard's addresses is a page, too (CONSOLE-A6). */
export function mountAbsent(app: Hono<OidcEnv>, provider: Provider): void {
  const root = rootOf(provider)
  if (root !== '') app.all(`${root}/*`, (context) => absent(provider, context))
}

/** A reload of the answer to a form asks for its address: back to the page it came from. */
function toInteraction(provider: Provider, context: OidcContext): Response {
  return seeOther(provider, context, `${rootOf(provider)}/oauth/interaction/${context.req.param('id') ?? ''}`)
}
