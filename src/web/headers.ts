/** The headers of everything that leaves the dashboard (OIDC-A19). */
import type { Site } from './site.ts'

export interface Allowed {
  /** Where the forms of the page may lead in the end (OIDC-K5). */
  readonly redirectUri?: string | undefined
  readonly live?: boolean | undefined
}

export function safeHeaders(
  { config }: Pick<Site, 'config'>,
  { redirectUri, live = false }: Allowed = {},
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
