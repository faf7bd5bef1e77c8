/** The charge point's identity in its URL (OCPP-T1 to OCPP-T3). */
import { hasUntyped } from '../domain/typed-text.ts'

type IdentityReading =
  | { readonly ok: true; readonly identity: string }
  | { readonly ok: false; readonly status: 400 | 404; readonly reason: string }

const PREFIX = '/ocpp/'
/** OCPP-T3: OCPP 1.6 has no limit; the log and the pages need one. */
export const IDENTITY_LIMIT = 255
/** OCPP 2.0.1 part 4 §3.1.1: identifierString without the colon, at most 48 characters. */
const IDENTITY_OF_201 = /^[A-Za-z0-9*\-_=+|@.]{1,48}$/

/** Split at `/`, decoded once (OCPP-T1); a double slash is accepted. Never throws (OCPP-T2). */
export function readIdentity(target: string): IdentityReading {
  const path = withoutQuery(target)
  if (!path.startsWith(PREFIX)) return refused(404, 'OCPP is spoken at /ocpp/ followed by the identity.')
  const segments = path.slice(PREFIX.length).replace(/^\/+/, '').split('/')
  if (segments.length > 1 && segments.at(-1) === '') segments.pop()
  const [segment, ...further] = segments
  if (segment === undefined || segment === '') return refused(404, 'The identity is missing after /ocpp/.')
  if (further.length > 0) return refused(404, 'The identity is one path segment: write a slash in it as %2F.')
  const identity = decode(segment)
  if (identity === undefined) return refused(400, 'The identity is not valid percent-encoded UTF-8.')
  const fault = identityFault(identity)
  return fault === undefined ? { ok: true, identity } : refused(400, `The identity ${fault}.`)
}

/** OCPP-T3: why no charge point of either version can connect with this identity. */
export function identityFault(identity: string): string | undefined {
  if (identity === '') return 'must not be empty'
  if (identity.length > IDENTITY_LIMIT) return `must be at most ${IDENTITY_LIMIT} characters long`
  if (hasUntyped(identity)) return 'must not contain control or invisible characters'
  if (identity === '.' || identity === '..') return 'cannot be a path segment'
  return undefined
}

export function isIdentityOf201(identity: string): boolean {
  return IDENTITY_OF_201.test(identity)
}

export function isOcppTarget(target: string): boolean {
  const path = withoutQuery(target)
  return path.startsWith(PREFIX) || path === PREFIX.slice(0, -1)
}

function withoutQuery(target: string): string {
  const query = target.indexOf('?')
  return query < 0 ? target : target.slice(0, query)
}

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}

function refused(status: 400 | 404, reason: string): IdentityReading {
  return { ok: false, status, reason }
}
