/**
 * Tokens that we give a partner (OCPI-A1): a list, newest first, of which several are valid at once. An older one ends
 * when a newer one was used and not before, so neither side is ever without a valid token, whatever answer was lost.
 */
import type { GivenToken, Partner } from './records.ts'

/** Of tokens that were never used, only the newest stay; the last of the list is the one in use. */
export const MAX_GIVEN = 5

export function given(tokens: readonly GivenToken[], token: GivenToken): readonly GivenToken[] {
  const all = [token, ...tokens]
  return all.length <= MAX_GIVEN ? all : [...all.slice(0, MAX_GIVEN - 1), ...all.slice(-1)]
}

/**
 * What is left after a call with this token; undefined: it is not valid. @param isProof the call shows that the partner
 * has taken the token over: while an offered one is not accepted, it is also used to read our versions, and may be
 * thrown away after that
 */
export function used(
  tokens: readonly GivenToken[],
  hash: string,
  at: number,
  isProof: boolean,
): readonly GivenToken[] | undefined {
  const found = tokens.findIndex((one) => one.hash === hash)
  const token = tokens[found]
  if (!token) return undefined
  const { kind, ...rest } = token
  const isTaken = kind !== 'offered' || isProof
  if (token.usedAt !== undefined && (!isTaken || (kind !== 'offered' && found === tokens.length - 1))) return tokens
  const now: GivenToken = {
    ...rest,
    ...(kind !== undefined && (kind === 'invitation' || !isTaken) && { kind }),
    usedAt: token.usedAt ?? at,
  }
  return [...tokens.slice(0, found), now, ...(isTaken ? [] : tokens.slice(found + 1))]
}

/** The partner answered that it has the offered token. */
export function accepted(tokens: readonly GivenToken[], hash: string): readonly GivenToken[] {
  return tokens.map((token) => (token.hash === hash && token.kind === 'offered' ? without(token) : token))
}

/** The partner refused the offered token: the older ones stay. */
export function withdrawn(tokens: readonly GivenToken[], hash: string): readonly GivenToken[] {
  const left = tokens.filter((token) => token.hash !== hash || token.kind !== 'offered')
  return left.length > 0 ? left : tokens
}

function without({ kind: _, ...token }: GivenToken): GivenToken {
  return token
}

type Known = Pick<Partner, 'state' | 'tokenHashes' | 'versionsUrl'>

/**
 * Whether the partner may use this method of our credentials, else 405. Registered twice with the invitation: the first
 * answer was lost. A PUT to one that is not registered yet: we registered with the partner, and its answer was lost.
 */
export function mayCall(partner: Known, method: 'POST' | 'PUT' | 'DELETE', hash: string): boolean {
  // An operator may have ended it while its endpoints were read.
  if (partner.state === 'removed' || partner.state === 'suspended') return false
  const isInvitation = partner.tokenHashes.find((token) => token.hash === hash)?.kind === 'invitation'
  if (method === 'POST') return partner.state === 'invited' || isInvitation
  return partner.state === 'registered' || (partner.versionsUrl !== undefined && !isInvitation)
}
