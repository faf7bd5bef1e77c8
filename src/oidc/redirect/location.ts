/**
 * The address a browser is sent to with an answer, and what the page that leads there must allow (OIDC-A15, OIDC-K5).
 */

/** Appends parameters to a validated redirect_uri; its own query stays as registered. */
export function answerLocation(redirectUri: string, answer: Readonly<Record<string, string | undefined>>): string {
  const query = Object.entries(answer)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${encodeURIComponent(value.toWellFormed())}`]))
    .join('&')
  const separator = !redirectUri.includes('?') ? '?' : /[?&]$/.test(redirectUri) ? '' : '&'
  return redirectUri + separator + query
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
