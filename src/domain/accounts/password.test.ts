import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { checkPassword, generatePassword, hashPassword, needsRehash, verifyPassword } from './password.ts'

it('OIDC-L5: the hash is a PHC string with its cost and a random salt of 16 bytes, and verifies', async () => {
  const [first, second] = await Promise.all([
    hashPassword('correct horse', randomBytes),
    hashPassword('correct horse', randomBytes),
  ])
  expect(first).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
  expect(first).not.toBe(second)
  expect(await verifyPassword('correct horse', first)).toBe(true)
  expect(await verifyPassword('Correct horse', first)).toBe(false)
  expect(needsRehash(first)).toBe(false)
})

it('OIDC-L4: without a stored hash it is false, and takes its time all the same', async () => {
  const stored = await hashPassword('correct horse', randomBytes)
  const timed = async (hash: string | undefined): Promise<number> => {
    const start = performance.now()
    expect(await verifyPassword('wrong horse', hash)).toBe(false)
    return performance.now() - start
  }
  // About the same; a tenth leaves room for a busy machine, and no hash at all takes a thousandth.
  expect(await timed(undefined)).toBeGreaterThan((await timed(stored)) / 10)
})

it('OIDC-L5: composed and decomposed letters are the same password, and nothing is cut off', async () => {
  const stored = await hashPassword(`p\u00e4ssw\u00f6rd${'x'.repeat(100)}`, randomBytes)
  expect(await verifyPassword(`pa\u0308sswo\u0308rd${'x'.repeat(100)}`, stored)).toBe(true)
  expect(await verifyPassword(`pa\u0308sswo\u0308rd${'x'.repeat(99)}`, stored)).toBe(false)
})

it('OIDC-L5: a hash of lower cost verifies and asks to be made again', async () => {
  // scrypt, N=2^14, r=8, p=1, salt of 16 zero bytes: computed here so that the test needs no stored secret.
  const { scryptSync } = await import('node:crypto')
  const salt = Buffer.alloc(16)
  const hash = scryptSync('old password', salt, 32, { N: 2 ** 14, r: 8, p: 1 })
  const text = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '')
  const stored = `$scrypt$ln=14,r=8,p=1$${text(salt)}$${text(hash)}`
  expect(needsRehash(stored)).toBe(true)
  expect(await verifyPassword('old password', stored)).toBe(true)
})

it.each(['', 'plain', '$scrypt$ln=15,r=8,p=3$$', '$argon2id$v=19$m=1,t=1,p=1$AAAA$BBBB', undefined])(
  'OIDC-L4: no usable stored hash (%s) is false after the same work, never an error',
  async (stored) => expect(await verifyPassword('anything', stored)).toBe(false),
)

it.each([
  ['1234567', /at least 8/],
  ['💚'.repeat(7), /at least 8/],
  ['x'.repeat(1025), /at most 1024/],
  ['12345678', undefined],
  ['💚'.repeat(1024), undefined],
])('OIDC-L5: length 8 to 1024 characters: %#', (password, complaint) => {
  if (complaint) expect(checkPassword(password)).toMatch(complaint)
  else expect(checkPassword(password)).toBeUndefined()
})

it('generated passwords obey the rule and differ', () => {
  const passwords = new Set(Array.from({ length: 50 }, () => generatePassword(randomBytes)))
  expect(passwords.size).toBe(50)
  for (const password of passwords) expect(password).toMatch(/^[a-zA-Z2-9]{6}(-[a-zA-Z2-9]{6}){3}$/)
})
