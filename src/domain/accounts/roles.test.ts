import { describe, expect, it } from 'vitest'
import { isRole, may, type Permission, ROLES, scopesFor } from './roles.ts'

describe('roles', () => {
  it.each<[(typeof ROLES)[number], readonly Permission[]]>([
    ['administrator', ['anybody', 'see', 'operate', 'administrator']],
    ['operator', ['anybody', 'see', 'operate']],
    ['viewer', ['anybody', 'see']],
    ['member', ['anybody']],
  ])('ADMIN-A1: a %s may %j', (role, permissions) => {
    const all: readonly Permission[] = ['anybody', 'see', 'operate', 'administrator']
    expect(all.filter((permission) => may(role, permission))).toEqual(permissions)
  })

  it('ADMIN-A1: no other text is a role', () => {
    expect(ROLES).toHaveLength(4)
    for (const text of ['', 'Administrator', 'constructor', '__proto__']) expect(isRole(text)).toBe(false)
  })

  it('ADMIN-A3: a viewer’s applications do not act; a user who is gone has no scopes', () => {
    const acting = ['control', 'configure', 'firmware', 'certificates'].map((what) => `chargers:${what}`)
    const scopes = ['openid', 'chargers:read', ...acting]
    expect(scopesFor('viewer', scopes)).toEqual(['openid', 'chargers:read'])
    for (const role of ['member', 'operator', 'administrator'] as const) expect(scopesFor(role, scopes)).toEqual(scopes)
    expect(scopesFor(undefined, scopes)).toEqual([])
  })
})
