import type { Role } from '../ports/storage-records.ts'
/** What each role may do (ADMIN-A1): the one table; pages and the API ask it and nothing else. */

/**
 * What an order asks for. `anybody`: the visitor's own; `see`, `operate`: stations, sessions, cards; else everything.
 */
export type Permission = 'anybody' | 'see' | 'operate' | 'administrator'

const PERMISSIONS: Readonly<Record<Role, readonly Permission[]>> = {
  administrator: ['anybody', 'see', 'operate', 'administrator'],
  operator: ['anybody', 'see', 'operate'],
  viewer: ['anybody', 'see'],
  member: ['anybody'],
}

export const ACTING: readonly string[] = [
  'chargers:control',
  'chargers:configure',
  'chargers:firmware',
  'chargers:certificates',
]

/** Applications get no acting scope from these (ADMIN-A3); self-registered ones act only for those who may act. */
const WITHHELD: Readonly<Record<Role, 'from none' | 'from all' | 'from self-registered ones'>> = {
  administrator: 'from none',
  operator: 'from none',
  viewer: 'from all',
  member: 'from self-registered ones',
}

export const ROLES = Object.keys(PERMISSIONS) as readonly Role[]

export function isRole(text: string): text is Role {
  return (ROLES as readonly string[]).includes(text)
}

export function may(role: Role, permission: Permission): boolean {
  return PERMISSIONS[role].includes(permission)
}

export function rolesThatLetAct({ isSelfRegistered }: { readonly isSelfRegistered: boolean }): readonly Role[] {
  return ROLES.filter((role) => WITHHELD[role] === 'from none' || (!isSelfRegistered && WITHHELD[role] !== 'from all'))
}

/** Of these scopes, those that a user may give the application, and that count. A user who is gone has no role. */
export function scopesFor(
  role: Role | undefined,
  scopes: readonly string[],
  { isSelfRegistered }: { readonly isSelfRegistered: boolean },
): readonly string[] {
  if (role === undefined) return []
  const mayAct = rolesThatLetAct({ isSelfRegistered }).includes(role)
  return mayAct ? scopes : scopes.filter((scope) => !ACTING.includes(scope))
}
