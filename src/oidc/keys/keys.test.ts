import { randomBytes } from 'node:crypto'
import { decodeProtectedHeader } from 'jose'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openPlace, type Place } from '../../../test/support/oidc/testing.ts'
import { obtainTokens } from '../../../test/support/oidc/tokens.ts'
import type { SigningKey } from '../../domain/records/unversioned.ts'
import { readIdTokenHint, signIdToken } from '../token/id-token.ts'
import { createKeyRing, JWKS_MAX_AGE_SECONDS, type KeyRing, keyLives } from './ring.ts'

const key = (kid: string, activeFrom: number): SigningKey => ({
  kid,
  activeFrom,
  publicJwk: '{}',
  sealedPrivateKey: '',
  createdAt: activeFrom,
})
const MINUTE = 60_000

const keys = [key('old', 0), key('now', 100 * MINUTE), key('next', 500 * MINUTE)]
it.each([
  [0, { old: 'active', now: 'next', next: 'next' }],
  [99 * MINUTE, { old: 'active', now: 'next', next: 'next' }],
  [100 * MINUTE, { old: 'retired', now: 'active', next: 'next' }],
  [100 * MINUTE + (3600 + JWKS_MAX_AGE_SECONDS) * 1000 - 1, { old: 'retired', now: 'active', next: 'next' }],
  [100 * MINUTE + (3600 + JWKS_MAX_AGE_SECONDS) * 1000, { old: 'gone', now: 'active', next: 'next' }],
  [500 * MINUTE, { old: 'gone', now: 'retired', next: 'active' }],
  [9_999 * MINUTE, { old: 'gone', now: 'gone', next: 'active' }],
])('OIDC-D8: the life of signing keys: at %i ms: %j', (now, expected) =>
  expect(Object.fromEntries(keyLives(keys, now, 3600).map((life) => [life.key.kid, life.state]))).toEqual(expected),
)
it('OIDC-D8: the life of signing keys: exactly one key signs, whatever the order they are read in', () => {
  for (const order of [keys, [...keys].reverse()])
    expect(keyLives(order, 200 * MINUTE, 1).filter(({ state }) => state === 'active')).toHaveLength(1)
})

let place: Place
let ring: KeyRing
beforeAll(async () => {
  place = await openPlace()
  ring = createKeyRing({ ...place, random: randomBytes })
})
afterAll(() => place.close())
const kids = async (): Promise<unknown[]> =>
  ((await (await fetch(`${place.issuer}/.well-known/jwks.json`)).json()) as { keys: { kid: string }[] }).keys.map(
    ({ kid }) => kid,
  )

it('OIDC-D8: a rotation publishes first, signs later, and older tokens still verify', async () => {
  const before = (await obtainTokens(place, place.spa)).tokens.id_token ?? ''
  const [first] = await kids()
  const next = await ring.rotate()
  expect(await kids()).toEqual([first, next])
  const meanwhile = (await obtainTokens(place, place.spa)).tokens.id_token ?? ''
  expect(decodeProtectedHeader(meanwhile).kid).toBe(first)
  place.advance(JWKS_MAX_AGE_SECONDS * 1000)
  const after = (await obtainTokens(place, place.spa)).tokens.id_token ?? ''
  expect(decodeProtectedHeader(after).kid).toBe(next)
  expect(await readIdTokenHint({ issuer: place.issuer, keys: ring }, before)).toMatchObject({ userId: 'ada' })
  place.advance((3600 + JWKS_MAX_AGE_SECONDS) * 1000)
  expect(await kids()).toEqual([next])
})

it('OIDC-P8, OIDC-R3: an ID token from before a rotation is still a hint, also when its key is published no longer', async () => {
  const own = await openPlace()
  const keys = createKeyRing({ ...own, random: randomBytes })
  const old = (await obtainTokens(own, own.spa)).tokens.id_token ?? ''
  await keys.rotate()
  own.advance((3600 + 2 * JWKS_MAX_AGE_SECONDS) * 1000)
  expect((await keys.publicKeys()).map(({ kid }) => kid)).not.toContain(decodeProtectedHeader(old).kid)
  expect(await readIdTokenHint({ issuer: own.issuer, keys }, old)).toMatchObject({ userId: 'ada' })
  await own.close()
})

it('OIDC-P8: a hint that our key signed under another issuer is none', async () => {
  const claims = { clientId: 'C', userId: 'ada', authTime: 0, accessToken: 'pwa_x' }
  const hint = await signIdToken({ ...place, issuer: 'https://before.example', keys: ring }, claims)
  expect(await readIdTokenHint({ issuer: 'https://before.example', keys: ring }, hint)).toBeDefined()
  expect(await readIdTokenHint({ issuer: place.issuer, keys: ring }, hint)).toBeUndefined()
})

it('OIDC-D8: a restart keeps the kids', async () => {
  const again = createKeyRing({ ...place, random: randomBytes })
  expect((await again.publicKeys()).map(({ kid }) => kid)).toEqual(await kids())
})

it('OIDC-D8: two first needs at once make one key', async () => {
  const fresh = await openPlace()
  const rings = [0, 1, 2].map(() => createKeyRing({ ...fresh, random: randomBytes }))
  const signing = await Promise.all(rings.map((one) => one.signingKey()))
  expect(new Set(signing.map(({ kid }) => kid)).size).toBe(1)
  await fresh.close()
})

it('OIDC-D9: making a key of 2048 bits does not hold up the process', async () => {
  const fresh = createKeyRing({ ...place, random: randomBytes })
  let turns = 0
  const count = setInterval(() => turns++, 1)
  await fresh.rotate()
  clearInterval(count)
  expect(turns).toBeGreaterThan(2)
  for (const { n } of await fresh.publicKeys()) expect(Buffer.from(n ?? '', 'base64url')).toHaveLength(256)
})

it('a lost secret key costs the old signing key, not the service', async () => {
  const config = { secretKey: randomBytes(32), idTokenTtlSeconds: 3600 }
  const before = await kids()
  const other = createKeyRing({ ...place, config, random: randomBytes })
  expect(before).not.toContain((await other.signingKey()).kid)
})

it('OIDC-D8, OIDC-X3: the database holds no private key in clear', async () => {
  const stored = JSON.stringify(await place.reads.listRecords('signing_keys', { limit: 9 }))
  expect(stored).not.toMatch(/PRIVATE KEY|"d":/)
})
