/** What each role may do (ADMIN-A1): the one table; pages and the API ask it and nothing else. */
import type { Role } from '../ports/storage.ts'

/**
 * What a page or an order asks for. `anybody`: what is the visitor's own. `see`: stations, sessions, cards. `operate`:
 * act on them. `administrator`: users, keys, webhooks, tariffs, applications, the audit log.
 */
export type Permission = 'anybody' | 'see' | 'operate' | 'administrator'

const PERMISSIONS: Readonly<Record<Role, readonly Permission[]>> = {
  administrator: ['anybody', 'see', 'operate', 'administrator'],
  operator: ['anybody', 'see', 'operate'],
  viewer: ['anybody', 'see'],
  member: ['anybody'],
}

/** What an application has never got from a user of the role: nobody acts through one who may only look (ADMIN-A3). */
const WITHHELD: Readonly<Record<Role, readonly string[]>> = {
  administrator: [],
  operator: [],
  viewer: ['chargers:control', 'chargers:configure', 'chargers:firmware', 'chargers:certificates'],
  member: [],
}

export const ROLES = Object.keys(PERMISSIONS) as readonly Role[]

export function isRole(text: string): text is Role {
  return (ROLES as readonly string[]).includes(text)
}

export function may(role: Role, permission: Permission): boolean {
  return PERMISSIONS[role].includes(permission)
}

/** Of the scopes that were granted, those that count. A user who is gone has no role. */
export function scopesFor(role: Role | undefined, scopes: readonly string[]): readonly string[] {
  return role === undefined ? [] : scopes.filter((scope) => !WITHHELD[role].includes(scope))
}
