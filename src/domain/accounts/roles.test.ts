import { expect, it } from 'vitest'
import { isRole, may, type Permission, ROLES, scopesFor } from './roles.ts'

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

it('ADMIN-A3: who may not act gives no application what acts; a member only those of the account', () => {
  const acting = ['control', 'configure', 'firmware', 'certificates'].map((what) => `chargers:${what}`)
  const scopes = ['openid', 'chargers:read', ...acting]
  const reading = ['openid', 'chargers:read']
  const [ofAccount, dynamic] = [{ isSelfRegistered: false }, { isSelfRegistered: true }]
  for (const role of ['operator', 'administrator'] as const) {
    expect([scopesFor(role, scopes, ofAccount), scopesFor(role, scopes, dynamic)]).toEqual([scopes, scopes])
  }
  expect([scopesFor('member', scopes, ofAccount), scopesFor('member', scopes, dynamic)]).toEqual([scopes, reading])
  expect([scopesFor('viewer', scopes, ofAccount), scopesFor('viewer', scopes, dynamic)]).toEqual([reading, reading])
  expect(scopesFor(undefined, scopes, ofAccount)).toEqual([])
})
