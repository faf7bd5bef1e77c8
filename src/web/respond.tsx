/** How pages and redirects leave the dashboard: the headers of OIDC-A19, one way for everything. */
import { createHash } from 'node:crypto'
import type { Child } from 'hono/jsx'
import { may } from '../domain/accounts/roles.ts'
import { browserId, equalHashes, macOf } from './cookies.ts'
import type { Frame } from './frame/frame.ts'
import { ErrorPage, OtherAddressPage } from './message-page.tsx'
import { pageSizeOf } from './page-size.ts'
import { type PageContext, rootOf, type Site, type Visitor } from './site.ts'
import { chooseLanguage, type FaultName, textsOf } from './texts.ts'

export interface PageOptions {
  readonly status?: number | undefined
  /** Where the forms of the page may lead in the end (OIDC-K5). */
  readonly redirectUri?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** The page keeps itself up to date: its policy allows our module, and it is answered 304 while unchanged. */
  readonly live?: boolean | undefined
}

export function frameOf(
  site: Site,
  context: PageContext,
  options: { readonly visitor?: Visitor | undefined; readonly uiLocales?: string | undefined } = {},
): Frame {
  const { visitor, uiLocales } = options
  const requested = uiLocales ?? context.req.query('ui_locales') ?? visitor?.person.language
  const language = chooseLanguage(requested, context.req.header('accept-language'))
  return {
    language,
    texts: textsOf(language),
    root: rootOf(site),
    now: site.now(),
    timeZone: visitor?.person.timeZone ?? site.timeZone,
    pageSize: pageSizeOf(context.req.query('size')),
    ...(visitor && {
      visitor: {
        name: visitor.user.name ?? visitor.user.email,
        role: visitor.user.role,
        administrator: may(visitor.user.role, 'administrator'),
        sees: may(visitor.user.role, 'see'),
        at: context.req.path,
        signOutCsrf: csrfToken(context, site, visitor, 'sign out'),
        openAlerts: visitor.person.openAlerts,
        counts: visitor.person.counts,
      },
    }),
  }
}

export function renderPage(
  site: Site,
  context: PageContext,
  page: Child,
  { status = 200, redirectUri, headers = {}, live = false }: PageOptions = {},
): Response {
  const html = `<!doctype html>${String(page)}`
  const etag = live ? `W/"${createHash('sha256').update(html).digest('base64url').slice(0, 22)}"` : undefined
  const unchanged = etag !== undefined && context.req.header('if-none-match') === etag
  const response = unchanged ? context.body(null, 304) : context.html(html)
  const result = new Response(response.body, { status: unchanged ? 304 : status, headers: response.headers })
  const all = { ...safeHeaders(site, { redirectUri, live }), ...(etag !== undefined && { etag }), ...headers }
  for (const [name, value] of Object.entries(all)) result.headers.set(name, value)
  return result
}

/** A refusal that the user sees; there is no way back to an application (PAGE400). */
export function renderFault(
  site: Site,
  context: PageContext,
  fault: FaultName,
  options: PageOptions & { readonly detail?: string | undefined; readonly visitor?: Visitor | undefined } = {},
): Response {
  const { detail, visitor, ...page } = options
  const frame = frameOf(site, context, { visitor })
  const body = <ErrorPage frame={frame} fault={fault} detail={detail} />
  return renderPage(site, context, body, { status: 400, ...page })
}

/** 403 for a form that is not our own (OIDC-L2). A user who opened us at another address sees the right one. */
export function renderForeignForm(site: Site, context: PageContext): Response {
  if (!cameFromOtherAddress(context, site)) return renderFault(site, context, 'forged', { status: 403 })
  const page = <OtherAddressPage frame={frameOf(site, context)} address={site.config.dashboardUrl} />
  return renderPage(site, context, page, { status: 403 })
}

export function renderFailure(site: Site, context: PageContext, error: unknown): Response {
  site.log.error({ error: error instanceof Error ? error.message : String(error) }, 'a page failed')
  return site.isUnavailable(error)
    ? renderFault(site, context, 'unavailable', { status: 503, headers: { 'retry-after': '5' } })
    : renderFault(site, context, 'failed', { status: 500 })
}

/** Always 303: a 307 would repeat the form, with the password in it, elsewhere (OIDC-A15). */
export function seeOther(site: Site, context: PageContext, location: string): Response {
  const response = context.redirect(location, 303)
  for (const [name, value] of Object.entries(safeHeaders(site))) response.headers.set(name, value)
  return response
}

/** The headers of everything that leaves the dashboard (OIDC-A19). */
function safeHeaders(
  { config }: Pick<Site, 'config'>,
  { redirectUri, live = false }: Pick<PageOptions, 'redirectUri' | 'live'> = {},
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

/**
 * CSP source for `form-action`: browsers apply it to the redirects after a form as well. A bracketed IPv6 host is no
 * valid source, so its scheme must do; the same for private schemes, and for every host with a character that sources
 * do not have: whatever stands in the database, nothing but one source comes out (OIDC-R9).
 */
export function formActionSource(redirectUri: string): string {
  if (!URL.canParse(redirectUri)) return "'none'"
  const { protocol, origin } = new URL(redirectUri)
  return PLAIN_ORIGIN.test(origin) ? origin : protocol
}

const PLAIN_ORIGIN = /^https?:\/\/[a-z0-9.-]+(?::\d+)?$/

/** Whether our own page sent a form (OIDC-L2, OIDC-L3): a token bound to the session, and the browser's headers. */
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
function cameFromOtherAddress({ req }: PageContext, { config }: Pick<Site, 'config'>): boolean {
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
