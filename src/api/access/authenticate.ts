/** Who calls: the bearer value of a request becomes a principal (OIDC-U2 to OIDC-U4, OIDC-U6, OIDC-U7). */

import { checkCredential, hashCredential, parseCredential, SECRET_PREFIXES } from '../../domain/accounts/credentials.ts'
import type { Reads, Writes } from '../../domain/ports/storage.ts'
import type { Credential } from '../../domain/ports/storage-records.ts'
import { keepNewest } from '../../limits/keep-newest.ts'
import { Problem } from '../respond.ts'
import type { Principal, VerifyAccessToken } from './access.ts'

/** About 300 bytes each; beyond so many the longest unused are forgotten and looked up again. */
const MAX_REMEMBERED = 10_000

/** RFC 6750 §2.1: the scheme is case-insensitive, the value a b64token. */
const BEARER = /^Bearer +([A-Za-z0-9._~+/-]+=*) *$/i

/** A remembered API credential: its user's own look-up compares it (SEARCH-Q14), or `authenticate` is asked first. */
export interface RememberedCredential {
  readonly principal: Principal
  readonly credential: Pick<Credential, 'id' | 'secretHash' | 'expiresAt' | 'scopes'>
  /** It is as it was: the request counts as a use. */
  readonly confirmed: () => void
}

export interface Authentication {
  authenticate(request: Request): Promise<Principal>
  remembered(request: Request): RememberedCredential | undefined
  readonly challenge: (attributes?: string) => string
}

/** @param resourceMetadataUrl RFC 9728: where clients learn which authorisation server gives tokens */
export function challengeOf(resourceMetadataUrl: string): Authentication['challenge'] {
  return (attributes = '') =>
    `Bearer realm="pilotwire", ${attributes && `${attributes}, `}resource_metadata="${resourceMetadataUrl}"`
}

export function createAuthentication(parts: {
  readonly reads: Pick<Reads, 'findCredential'>
  readonly writes: Pick<Writes, 'touchCredential'>
  readonly now: () => number
  readonly verifyAccessToken?: VerifyAccessToken | undefined
  readonly resourceMetadataUrl: string
  readonly log: { warn(fields: object, message: string): void }
}): Authentication {
  const { reads, writes, now, verifyAccessToken, resourceMetadataUrl, log } = parts
  const challenge = challengeOf(resourceMetadataUrl)
  const isUseDue = createLastUse(now)
  const byHash = new Map<string, Credential>()

  const touch = (credential: Credential): void => {
    if (!isUseDue(credential.id, credential.lastUsedAt)) return
    // A full disk must not refuse reads: that the time of use is not kept is worth a line, not an error.
    writes.touchCredential(credential.id, now()).catch((error: Error) => {
      log.warn({ credential: credential.id, error: error.message }, 'the last use of a credential could not be stored')
    })
  }
  const invalid = (description: string): Problem =>
    new Problem(401, 'invalid_token', `${description}.`, {
      headers: { 'www-authenticate': challenge(`error="invalid_token", error_description="${description}"`) },
    })

  const remember = (credential: Credential): void => {
    byHash.delete(credential.secretHash)
    byHash.set(credential.secretHash, credential)
    const [oldest] = byHash.keys()
    if (byHash.size > MAX_REMEMBERED && oldest !== undefined) byHash.delete(oldest)
  }

  const byCredential = async (text: string): Promise<Principal> => {
    const parsed = parseCredential(text)
    const credential = parsed && (await reads.findCredential(parsed.id))
    const state = credential ? checkCredential(text, credential, now()) : 'wrong'
    // Its next request is refused before it takes anything from the account's rate.
    if (state !== 'valid') byHash.delete(hashCredential(text))
    if (!credential || state === 'wrong') throw invalid('The API credential is not valid')
    if (state !== 'valid') throw invalid(`The API credential is ${state}`)
    touch(credential)
    remember(credential)
    return principalOf(credential)
  }

  return {
    challenge,
    remembered(request) {
      const value = BEARER.exec(request.headers.get('authorization') ?? '')?.[1]
      if (!value?.startsWith(SECRET_PREFIXES.apiCredential)) return undefined
      if (new URL(request.url).searchParams.has('access_token')) return undefined
      const credential = byHash.get(hashCredential(value))
      if (!credential || checkCredential(value, credential, now()) !== 'valid') return undefined
      const { id, secretHash, expiresAt, scopes } = credential
      return {
        principal: principalOf(credential),
        credential: { id, secretHash, expiresAt, scopes },
        confirmed: () => {
          touch(credential)
          remember(credential)
        },
      }
    },
    async authenticate(request) {
      const header = request.headers.get('authorization') ?? ''
      if (header !== '' && new URL(request.url).searchParams.has('access_token')) {
        throw new Problem(400, 'invalid_request', 'Send the token once, in the Authorization header.', {
          headers: { 'www-authenticate': challenge('error="invalid_request"') },
        })
      }
      // Also for `?access_token=`: a token in an address ends up in logs, so it is never accepted (RFC 9700).
      if (!header || !/^Bearer(\s|$)/i.test(header)) {
        throw new Problem(401, 'unauthorized', 'Send an API credential or an access token as Authorization: Bearer.', {
          headers: { 'www-authenticate': challenge() },
        })
      }
      const value = BEARER.exec(header)?.[1]
      if (value === undefined) throw invalid('The bearer value is malformed')
      if (value.startsWith(SECRET_PREFIXES.apiCredential)) return byCredential(value)
      const principal = await verifyAccessToken?.(value)
      if (!principal) throw invalid('The access token is unknown, expired or revoked')
      return principal
    },
  }
}

function principalOf({ id, accountId, scopes }: Credential): Principal {
  return { kind: 'credential', accountId, credentialId: id, scopes }
}

/** "Last used" on the dashboard need not be finer, and a write per request would be dear. */
const INTERVAL_MS = 60_000

/** Whether this use is to be written. @param lastUsedAt already written, in milliseconds since the epoch */
export function createLastUse(now: () => number): (id: string, lastUsedAt: number | undefined) => boolean {
  const writtenAt = new Map<string, number>()
  return (id, lastUsedAt) => {
    const at = now()
    const last = writtenAt.get(id) ?? lastUsedAt
    // A mark from the future means that the clock was put back.
    if (last !== undefined && at >= last && at - last < INTERVAL_MS) return false
    keepNewest(writtenAt, id, at, MAX_REMEMBERED)
    return true
  }
}
