import { expect, it } from 'vitest'
import type { RemoteStartSign, Session, Transaction } from '../../../src/domain/ports/sessions.ts'
import type { CoreStore } from '../../../src/domain/ports/storage.ts'
import type { SessionQuery } from '../../../src/domain/ports/storage-queries.ts'
import { findTransaction, loadChargePoint } from '../storage/testing.ts'
import type { StoreFixture } from './fixture.ts'
import { aChargePoint, aSession, aTransaction, changeSet, NOW } from './records.ts'

export function sessionBehaviour({ store, reopen }: StoreFixture): void {
  it('a session comes back with every attribute and fact', async () => {
    const session: Session = aSession({
      state: 'completed',
      energyMilliWh: 12_345_678_901,
      externalReference: 'order-1',
      cost: { micros: 1_234_567, currency: 'EUR' },
      settlementCount: 2,
      startedAt: NOW,
      stoppedAt: NOW + 5,
      version: 9,
      evseId: 1,
      connectorId: 2,
      transactionId: '77',
      endReason: 'normal',
      flags: ['estimated', 'badClock'],
      idleMs: 5,
    })
    await store().core.commit([changeSet({ sessions: [session] })])
    const { core, reads } = await reopen()
    expect(await core.findSession('S1')).toEqual(session)
    expect(await reads.findSession('S1')).toEqual(session)
    expect(await core.findSession('S2')).toBeUndefined()
  })

  it('facts that a session no longer has are gone', async () => {
    const { core } = store()
    await core.commit([changeSet({ sessions: [aSession({ suspendedBy: 'ev', externalReference: 'x' })] })])
    await core.commit([changeSet({ sessions: [aSession({ version: 2 })] })])
    expect(await core.findSession('S1')).toEqual(aSession({ version: 2 }))
  })

  it('a running transaction and its session are stored anew, whichever of their members changed', async () => {
    const { core, writes } = store()
    await writes.createChargePoint(aChargePoint())
    await core.commit([changeSet({ transactions: [aTransaction()], sessions: [aSession()] })])
    const versions: readonly (readonly [Transaction, Session])[] = [
      [aTransaction({ meter: { more: 1 } }), aSession({ energyMilliWh: 5, startedAt: NOW, version: 2 })],
      [aTransaction({ flags: ['badClock'] }), aSession({ flags: ['badClock'] })],
      [aTransaction({ sessionId: 'S2' }), aSession({ id: 'S2', state: 'suspended', suspendedBy: 'ev' })],
      [aTransaction({ sessionId: 'S2', startKey: 'k' }), aSession({ id: 'S2', externalReference: 'order-1' })],
      [aTransaction({ sessionId: 'S2', startKey: 'k', open: false }), aSession({ id: 'S2', state: 'completed' })],
    ]
    for (const [transaction, session] of versions) {
      await core.commit([changeSet({ transactions: [transaction], sessions: [session] })])
      expect(await findTransaction(core, 'CP1', { transactionId: '1' })).toEqual({ transaction, session })
    }
    expect((await loadChargePoint(core, 'CP1'))?.transactions).toEqual([])
  })

  it('OCPP-DR7: finds a transaction by its id and by its start, open or closed', async () => {
    const { core, writes } = store()
    await writes.createChargePoint(aChargePoint())
    const transaction = aTransaction({ startKey: '1|card|0|t', startOutcome: { transactionId: '1' }, open: false })
    await core.commit([changeSet({ transactions: [transaction], sessions: [aSession()] })])
    const found = { transaction, session: aSession() }
    expect(await findTransaction(core, 'CP1', { transactionId: '1' })).toEqual(found)
    expect(await findTransaction(core, 'CP1', { startKey: '1|card|0|t' })).toEqual(found)
    expect(await findTransaction(core, 'CP1', { transactionId: '2' })).toBeUndefined()
    expect(await findTransaction(core, 'CP1', { startKey: 'other' })).toBeUndefined()
  })

  it('SESSION-B1: a number that another transaction took over finds the new one, the other key the one that is over', async () => {
    const { core, writes } = store()
    await writes.createChargePoint(aChargePoint())
    const over = aTransaction({ open: false, endedBy: 'station', stopReason: 'Local', flags: ['late'] })
    await core.commit([changeSet({ transactions: [over], sessions: [aSession({ state: 'completed' })] })])
    const kept = { ...over, transactionId: '1@S1' }
    const earlier = { transactionId: '1@S1', until: NOW }
    const next = aTransaction({ sessionId: 'S2', earlier })
    await core.commit([changeSet({ transactions: [kept, next], sessions: [aSession({ id: 'S2' })] })])
    const sampledNext = { ...next, meter: { more: 1 } }
    await core.commit([changeSet({ transactions: [sampledNext] })])
    const check = async (of: typeof core): Promise<void> => {
      expect(await findTransaction(of, 'CP1', { transactionId: '1' })).toEqual({
        transaction: sampledNext,
        session: aSession({ id: 'S2' }),
      })
      expect(await findTransaction(of, 'CP1', { transactionId: '1@S1' })).toMatchObject({
        transaction: kept,
        session: { id: 'S1', state: 'completed' },
      })
      expect((await loadChargePoint(of, 'CP1'))?.transactions).toEqual([sampledNext])
    }
    await check(core)
    await check((await reopen()).core)
  })

  it('SESSION-A16: finds of each outlet the closed transaction that was the newest at a time, and no other one', async () => {
    const { core, writes } = store()
    await writes.createChargePoint(aChargePoint())
    await writes.createChargePoint(aChargePoint({ id: 'CP2' }))
    const began = (minutes: number) => ({ occurredAt: NOW + minutes * 60_000, receivedAt: NOW })
    const put = async (transactionId: string, minutes: number, change: Partial<Transaction>): Promise<void> => {
      const chargePointId = change.chargePointId ?? 'CP1'
      const sessionId = `S-${chargePointId}-${transactionId}`
      const transaction = aTransaction({
        transactionId,
        sessionId,
        open: false,
        startedAt: began(minutes),
        ...change,
      })
      const session = aSession({ id: sessionId, chargePointId, state: 'completed' })
      await core.commit([{ ...changeSet({ transactions: [transaction], sessions: [session] }), chargePointId }])
    }
    await put('1', 0, { connectorId: 1 })
    await put('2', 10, { connectorId: 1, endedBy: 'orphanRule' })
    await put('3', 30, { connectorId: 1 })
    await put('4', 5, { evseId: 2, connectorId: 1 })
    await put('5', 12, { connectorId: 12, open: true })
    await put('6', 12, { connectorId: 13, chargePointId: 'CP2' })
    await put('7', 12, {})
    const found = async (of: typeof core, minutes: number): Promise<readonly string[]> =>
      (await newestTransactions(of, began(minutes).occurredAt)).map(
        ({ transaction, session }) => `${transaction.transactionId} ${session.id}`,
      )
    const check = async (of: typeof core): Promise<void> => {
      expect(await found(of, -1)).toEqual([])
      expect(await found(of, 4)).toEqual(['1 S-CP1-1'])
      expect(await found(of, 20)).toEqual(['2 S-CP1-2', '4 S-CP1-4'])
      expect(await found(of, 30)).toEqual(['3 S-CP1-3', '2 S-CP1-2', '4 S-CP1-4'])
      expect(await found(of, 31)).toEqual(['3 S-CP1-3', '4 S-CP1-4'])
    }
    await check(core)
    await check((await reopen()).core)
  })

  it('SESSION-S5, SESSION-S9: finds the session of a remote start that expired or was cancelled, by number or token, and no other one', async () => {
    const { core, writes } = store()
    await writes.createChargePoint(aChargePoint())
    await writes.createChargePoint(aChargePoint({ id: 'CP2' }))
    const remoteStart = { virtualIdToken: 'PWX', remoteStartId: 7, requestedAt: NOW, expiresAt: NOW + 1 }
    const expired = aSession({ state: 'failed', endReason: 'expired', remoteStart })
    const others: readonly Session[] = [
      { ...expired, id: 'S2', remoteStart: { ...remoteStart, remoteStartId: 8, virtualIdToken: 'PWY', matched: true } },
      { ...expired, id: 'S3', endReason: 'rejected', remoteStart: { ...remoteStart, remoteStartId: 9 } },
      { ...expired, id: 'S4', chargePointId: 'CP2', remoteStart: { ...remoteStart, remoteStartId: 10 } },
      { ...expired, id: 'S5', accountId: 'B', remoteStart: { ...remoteStart, remoteStartId: 11 } },
    ]
    await core.commit([expired, ...others].map((session) => changeSet({ sessions: [session] })))
    expect(await overdueStart(core, 'CP1', { remoteStartId: 7 })).toEqual(expired)
    expect(await overdueStart(core, 'CP1', { virtualIdToken: 'pwx' })).toEqual(expired)
    for (const remoteStartId of [8, 9, 10, 11, 12]) {
      expect(await overdueStart(core, 'CP1', { remoteStartId })).toBeUndefined()
    }
    const cancelled: Session = {
      ...expired,
      id: 'S6',
      endReason: 'cancelled',
      remoteStart: { ...remoteStart, remoteStartId: 12, virtualIdToken: 'PWZ' },
    }
    await core.commit([changeSet({ sessions: [cancelled] })])
    expect(await overdueStart(core, 'CP1', { remoteStartId: 12 })).toEqual(cancelled)
    expect(await overdueStart(core, 'CP1', { virtualIdToken: 'pwz' })).toEqual(cancelled)
    const later = Array.from({ length: 600 }, (_, index) => aSession({ id: `S${1000 + index}`, state: 'completed' }))
    await core.commit(later.map((session) => changeSet({ sessions: [session] })))
    expect(await overdueStart(core, 'CP1', { remoteStartId: 7 })).toEqual(expired)
    expect(await overdueStart(core, 'CP1', { virtualIdToken: 'pwx' })).toEqual(expired)
    expect(await overdueStart(core, 'CP1', { virtualIdToken: 'pwy' })).toBeUndefined()
    expect(await overdueStart(core, 'CP2', { remoteStartId: 7 })).toBeUndefined()
  })

  it('SESSION-A10: the transaction of another charge point is not found', async () => {
    const { core, writes } = store()
    await writes.createChargePoint(aChargePoint())
    await writes.createChargePoint(aChargePoint({ id: 'CP2' }))
    await core.commit([changeSet({ transactions: [aTransaction()], sessions: [aSession()] })])
    expect(await findTransaction(core, 'CP2', { transactionId: '1' })).toBeUndefined()
  })

  it('lists newest first and page by page, with sessions inserted between the pages left out', async () => {
    const { core, reads } = store()
    const query: SessionQuery = { accountId: 'A', limit: 2 }
    await core.commit([1, 2, 3, 4, 5].map((n) => changeSet({ sessions: [numbered(n)] })))
    const first = await reads.listSessions(query)
    expect(first.map(({ id }) => id)).toEqual(['S5', 'S4'])
    await core.commit([changeSet({ sessions: [numbered(6)] })])
    expect((await reads.listSessions({ ...query, belowId: 'S4' })).map(({ id }) => id)).toEqual(['S3', 'S2'])
    expect((await reads.listSessions({ ...query, belowId: 'S2' })).map(({ id }) => id)).toEqual(['S1'])
  })

  it('lists only what the account, charge points, state and window allow', async () => {
    const { core, reads } = store()
    const sessions = [
      numbered(1),
      numbered(2, { chargePointId: 'CP2', state: 'completed' }),
      numbered(3, { chargePointId: 'CP3' }),
      numbered(4, { accountId: 'B' }),
    ]
    await core.commit(sessions.map((session) => changeSet({ sessions: [session] })))
    const ids = async (query: Partial<SessionQuery>): Promise<readonly string[]> =>
      (await reads.listSessions({ accountId: 'A', limit: 10, ...query })).map(({ id }) => id)
    expect(await ids({})).toEqual(['S3', 'S2', 'S1'])
    expect(await ids({ accountId: 'B' })).toEqual(['S4'])
    expect(await ids({ chargePointIds: [] })).toEqual([])
    expect(await ids({ chargePointIds: ['CP2'] })).toEqual(['S2'])
    expect(await ids({ chargePointIds: ['CP1', 'CP3'] })).toEqual(['S3', 'S1'])
    expect(await ids({ state: 'completed' })).toEqual(['S2'])
    expect(await ids({ from: NOW + 2, to: NOW + 3 })).toEqual(['S2'])
  })
}

function numbered(n: number, change: Partial<Session> = {}): Session {
  return aSession({ id: `S${n}`, createdAt: NOW + n, ...change })
}

async function newestTransactions(core: CoreStore, newestAt: number) {
  const [found] = await core.prefetch([{ chargePointId: 'CP1', newestAt }])
  return found?.transactions ?? []
}

async function overdueStart(core: CoreStore, chargePointId: string, sign: RemoteStartSign) {
  const [found] = await core.prefetch([{ chargePointId, overdueStart: sign }])
  return found?.session
}
