/** Which redirect addresses a client may register (OIDC-G4, OIDC-A5). */

const MAX_CHARACTERS = 2048
export const MAX_REDIRECT_URIS = 10
/** Schemes that run code, read files or belong to the browser. */
const FORBIDDEN_SCHEMES: ReadonlySet<string> = new Set([
  'javascript',
  'data',
  'vbscript',
  'file',
  'blob',
  'about',
  'ws',
  'wss',
  'ftp',
  'intent',
])
/** Special in a header or a list of addresses (OIDC-R9), also where RFC 3986 allows it; escaped controls. */
const UNSAFE = /[;,'"`\s\p{C}]|%(?:[01][0-9A-Fa-f]|7[Ff])/u
/** RFC 3986 characters; every % starts an escape. */
const GRAMMAR = /^([A-Za-z][A-Za-z0-9+.-]*):((?:[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})+)$/
export const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost'])

/** What is wrong with an address; undefined when it may be registered. The sentence completes "redirect_uri …". */
export function redirectComplaint(uri: string, applicationType: 'web' | 'native'): string | undefined {
  if (uri.length > MAX_CHARACTERS) return `is longer than ${MAX_CHARACTERS} characters`
  if (UNSAFE.test(uri)) return 'has a semicolon, comma, quote, space, control or invisible character'
  const match = GRAMMAR.exec(uri)
  if (!match) return 'is no absolute URI (RFC 3986): no backslashes, no letters beyond ASCII'
  const scheme = (match[1] ?? '').toLowerCase()
  if (FORBIDDEN_SCHEMES.has(scheme)) return `uses the scheme ${scheme}, which is not allowed`
  if (!uri.startsWith(`${scheme}:`)) return 'writes its scheme with capital letters'
  if (uri.includes('#')) return 'has a fragment'
  if (uri.includes('*')) return 'has a wildcard: register each address'
  if (/(^|\/)(\.|%2e){1,2}(\/|$|\?)/i.test(uri)) return 'has dot segments'
  if (!URL.canParse(uri)) return 'is no absolute URI'
  return scheme === 'https' || scheme === 'http' ? webComplaint(uri) : privateComplaint(uri, scheme, applicationType)
}

function webComplaint(uri: string): string | undefined {
  const url = new URL(uri)
  if (/^https?:\/\/[^/?]*@/.test(uri)) return 'has user information before an @'
  const plain = `${url.protocol}//${url.host}`
  // Capital letters, default ports and other spellings would compare unequal later.
  if (url.host === '' || !uri.startsWith(plain) || !/^([/?]|$)/.test(uri.slice(plain.length))) {
    return `does not write its host the plain way: begin with ${plain}`
  }
  if (url.protocol === 'http:' && !LOOPBACK_HOSTS.has(url.hostname))
    return 'uses http outside the own machine: use https'
  return undefined
}

function privateComplaint(uri: string, scheme: string, applicationType: 'web' | 'native'): string | undefined {
  if (applicationType === 'web') return 'needs https; other schemes are for application_type native'
  if (!scheme.includes('.')) return 'needs a scheme in reverse domain notation, such as com.example.app:/callback'
  if (uri.includes('@')) return 'has user information before an @'
  return undefined
}
