/** Whom the claims of a provider describe, and what they may do here (ADMIN-K2, ADMIN-K3). Pure. */

import { ROLES } from '../../domain/accounts/roles.ts'
import { AttributeError, checkedEmail, checkedName } from '../../domain/accounts/user.ts'
import type { Role } from '../../domain/ports/storage-records.ts'

export type Claims = Readonly<Record<string, unknown>>

export interface Person {
  readonly email: string
  /** Said by the provider in so many words; everything else is no proof (ADMIN-K4). */
  readonly isEmailVerified: boolean
  readonly name?: string | undefined
}

/** Undefined without a usable e-mail address. A name that is none here is left out. */
export function personOf(claims: Claims): Person | undefined {
  const email = usable(claims.email, checkedEmail)
  if (email === undefined) return undefined
  const name = usable(claims.name, checkedName)
  return { email, isEmailVerified: claims.email_verified === true, name }
}

/** The one that may do most of those that the names stand for. */
export function roleOf(
  claims: Claims,
  claim: string,
  mappings: readonly { readonly name: string; readonly role: Role }[],
): Role | undefined {
  const names = new Set(textsOf(claimAt(claims, claim)))
  const roles = new Set(mappings.filter(({ name }) => names.has(name)).map(({ role }) => role))
  return ROLES.find((role) => roles.has(role))
}

/** A claim by its whole name (`https://example.com/roles`), or else along its dots (`realm_access.roles`). */
export function claimAt(claims: Claims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path]
  return path.split('.').reduce<unknown>((within, step) => {
    const isObject = typeof within === 'object' && within !== null && Object.hasOwn(within, step)
    return isObject ? (within as Claims)[step] : undefined
  }, claims)
}

function textsOf(value: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value]
  return list.filter((one) => typeof one === 'string')
}

function usable(value: unknown, check: (text: string) => string): string | undefined {
  if (typeof value !== 'string') return undefined
  try {
    return check(value)
  } catch (error) {
    if (error instanceof AttributeError) return undefined
    throw error
  }
}
