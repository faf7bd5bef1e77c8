import { expect, it } from 'vitest'
import type { ApproveOrder, ExchangeOrder, RefreshOrder } from '../../../src/domain/ports/storage-oidc.ts'
import type { User } from '../../../src/domain/ports/storage-records.ts'
import type { StoreFixture } from './fixture.ts'
import { NOW } from './records.ts'

export const user: User = {
  id: 'U',
  accountId: 'A',
  email: 'u@example.com',
  role: 'member',
  passwordHash: 'x',
  createdAt: NOW,
}
const MINUTE = 60_000

export const approval = (change: Partial<ApproveOrder['grant']> = {}, codeHash = 'code'): ApproveOrder => ({
  now: NOW,
  grant: {
    newId: `grant of ${codeHash}`,
    accountId: 'A',
    userId: 'U',
    clientId: 'C',
    scopes: ['openid', 'offline_access'],
    ...change,
  },
  code: {
    hash: codeHash,
    familyId: `family of ${codeHash}`,
    clientId: 'C',
    userId: 'U',
    redirectUri: 'https://app.example.com/cb',
    scopes: ['openid', 'offline_access'],
    codeChallenge: 'challenge',
    authTime: NOW,
    sid: 'S',
    createdAt: NOW,
    expiresAt: NOW + MINUTE,
  },
  mayWiden: true,
  ip: '192.0.2.1',
})
const tokens = (name: string) => ({
  accessHash: `access ${name}`,
  accessExpiresAt: NOW + MINUTE,
  refreshHash: `refresh ${name}`,
  refreshExpiresAt: NOW + MINUTE,
})
export const exchange = (name: string, change: Partial<ExchangeOrder> = {}): ExchangeOrder => ({
  now: NOW,
  codeHash: 'code',
  clientId: 'C',
  redirectUri: 'https://app.example.com/cb',
  challenge: 'challenge',
  tokens: { ...tokens(name), refreshAbsoluteExpiresAt: NOW + MINUTE },
  ip: '192.0.2.1',
  ...change,
})
const renewal = (tokenHash: string, name: string): RefreshOrder => ({
  now: NOW,
  tokenHash,
  clientId: 'C',
  graceMs: 0,
  tokens: tokens(name),
  ip: '192.0.2.1',
})

export function oidcBehaviour({ store, reopen }: StoreFixture): void {
  it('OIDC-C4, OIDC-C5: a second approval widens the one active grant; after revoking, a new one begins', async () => {
    const { writes, reads } = store()
    await writes.createUser(user)
    await writes.approve(approval({ chargePoints: ['P'] }))
    await writes.approve(approval({ scopes: ['profile'] }, 'second'))
    const grant = await reads.findActiveGrant('U', 'C')
    expect(grant).toMatchObject({
      id: 'grant of code',
      scopes: ['openid', 'offline_access', 'profile'],
      chargePoints: ['P'],
    })
    expect(await writes.revokeGrant('grant of code', NOW)).toBe(true)
    expect(await writes.revokeGrant('grant of code', NOW)).toBe(false)
    await writes.approve(approval({}, 'third'))
    expect((await reads.findActiveGrant('U', 'C'))?.id).toBe('grant of third')
    expect(await reads.listGrants({ accountId: 'A' })).toHaveLength(1)
  })

  it('OIDC-P4: an approval that may not widen needs an active grant', async () => {
    const { writes } = store()
    await writes.createUser(user)
    expect(await writes.approve({ ...approval(), mayWiden: false })).toEqual({ kind: 'not_covered' })
    expect(await writes.exchangeCode(exchange('1'))).toEqual({ kind: 'refused', reason: 'unknown' })
  })

  it('OIDC-A17: an interaction is spent once, and nothing is made by its second use', async () => {
    const { writes } = store()
    await writes.createUser(user)
    await writes.createInteraction({
      idHash: 'I',
      browserHash: 'B',
      clientId: 'C',
      request: '{}',
      createdAt: NOW,
      expiresAt: NOW + MINUTE,
    })
    const outcomes = [
      await writes.approve({ ...approval(), interactionHash: 'I' }),
      await writes.approve({ ...approval({}, 'again'), interactionHash: 'I' }),
    ]
    expect(outcomes.map(({ kind }) => kind)).toEqual(['approved', 'spent'])
    const second = await writes.exchangeCode(exchange('1', { codeHash: 'again' }))
    expect(second).toEqual({ kind: 'refused', reason: 'unknown' })
  })

  it('OIDC-K9, OIDC-T3: a code gives tokens once; the second try revokes them', async () => {
    const { writes, reads } = store()
    await writes.createUser(user)
    await writes.approve(approval())
    expect((await writes.exchangeCode(exchange('1'))).kind).toBe('issued')
    expect(await writes.exchangeCode(exchange('2'))).toEqual({ kind: 'refused', reason: 'replayed' })
    expect((await reads.findAccessToken('access 1'))?.token.revokedAt).toBe(NOW)
    expect(await reads.findAccessToken('access 2')).toBeUndefined()
  })

  it('OIDC-K9, OIDC-K6: a refresh token gives tokens once; the second try revokes the family, not the grant', async () => {
    const { writes } = store()
    await writes.createUser(user)
    await writes.approve(approval())
    await writes.exchangeCode(exchange('1'))
    expect((await writes.refreshTokens(renewal('refresh 1', '2'))).kind).toBe('issued')
    expect(await writes.refreshTokens(renewal('refresh 1', '3'))).toEqual({ kind: 'refused', reason: 'reused' })
    const { reads } = await reopen()
    expect((await reads.findRefreshToken('refresh 2'))?.token.revokedAt).toBe(NOW)
    expect((await reads.findActiveGrant('U', 'C'))?.reuseSeenAt).toBe(NOW)
  })

  it('OIDC-D8: of two first keys one is kept', async () => {
    const { writes, reads } = store()
    const key = { publicJwk: '{}', sealedPrivateKey: 'x', createdAt: NOW, activeFrom: NOW }
    expect(await writes.createSigningKey({ ...key, kid: 'a' }, true)).toBe(true)
    expect(await writes.createSigningKey({ ...key, kid: 'b' }, true)).toBe(false)
    expect((await reads.listRecords('signing_keys', { limit: 9 })).map(({ kid }) => kid)).toEqual(['a'])
  })

  it('what has expired is forgotten, what has not stays', async () => {
    const { writes, reads } = store()
    await writes.createUser(user)
    await writes.approve(approval())
    await writes.exchangeCode(exchange('1'))
    expect(await writes.deleteExpiredOidc(NOW, 0)).toBe(0)
    expect(await writes.deleteExpiredOidc(NOW + MINUTE + 1, 0)).toBe(3)
    expect(await reads.findAccessToken('access 1')).toBeUndefined()
  })
}
