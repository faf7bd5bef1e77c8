import { decodeJwt } from 'jose'
import { afterAll, expect, it } from 'vitest'
import { openPlace } from '../../../test/support/oidc/testing.ts'
import { obtainTokens, refresh, type Tokens, userinfo } from '../../../test/support/oidc/tokens.ts'
import { accessTokenHash } from './id-token.ts'

const place = await openPlace()
const forgiving = await openPlace({ refreshGraceSeconds: 30 })
afterAll(async () => {
  await place.close()
  await forgiving.close()
})
const errorOf = async (response: Response): Promise<readonly [number, string | undefined]> => [
  response.status,
  ((await response.json()) as Tokens).error,
]
const tokensOf = async (response: Response): Promise<Tokens> => (await response.json()) as Tokens

it('OIDC-T5: the new ID token has the same iss, sub, aud, auth_time and sid, a new at_hash and no nonce', async () => {
  const { tokens } = await obtainTokens(place, place.web, place.ada, { nonce: 'n' })
  const next = await tokensOf(await refresh(place, place.web, tokens.refresh_token))
  const [first, second] = [decodeJwt(tokens.id_token ?? ''), decodeJwt(next.id_token ?? '')]
  for (const claim of ['iss', 'sub', 'aud', 'auth_time', 'sid']) expect(second[claim]).toEqual(first[claim])
  expect(second.at_hash).toBe(accessTokenHash(next.access_token))
  expect(second).not.toHaveProperty('nonce')
})

it('OIDC-T5: a narrower scope narrows the access token only', async () => {
  const { tokens } = await obtainTokens(place, place.web)
  const narrow = await tokensOf(await refresh(place, place.web, tokens.refresh_token, { scope: 'sessions:read' }))
  expect(narrow.scope).toBe('sessions:read')
  expect((await userinfo(place, narrow.access_token)).status).toBe(403)
  const full = await tokensOf(await refresh(place, place.web, narrow.refresh_token))
  expect(full.scope).toBe('openid offline_access sessions:read')
})

it.each(['openid email', 'nothing', 'chargers:control', '"'])(
  'OIDC-T5, OIDC-T11: scope %s is too much -> invalid_scope, the token stays good',
  async (scope) => {
    const { tokens } = await obtainTokens(place, place.web)
    expect(await errorOf(await refresh(place, place.web, tokens.refresh_token, { scope }))).toEqual([
      400,
      'invalid_scope',
    ])
    expect((await refresh(place, place.web, tokens.refresh_token)).status).toBe(200)
  },
)

it('OIDC-T11: unknown, and another client’s, are invalid_grant; the owner’s stays good', async () => {
  const { tokens } = await obtainTokens(place, place.web)
  expect(await errorOf(await refresh(place, place.web, 'pwr_unknown'))).toEqual([400, 'invalid_grant'])
  expect(await errorOf(await refresh(place, place.spa, tokens.refresh_token))).toEqual([400, 'invalid_grant'])
  expect(await errorOf(await refresh(place, place.web, tokens.access_token))).toEqual([400, 'invalid_grant'])
  expect(await errorOf(await refresh(place, place.web, undefined))).toEqual([400, 'invalid_request'])
  expect((await refresh(place, place.web, tokens.refresh_token)).status).toBe(200)
})

it('OIDC-T4: it slides, and ends after its lifetime', async () => {
  const { tokens } = await obtainTokens(place, place.web)
  place.advance(29 * 86_400_000)
  const next = await tokensOf(await refresh(place, place.web, tokens.refresh_token))
  place.advance(29 * 86_400_000)
  const third = await tokensOf(await refresh(place, place.web, next.refresh_token))
  place.advance(30 * 86_400_000)
  expect(await errorOf(await refresh(place, place.web, third.refresh_token))).toEqual([400, 'invalid_grant'])
})

it('OIDC-T4: after a year it ends however often it was renewed', async () => {
  const { tokens } = await obtainTokens(place, place.web)
  let current = tokens.refresh_token
  let status = 200
  for (let month = 0; month < 13 && status === 200; month++) {
    place.advance(29 * 86_400_000)
    const response = await refresh(place, place.web, current)
    status = response.status
    current = (await tokensOf(response)).refresh_token
  }
  expect(status).toBe(400)
})

it('OIDC-K6, OIDC-T7: reuse revokes the whole family, is seen on the grant and audited; the grant survives', async () => {
  const { tokens, grant } = await obtainTokens(place, place.web)
  const next = await tokensOf(await refresh(place, place.web, tokens.refresh_token))
  expect(await errorOf(await refresh(place, place.web, tokens.refresh_token))).toEqual([400, 'invalid_grant'])
  expect(await errorOf(await refresh(place, place.web, next.refresh_token))).toEqual([400, 'invalid_grant'])
  expect((await userinfo(place, next.access_token)).status).toBe(401)
  const after = await place.reads.findGrant(grant.id)
  expect(after?.revokedAt).toBeUndefined()
  expect(after?.reuseSeenAt).toBeDefined()
  const events = await place.reads.searchAudit({ accountId: 'A', limit: 5 })
  expect(events.map(({ kind }) => kind)).toContain('refresh_reused')
  const again = await obtainTokens(place, place.web)
  expect((await userinfo(place, again.tokens.access_token)).status).toBe(200)
})

it('OIDC-V19, OIDC-K9: of 10 parallel refreshes at grace 0 exactly one answers 200', async () => {
  const { tokens } = await obtainTokens(place, place.web)
  const responses = await Promise.all(Array.from({ length: 10 }, () => refresh(place, place.web, tokens.refresh_token)))
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
})

it('OIDC-V19, OIDC-T6: with grace all 10 get the same pair, one family', async () => {
  const { tokens } = await obtainTokens(forgiving, forgiving.web)
  const responses = await Promise.all(
    Array.from({ length: 10 }, () => refresh(forgiving, forgiving.web, tokens.refresh_token)),
  )
  const pairs = await Promise.all(responses.map(tokensOf))
  expect(new Set(pairs.map(({ access_token, refresh_token }) => `${access_token} ${refresh_token}`)).size).toBe(1)
  expect((await userinfo(forgiving, pairs[0]?.access_token ?? '')).status).toBe(200)
})

it('OIDC-T6: a repetition after the successor was used, or after the grace, ends the family', async () => {
  const { tokens } = await obtainTokens(forgiving, forgiving.web)
  const next = await tokensOf(await refresh(forgiving, forgiving.web, tokens.refresh_token))
  await refresh(forgiving, forgiving.web, next.refresh_token)
  expect((await refresh(forgiving, forgiving.web, tokens.refresh_token)).status).toBe(400)
  const late = (await obtainTokens(forgiving, forgiving.web)).tokens
  await refresh(forgiving, forgiving.web, late.refresh_token)
  forgiving.advance(30_001)
  expect((await refresh(forgiving, forgiving.web, late.refresh_token)).status).toBe(400)
})

it('OIDC-T8: revoking B’s grant leaves A’s refresh working', async () => {
  const ada = await obtainTokens(place, place.web, place.ada)
  const bob = await obtainTokens(place, place.web, place.bob)
  await place.writes.revokeGrant(bob.grant.id, place.now())
  expect((await refresh(place, place.web, bob.tokens.refresh_token)).status).toBe(400)
  expect((await refresh(place, place.web, ada.tokens.refresh_token)).status).toBe(200)
})

it('OIDC-L6, OIDC-V10: a disabled user: refresh 400, access 401', async () => {
  const { tokens } = await obtainTokens(forgiving, forgiving.web, forgiving.bob)
  await forgiving.writes.updateUser('bob', { disabledAt: forgiving.now() })
  expect(await errorOf(await refresh(forgiving, forgiving.web, tokens.refresh_token))).toEqual([400, 'invalid_grant'])
  expect((await userinfo(forgiving, tokens.access_token)).status).toBe(401)
  expect(await forgiving.oidc.verifyAccessToken(tokens.access_token)).toBeUndefined()
})

it('OIDC-L6: tokens of a disabled user work no more when the user is enabled again; the consent stays', async () => {
  const { tokens, grant } = await obtainTokens(place, place.web, place.bob)
  await place.writes.changeUser('A', 'bob', { disabledAt: place.now() })
  await place.writes.changeUser('A', 'bob', { disabledAt: null })
  expect(await place.oidc.verifyAccessToken(tokens.access_token)).toBeUndefined()
  expect(await errorOf(await refresh(place, place.web, tokens.refresh_token))).toEqual([400, 'invalid_grant'])
  expect(await place.reads.findActiveGrant('bob', place.web.id)).toMatchObject({ id: grant.id })
})

it('OIDC-V15: no sid of an ended login session', async () => {
  const { tokens } = await obtainTokens(place, place.web)
  const { sid } = decodeJwt(tokens.id_token ?? '')
  await place.writes.endLoginSessionOfUser('ada', String(sid), place.now())
  const next = await tokensOf(await refresh(place, place.web, tokens.refresh_token))
  expect(decodeJwt(next.id_token ?? '')).not.toHaveProperty('sid')
})
