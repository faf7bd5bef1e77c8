import { expect, it } from 'vitest'
import { FIRST_START } from '../../../src/domain/records/unversioned.ts'
import { loadChargePoint } from '../storage/testing.ts'
import type { StoreFixture } from './fixture.ts'
import { aChargePoint, anIdToken, aUser, NOW } from './records.ts'

export function accountBehaviour({ store, reopen }: StoreFixture): void {
  it('keeps accounts, oldest first, and gives unknown charge points to the oldest', async () => {
    const { reads, core } = await reopen()
    expect(await reads.listAccounts()).toEqual([
      { id: 'A', name: 'Account A', createdAt: NOW },
      { id: 'B', name: 'Account B', createdAt: NOW + 1 },
    ])
    expect(await reads.findAccount('B')).toEqual({ id: 'B', name: 'Account B', createdAt: NOW + 1 })
    expect(await reads.findAccount('C')).toBeUndefined()
    expect(await core.defaultAccountId()).toBe('A')
  })

  it('COST-L4: keeps whether an account settles by itself, off unless set, and gives it with its charge points', async () => {
    const { writes, reads, core } = store()
    await writes.createChargePoint(aChargePoint())
    expect(await loadChargePoint(core, 'CP1')).not.toHaveProperty('automaticSettlement')
    const on = { id: 'A', name: 'Account A', createdAt: NOW, automaticSettlement: true }
    expect(await writes.updateAccount('A', { automaticSettlement: true })).toEqual(on)
    expect(await reads.findAccount('A')).toEqual(on)
    expect(await loadChargePoint(core, 'CP1')).toMatchObject({ automaticSettlement: true })
    const { automaticSettlement: _, ...off } = on
    expect(await writes.updateAccount('A', { automaticSettlement: false })).toEqual(off)
    expect(await loadChargePoint(core, 'CP1')).not.toHaveProperty('automaticSettlement')
    expect(await writes.updateAccount('nobody', { automaticSettlement: true })).toBeUndefined()
  })

  it('SERVER-C6: makes the first account with its user and credential in one piece, and only while nobody can get in', async () => {
    const { writes, reads } = store()
    const credential = { id: 'K1', accountId: 'new', name: 'first', secretHash: 'h', createdAt: NOW }
    const first = {
      account: { id: 'new', name: 'Default', createdAt: NOW },
      user: aUser({ accountId: 'new' }),
      credential,
      madeBy: { node: 'one', at: NOW },
    }
    expect(await reads.getRecord('meta', { name: FIRST_START })).toBeUndefined()
    // The oldest account is there, and nobody can get into it.
    expect(await writes.createFirstAccount(first)).toEqual({ outcome: 'created', accountId: 'A' })
    const again = {
      ...first,
      user: aUser({ id: 'U2', email: 'b@example.com' }),
      credential: { ...credential, id: 'K2' },
    }
    expect(await writes.createFirstAccount({ ...again, madeBy: { node: 'two', at: NOW } })).toEqual({
      outcome: 'exists',
    })
    expect(await reads.listAccounts()).toHaveLength(2)
    expect((await reads.listUsers('A')).map(({ id }) => id)).toEqual(['U1'])
    expect((await reads.listCredentials('A')).map(({ id }) => id)).toEqual(['K1'])
    expect((await reads.getRecord('meta', { name: FIRST_START }))?.value).toBe(JSON.stringify({ node: 'one', at: NOW }))
  })

  it('finds a user by e-mail address in any case, and refuses the address a second time', async () => {
    const { writes, reads } = store()
    const user = aUser({ email: 'Ada@Example.com', name: 'Ada' })
    expect(await writes.createUser(user)).toBe('created')
    expect(await writes.createUser(aUser({ id: 'U2', accountId: 'B', email: 'ADA@example.com' }))).toBe('exists')
    expect(await reads.findUserByEmail('ada@EXAMPLE.com')).toEqual(user)
    expect(await reads.findUser('U1')).toEqual(user)
    expect(await reads.listUsers('A')).toEqual([user])
    expect(await reads.listUsers('B')).toEqual([])
  })

  it('returns absent attributes as absent, never null', async () => {
    const { writes, reads } = store()
    await writes.createUser(aUser())
    expect(Object.keys((await reads.findUser('U1')) ?? {}).sort()).toEqual(Object.keys(aUser()).sort())
  })

  it('changes only what a user change names, and says when there is no such user', async () => {
    const { writes, reads } = store()
    await writes.createUser(aUser())
    expect(await writes.updateUser('U1', { disabledAt: NOW + 5 })).toBe(true)
    expect(await writes.updateUser('U1', { name: 'Ada' })).toBe(true)
    expect(await writes.updateUser('U1', {})).toBe(true)
    expect(await writes.updateUser('nobody', { name: 'X' })).toBe(false)
    // Disabling ended what was signed in.
    expect(await reads.findUser('U1')).toEqual(aUser({ disabledAt: NOW + 5, name: 'Ada', signInEpoch: 1 }))
  })

  it('revokes a credential once, only for its account, and remembers its latest use', async () => {
    const { writes, reads } = store()
    const credential = { id: 'K1', accountId: 'A', name: 'integration', secretHash: 'ab', createdAt: NOW }
    await writes.createCredential(credential)
    await writes.touchCredential('K1', NOW + 20)
    await writes.touchCredential('K1', NOW + 10)
    expect(await writes.revokeCredential('B', 'K1', NOW + 30)).toBe(false)
    expect(await writes.revokeCredential('A', 'K1', NOW + 30)).toBe(true)
    expect(await writes.revokeCredential('A', 'K1', NOW + 40)).toBe(false)
    const stored = { ...credential, lastUsedAt: NOW + 20, revokedAt: NOW + 30 }
    expect(await reads.findCredential('K1')).toEqual(stored)
    expect(await reads.listCredentials('A')).toEqual([stored])
    expect(await reads.listCredentials('B')).toEqual([])
  })

  it('TOKEN-Z1: an id token is one regardless of case, per account', async () => {
    const { writes, reads, core } = store()
    const token = anIdToken({ id: 'CaRd1' })
    expect(await writes.createIdToken(token)).toBe('created')
    expect(await writes.createIdToken(anIdToken({ id: 'CARD1' }))).toBe('exists')
    expect(await writes.createIdToken(anIdToken({ accountId: 'B', id: 'CARD1' }))).toBe('created')
    expect(await reads.findIdToken('A', 'card1')).toEqual(token)
    expect(await core.loadIdTokens('A', ['card1', 'other'])).toEqual([token])
    expect(await core.loadIdTokens('A', [])).toEqual([])
  })

  it('changes and deletes an id token only for its account; null removes an attribute', async () => {
    const { writes, reads } = store()
    await writes.createIdToken(anIdToken({ expiresAt: NOW, groupId: 'FLEET' }))
    expect(await writes.updateIdToken('B', 'CARD1', { status: 'Blocked' })).toBeUndefined()
    const changed = await writes.updateIdToken('A', 'card1', { status: 'Blocked', expiresAt: null })
    expect(changed).toEqual(anIdToken({ status: 'Blocked', groupId: 'FLEET' }))
    expect(await writes.updateIdToken('A', 'CARD1', {})).toEqual(changed)
    expect(await writes.deleteIdToken('B', 'CARD1')).toBe(false)
    expect(await writes.deleteIdToken('A', 'CARD1')).toBe(true)
    expect(await reads.findIdToken('A', 'CARD1')).toBeUndefined()
  })

  it('pages id tokens by id in one stable order', async () => {
    const { writes, reads } = store()
    for (const id of ['b', 'A', 'C', 'd']) await writes.createIdToken(anIdToken({ id }))
    const first = await reads.listIdTokens('A', { limit: 3 })
    expect(first.map((token) => token.id)).toEqual(['A', 'b', 'C'])
    expect((await reads.listIdTokens('A', { afterId: 'C', limit: 3 })).map((token) => token.id)).toEqual(['d'])
  })
}
