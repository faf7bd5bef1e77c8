import { API_SCOPE_NAMES } from '../accounts/scopes.ts'

export const SCOPES = ['openid', 'offline_access', 'profile', 'email', ...API_SCOPE_NAMES] as const

export type Scope = (typeof SCOPES)[number]

/** The user selects which charge points these reach; they mean nothing without a selection (OIDC-C3). */
const SELECTION_SCOPES: readonly string[] = API_SCOPE_NAMES

export function isScope(text: string): text is Scope {
  return (SCOPES as readonly string[]).includes(text)
}

export function needsSelection(scopes: readonly string[]): boolean {
  return scopes.some((scope) => SELECTION_SCOPES.includes(scope))
}

export function withoutSelectionScopes(scopes: readonly string[]): readonly string[] {
  return scopes.filter((scope) => !SELECTION_SCOPES.includes(scope))
}

/** Scopes of a space-separated list, without repetitions; undefined when it breaks the grammar of RFC 6749 §3.3. */
export function parseScopes(text: string): readonly string[] | undefined {
  const names = text.split(' ').filter((name) => name !== '')
  if (names.length === 0 || !names.every((name) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(name))) return undefined
  return [...new Set(names)]
}

export function covers(given: readonly string[], desired: readonly string[]): boolean {
  return desired.every((scope) => given.includes(scope))
}

/** In the order of `SCOPES`, so that the same approval always reads the same. */
export function inOrder(scopes: Iterable<string>): readonly string[] {
  const desired = new Set(scopes)
  return SCOPES.filter((scope) => desired.has(scope))
}
