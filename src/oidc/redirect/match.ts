/** Whether a redirect_uri is one of the client's: byte for byte, nothing is normalised (OIDC-A3). */

const LOOPBACK = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::([1-9]\d{0,4}))?([/?].*|)$/s

interface RedirectRules {
  readonly redirectUris: readonly string[]
  readonly applicationType: 'web' | 'native'
}

/** Byte equality; a native client's loopback port is free (RFC 8252 §7.3, OIDC-A4). Hosts stay different. */
export function matchesRedirect({ redirectUris, applicationType }: RedirectRules, received: string): boolean {
  if (redirectUris.includes(received)) return true
  if (applicationType !== 'native') return false
  const requested = loopbackParts(received)
  if (!requested) return false
  return redirectUris.some((uri) => {
    const known = loopbackParts(uri)
    return known !== undefined && known.host === requested.host && known.rest === requested.rest
  })
}

function loopbackParts(uri: string): { readonly host: string; readonly rest: string } | undefined {
  const match = LOOPBACK.exec(uri)
  if (!match || Number(match[2] ?? 1) > 65_535) return undefined
  return { host: match[1] ?? '', rest: match[3] ?? '' }
}

interface RedirectDifference {
  readonly registered: string
  /** Number of the first character that differs, from 1. */
  readonly character: number
  readonly expected: string
  readonly received: string
}

/** The registered address that begins most like the received one, and where they part (for the developer). */
export function nearestRedirect(redirectUris: readonly string[], received: string): RedirectDifference | undefined {
  const differences = redirectUris.map((registered) => {
    let same = 0
    while (same < registered.length && same < received.length && registered[same] === received[same]) same++
    return {
      registered,
      character: same + 1,
      expected: registered.slice(same, same + 12),
      received: received.slice(same, same + 12),
    }
  })
  return differences.sort((a, b) => b.character - a.character)[0]
}
