import { expect, it } from 'vitest'
import { NO_PASSWORD, UNPROVEN_ADDRESS } from '../../../src/domain/accounts/password-link.ts'
import type { StoreFixture } from './fixture.ts'
import { anIdToken, aUser, NOW } from './records.ts'

export function administrationBehaviour({ store }: StoreFixture): void {
  it('ADMIN-A4: an account keeps an enabled administrator, whatever is changed and in whatever order', async () => {
    const { writes, reads } = store()
    await writes.createUser(aUser({ role: 'administrator' }))
    await writes.createUser(aUser({ id: 'U2', email: 'two@example.com', role: 'administrator', disabledAt: NOW }))
    await writes.createUser(aUser({ id: 'U3', accountId: 'B', email: 'three@example.com', role: 'administrator' }))
    expect(await writes.changeUser('A', 'U1', { role: 'viewer' })).toBe('last_administrator')
    expect(await writes.changeUser('A', 'U1', { disabledAt: NOW })).toBe('last_administrator')
    expect(await writes.changeUser('A', 'U3', { role: 'viewer' })).toBeUndefined()
    expect(await writes.changeUser('A', 'U1', { name: 'Ada' })).toMatchObject({ role: 'administrator', name: 'Ada' })
    const enabled = await writes.changeUser('A', 'U2', { disabledAt: null })
    expect(enabled).toMatchObject({ id: 'U2' })
    expect(enabled).not.toHaveProperty('disabledAt')
    expect(await writes.changeUser('A', 'U1', { role: 'operator', name: null })).not.toHaveProperty('name')
    expect((await reads.findUser('U1'))?.role).toBe('operator')
    expect(await writes.changeUser('A', 'U2', { role: 'operator' })).toBe('last_administrator')
  })

  it('ADMIN-K4: a verified address joins a user of the account, an unverified one nobody; an identity has one user', async () => {
    const { writes, reads } = store()
    await writes.createUser(aUser())
    await writes.createUser(aUser({ id: 'U3', accountId: 'B', email: 'three@example.com' }))
    const claim = (subject: string, email: string, isEmailVerified = true, id = `U-${subject}`) =>
      writes.claimIdentity({ issuer: 'https://id', subject, user: aUser({ id, email }), isEmailVerified, ip: '::1' })
    const { email } = aUser()
    expect(await claim('ada', email, false)).toEqual({ kind: 'taken' })
    expect(await claim('ada', email.toUpperCase())).toMatchObject({ kind: 'joined', user: { id: 'U1' } })
    expect(await claim('ada', 'renamed@example.com')).toMatchObject({ kind: 'known', user: { id: 'U1', email } })
    expect(await claim('eve', email)).toEqual({ kind: 'taken' })
    expect(await claim('eve', 'three@example.com')).toEqual({ kind: 'taken' })
    expect(await claim('bob', 'bob@example.com', false)).toMatchObject({ kind: 'created', user: { id: 'U-bob' } })
    expect(await claim('bob', 'bob@example.com', false)).toMatchObject({ kind: 'known', user: { id: 'U-bob' } })
    expect(await claim('rob', 'bob@example.com')).toEqual({ kind: 'taken' })
    const made = await reads.searchAudit({ accountId: 'A', limit: 9 })
    expect(made.map(({ kind, actor }) => [kind, actor])).toEqual([
      ['user_created', 'bob@example.com'],
      ['user_joined', email],
    ])
    const twice = await Promise.all([1, 2].map((id) => claim('max', 'max@example.com', true, `U-${id}`)))
    expect(new Set(twice.map((one) => 'user' in one && one.user.id)).size).toBe(1)
  })

  it('ADMIN-K4: the user of an unverified address kept its owner out; the owner gets it, and nothing else of that user', async () => {
    const { writes, reads } = store()
    await writes.createUser(aUser())
    const claim = (subject: string, email: string, isEmailVerified: boolean) => {
      const passwordHash = isEmailVerified ? NO_PASSWORD : UNPROVEN_ADDRESS
      const user = aUser({ id: `U-${subject}`, email, passwordHash })
      return writes.claimIdentity({ issuer: 'https://id', subject, user, isEmailVerified, ip: '::1' })
    }
    const email = 'bob@example.com'
    expect(await claim('rob', email, false)).toMatchObject({ kind: 'created' })
    expect(await claim('third', email, false)).toEqual({ kind: 'taken' })
    expect(await claim('bob', email.toUpperCase(), true)).toMatchObject({ kind: 'created', user: { id: 'U-bob' } })
    expect(await reads.findUserByEmail(email)).toMatchObject({ id: 'U-bob' })
    expect(await reads.findUser('U-rob')).toMatchObject({ email: 'U-rob@unverified.invalid' })
    expect(await claim('rob', email, true)).toMatchObject({ kind: 'known', user: { id: 'U-rob' } })
    expect(await claim('eve', email, true)).toEqual({ kind: 'taken' })
    const kept = await reads.searchAudit({ accountId: 'A', limit: 9 })
    expect(kept.map(({ kind, userId, subject }) => [kind, userId, subject])).toContainEqual([
      'address_released',
      'U-rob',
      email,
    ])
    // What the provider calls verified later is the user's own from then on.
    await claim('pat', 'pat@example.com', false)
    expect(await claim('pat', 'other@example.com', true)).toMatchObject({ user: { passwordHash: UNPROVEN_ADDRESS } })
    expect(await claim('pat', 'Pat@example.com', true)).toMatchObject({ user: { passwordHash: NO_PASSWORD } })
    expect(await claim('imp', 'pat@example.com', true)).toEqual({ kind: 'taken' })
    // An administrator vouches for an address, too.
    await claim('tim', 'tim@example.com', false)
    expect(await writes.createUser(aUser({ id: 'U9', email: 'tim@example.com' }))).toBe('created')
    expect(await writes.createUser(aUser({ id: 'U10', email: 'tim@example.com' }))).toBe('exists')
  })

  it('ADMIN-K3: what is signed in ends with the last role, in one commit with its record; of nobody else', async () => {
    const { writes, reads } = store()
    await writes.createUser(aUser())
    const identity = { issuer: 'https://id', subject: 'ada' }
    expect(await writes.endAccess(identity, NOW, '::1')).toBeUndefined()
    await writes.createUser(aUser({ id: 'U2', email: 'two@example.com' }))
    await writes.claimIdentity({ ...identity, user: aUser(), isEmailVerified: true, ip: '::1' })
    for (const userId of ['U1', 'U2']) {
      const session = { userId, authenticatedAt: NOW, createdAt: NOW, lastSeenAt: NOW, passwordMark: 'm' }
      await writes.createLoginSession({ ...session, idHash: userId, sid: userId, ip: '::1', userAgent: 'test' })
    }
    await writes.createPasswordLink({ userId: 'U1', createdAt: NOW, expiresAt: NOW + 10, hash: 'link' })
    expect(await writes.endAccess({ ...identity, subject: 'eve' }, NOW, '::1')).toBeUndefined()
    expect(await reads.listLoginSessions('U1')).toHaveLength(1)
    expect(await writes.endAccess(identity, NOW, '::1')).toMatchObject({ id: 'U1' })
    expect([await reads.listLoginSessions('U1'), await reads.findPasswordLink('link')]).toEqual([[], undefined])
    expect(await reads.listLoginSessions('U2')).toHaveLength(1)
    expect(await reads.findUser('U1')).toMatchObject({ signInEpoch: 1 })
    const [event] = await reads.searchAudit({ accountId: 'A', limit: 1 })
    expect(event).toMatchObject({ kind: 'access_ended', userId: 'U1', ip: '::1' })
  })

  it('ADMIN-E1: a link sets a password once, until it ends or a newer one is made', async () => {
    const { writes, reads } = store()
    await writes.createUser(aUser())
    const link = { userId: 'U1', createdAt: NOW, expiresAt: NOW + 10 }
    await writes.createPasswordLink({ ...link, hash: 'first' })
    await writes.createPasswordLink({ ...link, hash: 'second' })
    expect(await reads.findPasswordLink('first')).toBeUndefined()
    expect(await reads.findPasswordLink('second')).toEqual({ ...link, hash: 'second' })
    expect(await writes.spendPasswordLink('first', 'p', NOW)).toBe(false)
    expect(await writes.spendPasswordLink('second', 'p', NOW + 10)).toBe(false)
    expect(await writes.spendPasswordLink('second', 'p', NOW + 9)).toBe(true)
    expect(await writes.spendPasswordLink('second', 'q', NOW + 9)).toBe(false)
    expect((await reads.findUser('U1'))?.passwordHash).toBe('p')
  })

  it('OIDC-L6: disabling, another role and a password end login sessions and an unused link; a name does not', async () => {
    const { writes, reads } = store()
    await writes.createUser(aUser())
    const session = { userId: 'U1', authenticatedAt: NOW, createdAt: NOW, lastSeenAt: NOW, passwordMark: 'm' }
    const begin = async (hash: string) => {
      await writes.createLoginSession({ ...session, idHash: hash, sid: hash, ip: '::1', userAgent: 'test' })
      await writes.createPasswordLink({ userId: 'U1', createdAt: NOW, expiresAt: NOW + 10, hash })
    }
    const left = async (hash: string) =>
      (await reads.listLoginSessions('U1')).length + ((await reads.findPasswordLink(hash)) ? 1 : 0)
    await begin('a')
    await writes.changeUser('A', 'U1', { name: 'Ada' })
    expect([await left('a'), (await reads.findUser('U1'))?.signInEpoch]).toEqual([2, undefined])
    expect(await writes.changeUser('A', 'U1', { role: 'operator' })).toMatchObject({ signInEpoch: 1 })
    expect(await left('a')).toBe(0)
    await begin('b')
    expect(await writes.changeUser('A', 'U1', { disabledAt: NOW })).toMatchObject({ signInEpoch: 2 })
    expect(await left('b')).toBe(0)
    expect(await writes.changeUser('A', 'U1', { disabledAt: NOW + 1 })).toMatchObject({ signInEpoch: 2 })
    await begin('c')
    await writes.updateUser('U1', { passwordHash: 'p' })
    expect([await left('c'), (await reads.findUser('U1'))?.signInEpoch]).toEqual([0, 2])
    await begin('d')
    expect(await writes.spendPasswordLink('d', 'q', NOW)).toBe(true)
    expect(await reads.listLoginSessions('U1')).toEqual([])
    await writes.updateUser('U1', { role: 'viewer', disabledAt: NOW })
    expect((await reads.findUser('U1'))?.signInEpoch).toBe(3)
  })

  it('ADMIN-F1: a time step and a recovery code are taken once', async () => {
    const { writes, reads } = store()
    await writes.createUser(aUser())
    const factor = { userId: 'U1', sealedSecret: 's', recoveryHashes: ['a', 'b'], lastStep: 0 }
    await writes.putSecondFactor(factor)
    expect(await reads.findSecondFactor('U1')).toEqual(factor)
    expect(await writes.spendTimeStep('U1', 7, NOW)).toBe(true)
    expect(await writes.spendTimeStep('U1', 7, NOW)).toBe(false)
    expect(await writes.spendTimeStep('U1', 6, NOW)).toBe(false)
    expect(await writes.spendRecoveryCode('U1', 'a')).toBe(true)
    expect(await writes.spendRecoveryCode('U1', 'a')).toBe(false)
    const spent = { ...factor, recoveryHashes: ['b'], lastStep: 7, confirmedAt: NOW }
    expect(await reads.findSecondFactor('U1')).toEqual(spent)
    await writes.putSecondFactor({ ...factor, sealedSecret: 't' })
    expect(await reads.findSecondFactor('U1')).toEqual({ ...factor, sealedSecret: 't' })
    expect(await writes.deleteSecondFactor('U1')).toBe(true)
    expect(await writes.deleteSecondFactor('U1')).toBe(false)
  })

  it('OIDC-L6: ends the login sessions of a user but one', async () => {
    const { writes, reads } = store()
    await writes.createUser(aUser())
    const session = { userId: 'U1', authenticatedAt: NOW, createdAt: NOW, lastSeenAt: NOW, passwordMark: 'm' }
    for (const idHash of ['x', 'y', 'z']) {
      await writes.createLoginSession({ ...session, idHash, sid: idHash, ip: '::1', userAgent: 'test' })
    }
    expect(await writes.endOtherLoginSessions('U1', 'y', NOW)).toBe(2)
    expect((await reads.listLoginSessions('U1')).map(({ sid }) => sid)).toEqual(['y'])
  })

  it('ADMIN-C1: an operation and its record are stored together; what fails leaves neither', async () => {
    const { writes, reads } = store()
    const event = { at: NOW, kind: 'createIdToken', accountId: 'A', actor: 'ada@example.com', role: 'administrator' }
    const done = await writes.recorded(event, 'createIdToken', [anIdToken()])
    expect(done.value).toBe('created')
    expect(await reads.findIdToken('A', anIdToken().id)).toEqual(anIdToken())
    const rows = await reads.searchAudit({ accountId: 'A', limit: 9 })
    expect(rows).toEqual([{ ...event, id: done.auditId }])
    await writes.setAuditOutcome(done.auditId, 'refused', 'card')
    expect(await reads.searchAudit({ accountId: 'A', limit: 9 })).toEqual([
      { ...event, id: done.auditId, outcome: 'refused', subject: 'card' },
    ])
    const broken = anIdToken({ id: 'OTHER', accountId: 'nobody' })
    await expect(writes.recorded(event, 'createIdToken', [broken])).rejects.toThrow()
    await expect(writes.recorded(event, 'no such operation', [])).rejects.toThrow()
    expect(await reads.searchAudit({ accountId: 'A', limit: 9 })).toHaveLength(1)
  })

  it('ADMIN-C4: nobody will tell of what is still ordered, and only of that', async () => {
    const { writes, reads } = store()
    const event = { at: NOW, kind: 'settle', accountId: 'A' }
    const first = await writes.audit({ ...event, outcome: 'ordered' })
    const second = await writes.audit({ ...event, outcome: 'ordered' })
    await writes.audit({ ...event, outcome: 'refused' })
    await writes.setAuditOutcome(first, 'done')
    expect(await writes.endAuditOutcomes()).toBe(1)
    expect(await writes.endAuditOutcomes()).toBe(0)
    const rows = await reads.searchAudit({ accountId: 'A', limit: 9 })
    expect(rows.map(({ outcome }) => outcome)).toEqual(['refused', 'unknown', 'done'])
    expect(rows.map(({ id }) => id).slice(1)).toEqual([second, first])
  })

  it('ADMIN-C5: old entries of the audit log are removed a few at a time, the oldest first', async () => {
    const { writes, reads } = store()
    for (const at of [NOW + 2, NOW, NOW + 1, NOW + 3]) await writes.audit({ at, kind: 'x', accountId: 'A' })
    expect(await writes.deleteOldAudit(NOW + 3, 2)).toBe(2)
    const left = async () => (await reads.searchAudit({ accountId: 'A', limit: 9 })).map(({ at }) => at - NOW)
    expect(await left()).toEqual([3, 2])
    expect(await writes.deleteOldAudit(NOW + 3, 2)).toBe(1)
    expect(await left()).toEqual([3])
  })

  it('ADMIN-C3: the audit log is searched newest first, by time and by who it was', async () => {
    const { writes, reads } = store()
    await writes.createUser(aUser({ email: 'ada@example.com' }))
    await writes.audit({ at: NOW, kind: 'sign_in', accountId: 'A', userId: 'U1' })
    await writes.audit({ at: NOW + 1, kind: 'x', accountId: 'A', actor: 'a credential' })
    await writes.audit({ at: NOW + 2, kind: 'y', accountId: 'A', actor: 'ada@example.com' })
    await writes.audit({ at: NOW + 3, kind: 'z', accountId: 'B', actor: 'ada@example.com' })
    const kinds = async (query: object) =>
      (await reads.searchAudit({ accountId: 'A', limit: 9, ...query })).map(({ kind }) => kind)
    expect(await kinds({})).toEqual(['y', 'x', 'sign_in'])
    expect(await kinds({ actor: 'ada@example.com' })).toEqual(['y', 'sign_in'])
    expect(await kinds({ from: NOW + 1, to: NOW + 2 })).toEqual(['x'])
    expect(await kinds({ limit: 1 })).toEqual(['y'])
    const [newest] = await reads.searchAudit({ accountId: 'A', limit: 1 })
    expect(await kinds({ belowId: newest?.id })).toEqual(['x', 'sign_in'])
  })

  it('ADMIN-G2: cards are taken in all or not at all; only named attributes of known ones change', async () => {
    const { writes, reads } = store()
    const known = anIdToken({ id: 'KNOWN', status: 'Blocked', groupId: 'g' })
    await writes.createIdToken(known)
    const fresh = anIdToken({ id: 'FRESH' })
    const again = [fresh, anIdToken({ id: 'known', status: 'Accepted' })]
    expect(await writes.importIdTokens(again, ['id'])).toEqual({ created: 1, changed: 0 })
    expect(await reads.findIdToken('A', 'KNOWN')).toEqual(known)
    expect(await writes.importIdTokens(again, ['id', 'status'])).toEqual({ created: 0, changed: 1 })
    expect(await reads.findIdToken('A', 'KNOWN')).toEqual({ ...known, status: 'Accepted' })
    expect(await writes.importIdTokens(again, ['id', 'status'])).toEqual({ created: 0, changed: 0 })
    const broken = [anIdToken({ id: 'NEVER' }), anIdToken({ id: 'B', accountId: 'nobody' })]
    await expect(writes.importIdTokens(broken, ['id'])).rejects.toThrow()
    expect(await reads.findIdToken('A', 'NEVER')).toBeUndefined()
    expect((await reads.listIdTokens('A', { limit: 9 }, 'nOw')).map(({ id }) => id)).toEqual(['KNOWN'])
    expect(await reads.listIdTokens('A', { limit: 9 }, '%')).toEqual([])
  })
}
