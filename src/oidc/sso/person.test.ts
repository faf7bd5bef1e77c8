import { expect, it } from 'vitest'
import { claimAt, personOf, roleOf } from './person.ts'

const MAPPINGS = [
  { name: 'staff', role: 'viewer' },
  { name: 'cn=desk,ou=charging', role: 'operator' },
  { name: 'admins', role: 'administrator' },
] as const

it.each([
  ['one text', { roles: 'staff' }, 'viewer'],
  ['a list', { roles: ['other', 'staff'] }, 'viewer'],
  ['of several the one that may do most', { roles: ['staff', 'admins', 'cn=desk,ou=charging'] }, 'administrator'],
  ['none', { roles: [] }, undefined],
  ['no claim', {}, undefined],
  ['another spelling', { roles: ['Admins', ' admins', 'admins '] }, undefined],
  ['a text of several names is one name', { roles: 'staff admins' }, undefined],
  ['no texts', { roles: [null, 7, { admins: true }, ['admins']] }, undefined],
  ['an object', { roles: { admins: true } }, undefined],
])('ADMIN-K3: the role of the claim: %s', (_, claims, role) => {
  expect(roleOf(claims, 'roles', MAPPINGS)).toBe(role)
})

it('ADMIN-K3: the role of the claim: a hundred thousand roles cost no time to speak of', () => {
  const roles = [...Array.from({ length: 100_000 }, (_, at) => `r${at}`), 'staff']
  const mappings = Array.from({ length: 1000 }, (_, at) => ({ name: `x${at}`, role: 'operator' as const }))
  expect(roleOf({ roles }, 'roles', [...mappings, ...MAPPINGS])).toBe('viewer')
})

it.each([
  [{ 'https://example.com/roles': 1 }, 'https://example.com/roles', 1],
  [{ realm_access: { roles: 2 } }, 'realm_access.roles', 2],
  [{ a: { 'b.c': 3 } }, 'a.b.c', undefined],
  [{ a: null }, 'a.b', undefined],
  [{}, '__proto__.constructor', undefined],
  [{ a: 'text' }, 'a.length', undefined],
])('ADMIN-K3: the role of the claim: in %j the claim %s is %s', (claims, path, value) => {
  expect(claimAt(claims, path)).toBe(value)
})

it.each([
  [{ email: ' ada@example.com ' }, { email: 'ada@example.com', isEmailVerified: false }],
  [
    { email: 'a@b', email_verified: true, name: 'Ada' },
    { email: 'a@b', isEmailVerified: true, name: 'Ada' },
  ],
  [
    { email: 'a@b', email_verified: 'true' },
    { email: 'a@b', isEmailVerified: false },
  ],
  [
    { email: 'a@b', name: 'x'.repeat(201) },
    { email: 'a@b', isEmailVerified: false },
  ],
  [
    { email: 'a@b', name: 'A\u202eda' },
    { email: 'a@b', isEmailVerified: false },
  ],
  [{ email: 'nobody' }, undefined],
  [{ email: ['a@b'] }, undefined],
  [{ email: `${'x'.repeat(300)}@b` }, undefined],
  [{ preferred_username: 'a@b' }, undefined],
])('ADMIN-K4: %j describes %j', (claims, person) => {
  expect(personOf(claims)).toEqual(person)
})
