/** How pages and redirects leave the dashboard: the headers of oidc.md A19, one way for everything. */
import type { Child } from 'hono/jsx'
import type { Frame } from '../../dashboard/layout.tsx'
import { ErrorPage } from '../../dashboard/message-page.tsx'
import { chooseLanguage, type FaultName, textsOf } from '../../dashboard/texts.ts'
import type { RedirectedError } from '../authorize/request.ts'
import { isUnavailable } from '../back-channel/oauth-error.ts'
import { csrfToken } from '../login/csrf.ts'
import type { Visitor } from '../login/visitor.ts'
import type { OidcContext, Provider } from '../provider.ts'
import { answerLocation, formActionSource } from '../redirect/location.ts'

export interface PageOptions {
  readonly status?: number
  /** Where the forms of the page may lead in the end (K5). */
  readonly redirectUri?: string
  readonly headers?: Readonly<Record<string, string>>
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
  { status = 200, redirectUri, headers = {} }: PageOptions = {},
): Response {
  const response = context.html(`<!doctype html>${String(page)}`)
  const result = new Response(response.body, { status, headers: response.headers })
  for (const [name, value] of Object.entries({ ...safeHeaders(provider, redirectUri), ...headers })) {
    result.headers.set(name, value)
  }
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

export function renderFailure(provider: Provider, context: OidcContext, error: unknown): Response {
  provider.log.error({ error: error instanceof Error ? error.message : String(error) }, 'a page failed')
  return isUnavailable(error)
    ? renderFault(provider, context, 'unavailable', { status: 503, headers: { 'retry-after': '5' } })
    : renderFault(provider, context, 'failed', { status: 500 })
}

/** Always 303: a 307 would repeat the form, with the password in it, elsewhere (A15, part 12 row 20). */
export function seeOther(provider: Provider, context: OidcContext, location: string): Response {
  const response = context.redirect(location, 303)
  for (const [name, value] of Object.entries(safeHeaders(provider, undefined))) response.headers.set(name, value)
  return response
}

/** To the application, with `iss` against mix-ups (A12). */
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

function safeHeaders({ config }: Provider, redirectUri: string | undefined): Readonly<Record<string, string>> {
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
      "frame-ancestors 'none'",
      "base-uri 'none'",
      `form-action ${formAction}`,
    ].join('; '),
    ...(config.dashboardUrl.startsWith('https:') && { 'strict-transport-security': 'max-age=31536000' }),
  }
}
