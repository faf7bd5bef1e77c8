/** `pilotwire oauth explain`: faults of an authorization address, or the fate of a code or token (OIDC-N3). */

import { SECRET_PREFIXES } from '../../domain/accounts/credentials.ts'
import { MAX_CODE_FAILURES } from '../../domain/grants/judge.ts'
import type { OidcReads } from '../../domain/ports/storage-oidc.ts'
import { parseAuthorization, single } from '../authorize/parse.ts'
import { hashOf } from '../oidc-secrets.ts'
import { challengeOf, isVerifier } from '../pkce.ts'
import { nearestRedirect } from '../redirect/match.ts'

interface Explanation {
  readonly what: 'authorization request' | 'authorization code' | 'access token' | 'refresh token' | 'unknown'
  readonly usable: boolean
  readonly findings: readonly string[]
}

export interface Question {
  readonly text: string
  readonly verifier?: string | undefined
  readonly redirectUri?: string | undefined
}

type Reads = Pick<OidcReads, 'findClient' | 'findCode' | 'findAccessToken' | 'findRefreshToken' | 'findGrant'>

export async function explain(reads: Reads, question: Question, baseUrl: string, now: number): Promise<Explanation> {
  const { text } = question
  if (/^(https?:\/\/|\/).*\?/.test(text)) return explainRequest(reads, new URL(text, baseUrl).searchParams, baseUrl)
  if (text.startsWith(SECRET_PREFIXES.accessToken)) return explainAccess(reads, text, now)
  if (text.startsWith(SECRET_PREFIXES.refreshToken)) return explainRefresh(reads, text, now)
  return explainCode(reads, question, now)
}

async function explainRequest(reads: Reads, params: URLSearchParams, baseUrl: string): Promise<Explanation> {
  const clientId = single(params, 'client_id')
  const client = typeof clientId === 'string' ? await reads.findClient(clientId) : undefined
  const parsed = parseAuthorization(params, client, baseUrl)
  const what = 'authorization request' as const
  if (parsed.kind === 'request') {
    return { what, usable: true, findings: ['Every parameter is right: the user is asked to sign in and approve.'] }
  }
  if (parsed.kind === 'error') {
    const { error, description } = parsed.error
    return { what, usable: false, findings: [`The application is answered error=${error}: ${description}.`] }
  }
  const difference =
    parsed.fault === 'redirect_uri_unregistered' && client
      ? nearestRedirect(client.redirectUris, params.get('redirect_uri') ?? '')
      : undefined
  const findings = [
    `The user sees an error page: ${parsed.fault.replaceAll('_', ' ')}.`,
    ...(difference
      ? [
          `Nearest registered address: ${difference.registered}`,
          `They part at character ${difference.character}: registered ${quoted(difference.expected)}, received ${quoted(difference.received)}.`,
        ]
      : []),
  ]
  return { what, usable: false, findings }
}

async function explainCode(reads: Reads, { text, verifier, redirectUri }: Question, now: number): Promise<Explanation> {
  const code = await reads.findCode(hashOf(text))
  if (!code) {
    const findings = ['Nothing is known of it: it was never issued here, or it expired more than a day ago.']
    return { what: 'unknown', usable: false, findings }
  }
  const grant = await reads.findGrant(code.grantId)
  const ended = [
    ...(code.usedAt !== undefined ? [`It was exchanged ${ago(now - code.usedAt)}; a code works once.`] : []),
    ...(code.expiresAt <= now ? [`It expired ${ago(now - code.expiresAt)}.`] : []),
    ...(code.failures >= MAX_CODE_FAILURES ? [`It is burned by ${code.failures} wrong attempts.`] : []),
    ...(grant?.revokedAt !== undefined ? [`The user disconnected the application ${ago(now - grant.revokedAt)}.`] : []),
  ]
  const mismatches = [
    ...(redirectUri !== undefined && redirectUri !== code.redirectUri
      ? differenceOf('redirect_uri', code.redirectUri, redirectUri)
      : []),
    ...(verifier === undefined ? [] : verifierFindings(verifier, code.codeChallenge)),
  ]
  const facts = [`Issued ${ago(now - code.createdAt)} to client ${code.clientId} for ${code.scopes.join(' ')}.`]
  const usable = ended.length === 0 && mismatches.length === 0
  return { what: 'authorization code', usable, findings: [...facts, ...ended, ...mismatches] }
}

function verifierFindings(verifier: string, challenge: string): readonly string[] {
  if (!isVerifier(verifier)) return ['The code_verifier must be 43 to 128 characters of A-Z a-z 0-9 - . _ ~']
  const hashed = challengeOf(verifier)
  return hashed === challenge ? [] : [`The code_verifier hashes to ${hashed}, the code_challenge was ${challenge}.`]
}

async function explainAccess(reads: Reads, text: string, now: number): Promise<Explanation> {
  const state = await reads.findAccessToken(hashOf(text))
  if (!state) return unknownToken(text)
  const { token, grant, userDisabled, clientDisabled } = state
  const ended = [
    ...(token.revokedAt !== undefined ? [`It was revoked ${ago(now - token.revokedAt)}.`] : []),
    ...(token.expiresAt <= now ? [`It expired ${ago(now - token.expiresAt)}.`] : []),
    ...(grant.revokedAt !== undefined ? [`The user disconnected the application ${ago(now - grant.revokedAt)}.`] : []),
    ...(userDisabled ? ['The user is disabled.'] : []),
    ...(clientDisabled ? ['The client is disabled or deleted.'] : []),
  ]
  const shared = grant.chargePoints === 'all' ? 'all charge points' : (grant.chargePoints ?? []).join(', ') || 'none'
  const facts = [
    `Issued ${ago(now - token.issuedAt)} to client ${token.clientId} for ${token.scopes.join(' ')}.`,
    `Shared with it: ${shared}.`,
  ]
  return { what: 'access token', usable: ended.length === 0, findings: [...facts, ...ended] }
}

async function explainRefresh(reads: Reads, text: string, now: number): Promise<Explanation> {
  const state = await reads.findRefreshToken(hashOf(text))
  if (!state) return unknownToken(text)
  const { token, grantRevoked, userDisabled, clientDisabled } = state
  const ended = [
    ...(token.usedAt !== undefined ? [`It was used ${ago(now - token.usedAt)}; each use gives a new one.`] : []),
    ...(token.revokedAt !== undefined ? [`Its family was revoked ${ago(now - token.revokedAt)}.`] : []),
    ...(token.expiresAt <= now ? [`It expired ${ago(now - token.expiresAt)}.`] : []),
    ...(grantRevoked ? ['The user disconnected the application.'] : []),
    ...(userDisabled ? ['The user is disabled.'] : []),
    ...(clientDisabled ? ['The client is disabled or deleted.'] : []),
  ]
  const facts = [`Issued ${ago(now - token.issuedAt)} to client ${token.clientId} for ${token.scopes.join(' ')}.`]
  return { what: 'refresh token', usable: ended.length === 0, findings: [...facts, ...ended] }
}

function unknownToken(text: string): Explanation {
  const length = 47
  const shape = text.length === length ? [] : [`It has ${text.length} characters instead of ${length}: was it cut?`]
  const findings = ['It is not known: never issued here, or expired more than a day ago.', ...shape]
  return { what: 'unknown', usable: false, findings }
}

function differenceOf(name: string, expected: string, received: string): readonly string[] {
  const difference = nearestRedirect([expected], received)
  return difference
    ? [
        `${name} differs at character ${difference.character}: ${quoted(difference.expected)} was expected, ${quoted(difference.received)} came.`,
      ]
    : []
}

function quoted(text: string): string {
  return text === '' ? 'nothing' : JSON.stringify(text)
}

function ago(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (seconds < 120) return `${seconds} s ago`
  return seconds < 7200 ? `${Math.round(seconds / 60)} min ago` : `${Math.round(seconds / 3600)} h ago`
}
