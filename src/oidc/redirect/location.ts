/** The address a browser is sent to with an answer, and what the page that leads there must allow (A15, K5). */

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
 * valid source, so its scheme must do; the same for private schemes.
 */
export function formActionSource(redirectUri: string): string {
  const { protocol, origin, hostname } = new URL(redirectUri)
  if (protocol !== 'https:' && protocol !== 'http:') return protocol
  return hostname.startsWith('[') ? protocol : origin
}
