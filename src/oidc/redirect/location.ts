/** The address a browser is sent to with an answer (OIDC-A15). */

/** Appends parameters to a validated redirect_uri; its own query stays as registered. */
export function answerLocation(redirectUri: string, answer: Readonly<Record<string, string | undefined>>): string {
  const query = Object.entries(answer)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${encodeURIComponent(value.toWellFormed())}`]))
    .join('&')
  const separator = !redirectUri.includes('?') ? '?' : /[?&]$/.test(redirectUri) ? '' : '&'
  return redirectUri + separator + query
}
