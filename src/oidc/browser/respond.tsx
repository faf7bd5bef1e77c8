/** How pages and redirects leave the dashboard: the headers of OIDC-A19, one way for everything. */
import { createHash } from 'node:crypto'
import type { Child } from 'hono/jsx'
import type { Frame } from '../../web/layout.tsx'
import { ErrorPage, OtherAddressPage } from '../../web/message-page.tsx'
import { chooseLanguage, type FaultName, textsOf } from '../../web/texts.ts'
import type { RedirectedError } from '../authorize/request.ts'
import { isUnavailable } from '../back-channel/oauth-error.ts'
import { cameFromOtherAddress, csrfToken } from '../login/csrf.ts'
import type { Visitor } from '../login/visitor.ts'
import type { OidcContext, Provider } from '../provider.ts'
import { answerLocation, formActionSource } from '../redirect/location.ts'

export interface PageOptions {
  readonly status?: number
  /** Where the forms of the page may lead in the end (OIDC-K5). */
  readonly redirectUri?: string
  readonly headers?: Readonly<Record<string, string>>
  /**
   * The page keeps itself up to date: its policy lets it run our module, and it is answered 304 while nothing changed.
   */
  readonly live?: boolean
}

/** The page's frame: language, and the navigation when `visitor` is given. */
export function frameOf(
  provider: Provider,
  context: OidcContext,
  options: { readonly visitor?: Visitor; readonly uiLocales?: string } = {},
): Frame {
  const { visitor, uiLocales } = options
  const wanted = uiLocales ?? context.req.query('ui_locales')
  const language = chooseLanguage(wanted, context.req.header('accept-language'))
  return {
    language,
    texts: textsOf(language),
    root: rootOf(provider),
    ...(visitor && {
      visitor: {
        name: visitor.user.email,
        administrator: visitor.user.role === 'administrator',
        at: context.req.path,
        signOutCsrf: csrfToken(context, provider, visitor, 'sign out'),
      },
    }),
  }
}

/** Path of the dashboard, without a trailing slash: empty when it has a host of its own. */
export function rootOf({ config }: Pick<Provider, 'config'>): string {
  return new URL(config.dashboardUrl).pathname.replace(/\/$/, '')
}

/** Where people land who came for no page in particular. */
export function homeOf(provider: Pick<Provider, 'config' | 'pages'>): string {
  return rootOf(provider) + (provider.pages?.home ?? '/applications')
}

export function renderPage(
  provider: Provider,
  context: OidcContext,
  page: Child,
  { status = 200, redirectUri, headers = {}, live = false }: PageOptions = {},
): Response {
  const html = `<!doctype html>${String(page)}`
  const etag = live ? `W/"${createHash('sha256').update(html).digest('base64url').slice(0, 22)}"` : undefined
  const unchanged = etag !== undefined && context.req.header('if-none-match') === etag
  const response = unchanged ? context.body(null, 304) : context.html(html)
  const result = new Response(response.body, { status: unchanged ? 304 : status, headers: response.headers })
  const all = { ...safeHeaders(provider, { redirectUri, live }), ...(etag !== undefined && { etag }), ...headers }
  for (const [name, value] of Object.entries(all)) result.headers.set(name, value)
  return result
}

/** A refusal that the user sees; there is no way back to an application (PAGE400). */
export function renderFault(
  provider: Provider,
  context: OidcContext,
  fault: FaultName,
  options: PageOptions & { readonly detail?: string } = {},
): Response {
  const { detail, ...page } = options
  const frame = frameOf(provider, context)
  const body = <ErrorPage frame={frame} fault={fault} {...(detail !== undefined && { detail })} />
  return renderPage(provider, context, body, { status: 400, ...page })
}

/** 403 for a form that is not our own (OIDC-L2). Whoever merely opened us at another address is told the right one. */
export function renderForeignForm(provider: Provider, context: OidcContext): Response {
  if (!cameFromOtherAddress(context, provider)) return renderFault(provider, context, 'forged', { status: 403 })
  const page = <OtherAddressPage frame={frameOf(provider, context)} address={provider.config.dashboardUrl} />
  return renderPage(provider, context, page, { status: 403 })
}

export function renderFailure(provider: Provider, context: OidcContext, error: unknown): Response {
  provider.log.error({ error: error instanceof Error ? error.message : String(error) }, 'a page failed')
  return isUnavailable(error)
    ? renderFault(provider, context, 'unavailable', { status: 503, headers: { 'retry-after': '5' } })
    : renderFault(provider, context, 'failed', { status: 500 })
}

/** Always 303: a 307 would repeat the form, with the password in it, elsewhere (OIDC-A15, part 12 row 20). */
export function seeOther(provider: Provider, context: OidcContext, location: string): Response {
  const response = context.redirect(location, 303)
  for (const [name, value] of Object.entries(safeHeaders(provider))) response.headers.set(name, value)
  return response
}

/** To the application, with `iss` against mix-ups (OIDC-A12). */
export function answerApplication(
  provider: Provider,
  context: OidcContext,
  { redirectUri, state }: { readonly redirectUri: string; readonly state?: string },
  answer: Readonly<Record<string, string>>,
): Response {
  const parameters = { ...answer, ...(state !== undefined && { state }), iss: provider.issuer }
  return seeOther(provider, context, answerLocation(redirectUri, parameters))
}

export function answerError(provider: Provider, context: OidcContext, failed: RedirectedError): Response {
  return answerApplication(provider, context, failed, { error: failed.error, error_description: failed.description })
}

function safeHeaders(
  { config }: Provider,
  { redirectUri, live = false }: { readonly redirectUri?: string | undefined; readonly live?: boolean } = {},
): Readonly<Record<string, string>> {
  const formAction = ["'self'", ...(redirectUri === undefined ? [] : [formActionSource(redirectUri)])].join(' ')
  return {
    'cache-control': 'no-store',
    // Under no-referrer Chromium sends `Origin: null` with our own forms, and none would be accepted.
    'referrer-policy': 'same-origin',
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
    'content-security-policy': [
      "default-src 'none'",
      "style-src 'self'",
      "img-src 'self' data:",
      ...(live ? ["script-src 'self'", "connect-src 'self'"] : []),
      "frame-ancestors 'none'",
      "base-uri 'none'",
      `form-action ${formAction}`,
    ].join('; '),
    ...(config.dashboardUrl.startsWith('https:') && { 'strict-transport-security': 'max-age=31536000' }),
  }
}
