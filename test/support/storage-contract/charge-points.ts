import { expect, it } from 'vitest'
import type { Connector } from '../../../src/domain/ports/sessions.ts'
import { findTransaction, loadChargePoint } from '../storage/testing.ts'
import type { StoreFixture } from './fixture.ts'
import { approval, exchange, user } from './oidc.ts'
import {
  aChargePoint,
  aCommand,
  aSession,
  aSubscription,
  aTransaction,
  changeSet,
  NOW,
  store as put,
} from './records.ts'

export function chargePointBehaviour({ store, reopen }: StoreFixture): void {
  it('refuses an identity that exists or differs only in case', async () => {
    const { writes, reads } = store()
    expect(await writes.createChargePoint(aChargePoint())).toBe('created')
    expect(await writes.createChargePoint(aChargePoint({ accountId: 'B' }))).toBe('exists')
    expect(await writes.createChargePoint(aChargePoint({ id: 'cp1' }))).toBe('differsInCase')
    expect(await reads.findChargePoint('cp1')).toBeUndefined()
    expect(await reads.findChargePoint('CP1')).toEqual({ ...aChargePoint(), status: {}, connectors: [] })
  })

  it('keeps every attribute; null removes one; other accounts change nothing', async () => {
    const { writes, reads } = store()
    const full = aChargePoint({
      name: 'Car park',
      passwordHash: 'v1$a$b',
      protocols: ['ocpp1.6', 'ocpp2.0.1'],
      validation: 'strict',
      disabled: true,
    })
    await writes.createChargePoint(full)
    expect(await reads.findChargePoint('CP1')).toEqual({ ...full, status: {}, connectors: [] })
    expect(await writes.updateChargePoint('B', 'CP1', { name: 'mine' })).toBeUndefined()
    const changed = await writes.updateChargePoint('A', 'CP1', {
      name: null,
      protocols: null,
      validation: null,
      passwordHash: null,
      disabled: false,
      securityProfile: 2,
      registrationStatus: 'Pending',
    })
    const { name, protocols, validation, passwordHash, ...rest } = full
    const expected = { ...rest, disabled: false, securityProfile: 2, registrationStatus: 'Pending' }
    expect(changed).toEqual({ ...expected, status: {}, connectors: [] })
    expect(await writes.updateChargePoint('A', 'CP1', {})).toEqual(changed)
    expect([name, protocols, validation, passwordHash]).not.toContain(undefined)
  })

  it('3.2: counts whoever gets in without a password', async () => {
    const { writes, reads } = store()
    const open = aChargePoint({ securityProfile: 0 })
    expect(await reads.countOpenChargePoints()).toBe(0)
    await writes.createChargePoint(open)
    await writes.createChargePoint({ ...open, id: 'CP2', accountId: 'B', disabled: false })
    await writes.createChargePoint({ ...open, id: 'CP3', securityProfile: 1 })
    await writes.createChargePoint({ ...open, id: 'CP4', disabled: true })
    await writes.createChargePoint({ ...open, id: 'CP5', registrationStatus: 'Pending' })
    expect(await reads.countOpenChargePoints()).toBe(2)
  })

  it('OCPP-T4: finds the identity that differs only in upper and lower case', async () => {
    const { core, writes } = store()
    await writes.createChargePoint(aChargePoint())
    expect(await core.identityIgnoringCase('cp1')).toBe('CP1')
    expect(await core.identityIgnoringCase('CP2')).toBeUndefined()
  })

  it('OCPP-DR10: status, connectors, open transactions and sessions are there again after a restart', async () => {
    const before = store()
    await before.writes.createChargePoint(aChargePoint())
    const status = { protocol: 'ocpp1.6', bootedAt: NOW, vendor: 'V', relativeMeter: true } as const
    const connectors: readonly Connector[] = [
      { connectorId: 0, status: 'Available', updatedAt: NOW },
      { connectorId: 1, status: 'Faulted', errorCode: 'GroundFailure', updatedAt: NOW },
      { evseId: 1, connectorId: 1, status: 'Occupied', updatedAt: NOW },
    ]
    const open = aTransaction({ startKey: 'k' })
    const closed = aTransaction({ transactionId: '2', sessionId: 'S2', open: false })
    const sessions = [
      aSession(),
      aSession({ id: 'S2', state: 'completed' }),
      aSession({ id: 'S3', state: 'pending', remoteStart: aRemoteStart }),
    ]
    await before.core.commit([changeSet({ status, connectors, transactions: [open, closed], sessions })])
    const { core, reads } = await reopen()
    const loaded = await loadChargePoint(core, 'CP1')
    expect(loaded?.chargePoint).toEqual(aChargePoint())
    expect(loaded?.status).toEqual(status)
    expect(loaded?.connectors).toEqual(connectors)
    expect(loaded?.transactions).toEqual([open])
    expect(loaded?.sessions.map((session) => session.id).sort()).toEqual(['S1', 'S3'])
    expect(await core.chargePointsWithOpenSessions()).toEqual(['CP1'])
    expect(await reads.findChargePoint('CP1')).toEqual({ ...aChargePoint(), status, connectors })
    expect(await loadChargePoint(core, 'nobody')).toBeUndefined()
  })

  it('loads the session of an open transaction even when that session is over', async () => {
    const { core, writes } = store()
    await writes.createChargePoint(aChargePoint())
    await core.commit([changeSet({ transactions: [aTransaction()], sessions: [aSession({ state: 'failed' })] })])
    expect((await loadChargePoint(core, 'CP1'))?.sessions).toEqual([aSession({ state: 'failed' })])
    expect(await core.chargePointsWithOpenSessions()).toEqual(['CP1'])
  })

  it('replaces a connector by its EVSE and number', async () => {
    const { core, writes, reads } = store()
    await writes.createChargePoint(aChargePoint())
    const faulted = { connectorId: 1, status: 'Faulted', errorCode: 'X', updatedAt: NOW }
    const well = { connectorId: 1, status: 'Available', updatedAt: NOW + 1 }
    await core.commit([changeSet({ connectors: [faulted] }), changeSet({ connectors: [well] })])
    expect((await reads.findChargePoint('CP1'))?.connectors).toEqual([well])
  })

  it('pages charge points by id, per account, each with its own status', async () => {
    const { core, writes, reads } = store()
    for (const id of ['C', 'A', 'B']) await writes.createChargePoint(aChargePoint({ id }))
    await writes.createChargePoint(aChargePoint({ id: 'X', accountId: 'B' }))
    await core.commit([changeSet({ chargePointId: 'B', status: { vendor: 'V' } })])
    const first = await reads.listChargePoints('A', { limit: 2 })
    expect(first.map(({ id, status }) => [id, status.vendor])).toEqual([
      ['A', undefined],
      ['B', 'V'],
    ])
    expect((await reads.listChargePoints('A', { afterId: 'B', limit: 2 })).map(({ id }) => id)).toEqual(['C'])
  })

  it('deletes only for the account; a message that was on its way is still logged', async () => {
    const { core, writes, reads } = store()
    await writes.createChargePoint(aChargePoint())
    await core.commit([changeSet({ status: { vendor: 'V' } })])
    expect(await writes.deleteChargePoint('B', 'CP1')).toBe(false)
    expect(await writes.deleteChargePoint('A', 'CP1')).toBe(true)
    const late = changeSet({ command: aCommand(1), status: { vendor: 'late' } })
    expect(await core.commit([late])).toEqual([{ ok: true }])
    await writes.createChargePoint(aChargePoint())
    expect((await reads.findChargePoint('CP1'))?.status).toEqual({})
    expect(await reads.findCommand('CP1', aCommand(1).id)).toEqual(aCommand(1))
  })

  it('OIDC-C12: one that is deleted leaves the selections of its account, and is nobody’s under another one', async () => {
    const { writes, reads } = store()
    await writes.createUser(user)
    for (const id of ['CP1', 'CP2']) await writes.createChargePoint(aChargePoint({ id }))
    const approved = approval()
    const selected = ['CP1', 'CP2', 'CP3']
    await writes.approve({ ...approved, grant: { ...approved.grant, chargePoints: selected } })
    await writes.exchangeCode(exchange('1'))
    const hook = aSubscription({ chargePointIds: ['CP2'] })
    await writes.createSubscription(hook, 9)
    await writes.createChargePoint(aChargePoint({ id: 'CP3', accountId: 'B' }))
    const shared = async () => (await reads.findAccessToken('access 1'))?.grant.chargePoints
    expect(await shared()).toEqual(['CP1', 'CP2'])
    await writes.deleteChargePoint('A', 'CP2')
    expect((await reads.findActiveGrant('U', 'C'))?.chargePoints).toEqual(['CP1', 'CP3'])
    expect((await reads.findSubscription(hook.id))?.chargePointIds).toEqual([])
    for (const accountId of ['A', 'B']) {
      await writes.createChargePoint(aChargePoint({ id: 'CP2', accountId }))
      expect(await shared()).toEqual(['CP1'])
      await writes.deleteChargePoint(accountId, 'CP2')
    }
    await writes.selectChargePoints('grant of code', 'all', NOW)
    await writes.deleteChargePoint('A', 'CP1')
    expect(await shared()).toBe('all')
  })

  it('an identity that changes hands shows its new account nothing of the former one', async () => {
    const { core, writes, reads } = store()
    await writes.createChargePoint(aChargePoint())
    const transactions = [aTransaction({ startKey: 'k' })]
    await core.commit([changeSet({ command: aCommand(1), transactions, sessions: [aSession()] })])
    await writes.deleteChargePoint('A', 'CP1')
    await writes.createChargePoint(aChargePoint({ accountId: 'B' }))
    await put(core, [aCommand(2)])
    expect((await loadChargePoint(core, 'CP1'))?.sessions).toEqual([])
    expect((await loadChargePoint(core, 'CP1'))?.transactions).toEqual([])
    expect(await findTransaction(core, 'CP1', { transactionId: '1' })).toBeUndefined()
    expect(await findTransaction(core, 'CP1', { startKey: 'k' })).toBeUndefined()
    expect(await reads.findCommand('CP1', aCommand(1).id)).toBeUndefined()
    expect(await reads.findCommand('CP1', aCommand(2).id)).toEqual(aCommand(2))
  })
}

const aRemoteStart = { virtualIdToken: 'V1', remoteStartId: 7, requestedAt: NOW, expiresAt: NOW + 60_000 }
