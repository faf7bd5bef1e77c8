import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { composed } from './password.ts'
import { AttributeError, checkedEmail, checkedName, createAccountRecord, createUserRecord } from './user.ts'

it('a user record holds the hash, never the password', async () => {
  const record = await createUserRecord(
    { id: 'u1', accountId: 'a1', email: ' ops@example.com ', name: 'Ops', role: 'member', password: 'correct horse' },
    1000,
    randomBytes,
  )
  expect(record).toMatchObject({ id: 'u1', accountId: 'a1', email: 'ops@example.com', name: 'Ops', createdAt: 1000 })
  expect(JSON.stringify(record)).not.toContain('correct horse')
})

it('OIDC-L5: a short password makes no record', async () => {
  const user = { id: 'u1', accountId: 'a1', email: 'ops@example.com', role: 'member', password: 'short' } as const
  await expect(createUserRecord(user, 0, randomBytes)).rejects.toThrow(AttributeError)
})

it.each(['', 'ops', '@', 'a b@example.com', 'ops@exa\u0000mple.com', `${'x'.repeat(250)}@example.com`])(
  'no e-mail address: %j',
  (email) => expect(() => checkedEmail(email)).toThrow(AttributeError),
)

it.each(['', '   ', 'x'.repeat(201), 'line\nbreak', 'bidi\u202etrick'])('no name: %j', (name) =>
  expect(() => checkedName(name)).toThrow(AttributeError),
)

it('an account has a trimmed name', () => {
  expect(createAccountRecord('a1', ' Depot North ', 7)).toEqual({ id: 'a1', name: 'Depot North', createdAt: 7 })
})

it('OIDC-U9: text that somebody typed: marks are sorted and joined as long as the text may be kept, and a longer one is left alone', () => {
  expect(composed('e\u0301', 1)).toBe('\u00e9')
  expect(composed('a\u0301\u0323', 1)).toBe('a\u0323\u0301'.normalize('NFC'))
  const long = `a${'\u0301'.repeat(30_000)}${'\u0323'.repeat(30_000)}`
  expect(composed(long, 254)).toBe(long)
  expect(() => checkedEmail(long)).toThrow(AttributeError)
  expect(() => checkedName(long)).toThrow(AttributeError)
})
