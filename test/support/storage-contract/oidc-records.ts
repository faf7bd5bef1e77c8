import { expect, it } from 'vitest'
import type { Client, Interaction, LoginSession } from '../../../src/domain/ports/storage-oidc.ts'
import type { StoreFixture } from './fixture.ts'
import { approval, exchange, user } from './oidc.ts'
import { anEvent, aSubscription, changeSet, NOW } from './records.ts'

const client: Client = {
  id: 'C',
  accountId: 'A',
  kind: 'confidential',
  applicationType: 'web',
  name: 'App',
  redirectUris: ['https://app.example.com/cb'],
  postLogoutRedirectUris: [],
  scopes: ['openid'],
  grantTypes: ['authorization_code'],
  origin: 'administrator',
  links: {},
  createdAt: NOW,
  secrets: [{ id: 'first', hash: 'h1', createdAt: NOW }],
}
const login: LoginSession = {
  idHash: 'L',
  sid: 'S',
  userId: 'U',
  authenticatedAt: NOW,
  createdAt: NOW,
  lastSeenAt: NOW,
  passwordMark: 'm',
  ip: '192.0.2.1',
  userAgent: 'test',
}
const waiting: Interaction = { idHash: 'I', clientId: 'C', request: '{}', createdAt: NOW, expiresAt: NOW + 60_000 }

export function oidcRecordBehaviour({ store, reopen }: StoreFixture): void {
  it('keeps an application as its account made it, and both secrets until the older one ends', async () => {
    const { writes } = store()
    await writes.createClient(client)
    expect(await writes.updateClient('C', { name: 'Renamed', disabledAt: NOW + 1 })).toBe(true)
    expect(await writes.updateClient('C', { disabledAt: null })).toBe(true)
    expect(await writes.updateClient('nobody', { name: 'X' })).toBe(false)
    const second = { id: 'second', hash: 'h2', createdAt: NOW + 2 }
    expect(await writes.addClientSecret('C', second, NOW + 99)).toBe(true)
    expect(await writes.addClientSecret('nobody', second, NOW + 99)).toBe(false)
    const { reads } = await reopen()
    const found = await reads.findClient('C')
    expect({ ...found, secrets: [] }).toEqual({ ...client, name: 'Renamed', secrets: [] })
    expect(found?.secrets).toHaveLength(2)
    expect(found?.secrets).toEqual(
      expect.arrayContaining([second, { id: 'first', hash: 'h1', createdAt: NOW, expiresAt: NOW + 99 }]),
    )
    expect((await reads.listClients('A')).map(({ id }) => id)).toEqual(['C'])
    expect(await reads.listClients('B')).toEqual([])
  })

  it('an application that is deleted takes its grants with it; one that nobody approved goes by itself', async () => {
    const { writes, reads } = store()
    await writes.createUser(user)
    await writes.createClient(client)
    const { accountId: _, ...dynamic } = { ...client, id: 'D', origin: 'dynamic' as const, secrets: [] }
    await writes.createClient(dynamic)
    expect(await reads.countDynamicClients()).toBe(1)
    expect(await writes.deleteUnusedClients(NOW)).toBe(0)
    expect(await writes.deleteUnusedClients(NOW + 1)).toBe(1)
    expect(await reads.countDynamicClients()).toBe(0)
    await writes.approve(approval())
    expect(await writes.deleteClient('C', NOW + 3)).toBe(true)
    expect(await writes.deleteClient('C', NOW + 4)).toBe(false)
    expect(await reads.findClient('C')).toBeUndefined()
    expect((await reads.findGrant('grant of code'))?.revokedAt).toBe(NOW + 3)
  })

  it('a sign-in ends once, and a user’s list names only those that have not', async () => {
    const { writes, reads } = store()
    await writes.createUser(user)
    await writes.createLoginSession(login)
    const second = { ...login, idHash: 'L2', sid: 'S2', createdAt: NOW + 1 }
    await writes.createLoginSession(second)
    await writes.touchLoginSession('L', NOW + 9)
    expect(await reads.findLoginSession('L')).toEqual({ ...login, lastSeenAt: NOW + 9 })
    expect((await reads.listLoginSessions('U')).map(({ sid }) => sid)).toHaveLength(2)
    expect(await writes.endLoginSession('L', NOW + 10)).toBe(true)
    expect(await writes.endLoginSession('L', NOW + 11)).toBe(false)
    expect(await reads.listLoginSessions('U')).toEqual([second])
    expect(await writes.endLoginSessionOfUser('other', 'S2', NOW)).toBe(false)
    expect(await writes.endLoginSessionOfUser('U', 'S2', NOW)).toBe(true)
    expect(await reads.listLoginSessions('U')).toEqual([])
  })

  it('OIDC-A14: a request that waits is picked up once, and never after its time', async () => {
    const { writes, reads } = store()
    await writes.createInteraction(waiting)
    await writes.createInteraction({ ...waiting, idHash: 'late', expiresAt: NOW })
    await writes.createInteraction({ ...waiting, idHash: 'own', browserHash: 'B' })
    expect(await writes.claimInteraction('I', NOW)).toMatchObject({ idHash: 'I', request: '{}' })
    expect(await writes.claimInteraction('I', NOW)).toBeUndefined()
    expect(await writes.claimInteraction('late', NOW)).toBeUndefined()
    expect(await writes.claimInteraction('own', NOW)).toBeUndefined()
    expect(await writes.updateInteraction('own', { userId: 'U', loggedInAt: NOW })).toBe(true)
    expect(await writes.updateInteraction('own', { loggedInAt: null, spentAt: NOW })).toBe(true)
    expect(await writes.updateInteraction('own', { userId: null })).toBe(false)
    const own = { ...waiting, idHash: 'own', browserHash: 'B', userId: 'U', spentAt: NOW }
    expect(await reads.findInteraction('own')).toEqual(own)
  })

  it('a grant shares what its user selected, and ends with its tokens', async () => {
    const { writes, reads } = store()
    await writes.createUser(user)
    await writes.approve(approval())
    await writes.exchangeCode(exchange('1'))
    expect(await writes.selectChargePoints('grant of code', ['CP1'], NOW + 1)).toBe(true)
    await writes.touchGrant('grant of code', NOW + 2)
    expect(await reads.findGrant('grant of code')).toMatchObject({ chargePoints: ['CP1'], lastUsedAt: NOW + 2 })
    await writes.createSubscription(aSubscription({ grantId: 'grant of code' }), 9)
    expect((await reads.listGrantSubscriptions({ accountId: 'A', limit: 9 })).map(({ id }) => id)).toEqual(['wh'])
    expect(await writes.revokeToken('refresh 1', 'other', NOW + 3)).toBeUndefined()
    const revoked = { kind: 'refresh', grantId: 'grant of code' }
    expect(await writes.revokeToken('refresh 1', 'C', NOW + 3)).toEqual(revoked)
    expect(await writes.revokeToken('refresh 1', 'C', NOW + 4)).toBeUndefined()
    expect((await reads.findAccessToken('access 1'))?.token.revokedAt).toBe(NOW + 3)
    await writes.revokeGrant('grant of code', NOW + 5)
    expect(await writes.selectChargePoints('grant of code', 'all', NOW + 6)).toBe(false)
  })

  it('HOOK-E4: nothing is delivered to an application that may not read charge points but what is about sessions', async () => {
    const { core, writes, reads } = store()
    await writes.createUser(user)
    await writes.createClient(client)
    const types = ['session', 'door', 'group', 'card', 'alert']
    const events = ['session.updated', 'door.opened', 'limit-group.exceeded', 'reservation.updated', 'alert.raised']
    const deliver = async (id: string, scopes: readonly string[]) => {
      await writes.approve(
        approval({ scopes: ['sessions:read', 'webhooks:manage', ...scopes], chargePoints: 'all' }, id),
      )
      if (id === 'code') await writes.createSubscription(aSubscription({ grantId: 'grant of code', events }), 9)
      const about = events.map((type, at) => anEvent({ id: `${types[at]} ${id}`, type }))
      await core.commit([changeSet({ events: about })])
    }
    await deliver('code', [])
    await deliver('second', ['chargers:read'])
    await deliver('third', ['chargers:control'])
    // ADMIN-A3: no application acts through a viewer, or is told what only acting shows.
    await writes.updateUser('U', { role: 'viewer' })
    await deliver('fourth', [])
    const sent = await reads.listDeliveries({ subscriptionId: 'wh', limit: 50 })
    expect(sent.map(({ eventId }) => eventId).sort()).toEqual([
      'card third',
      'door fourth',
      'door second',
      'door third',
      'group third',
      'session code',
      'session fourth',
      'session second',
      'session third',
    ])
  })

  it('forgets the keys it is told to, and keeps what happened, newest first', async () => {
    const { writes, reads } = store()
    const key = { publicJwk: '{}', sealedPrivateKey: 'x', createdAt: NOW, activeFrom: NOW }
    for (const kid of ['a', 'b']) await writes.createSigningKey({ ...key, kid }, false)
    await writes.removeRecords('signing_keys', [{ kid: 'a' }, { kid: 'unknown' }])
    expect((await reads.listRecords('signing_keys', { limit: 9 })).map(({ kid }) => kid)).toEqual(['b'])
    await writes.audit({ at: NOW, kind: 'sign_in', accountId: 'A', userId: 'U' })
    await writes.audit({ at: NOW + 1, kind: 'sign_out', accountId: 'A', userId: 'U' })
    await writes.audit({ at: NOW + 2, kind: 'sign_in', accountId: 'B', userId: 'V' })
    expect((await reads.searchAudit({ accountId: 'A', limit: 9 })).map(({ kind }) => kind)).toEqual([
      'sign_out',
      'sign_in',
    ])
    expect(await reads.searchAudit({ accountId: 'A', userId: 'V', limit: 9 })).toEqual([])
  })
}
