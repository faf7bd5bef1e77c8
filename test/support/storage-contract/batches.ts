import { expect, it } from 'vitest'
import { loadChargePoint } from '../storage/testing.ts'
import type { StoreFixture } from './fixture.ts'
import { aChargePoint, anIdToken, aSession, aTransaction, changeSet } from './records.ts'

/** What the messages of one group need, read together (STORE-B1). */
export function batchBehaviour({ store }: StoreFixture): void {
  it('STORE-B1: charge points come in the order of their ids, as one by one; one that does not exist leaves its place empty', async () => {
    const { core, writes } = store()
    for (const id of ['CP1', 'CP2']) await writes.createChargePoint(aChargePoint({ id }))
    const transaction = aTransaction({ chargePointId: 'CP2' })
    await core.commit([
      changeSet({ chargePointId: 'CP2', sessions: [aSession({ chargePointId: 'CP2' })], transactions: [transaction] }),
    ])
    const loaded = await core.loadChargePoints(['CP2', 'nobody', 'CP1', 'CP2'])
    const [one, two] = [await loadChargePoint(core, 'CP1'), await loadChargePoint(core, 'CP2')]
    expect(loaded).toEqual([two, undefined, one, two])
    expect(two?.transactions).toEqual([transaction])
    expect(await core.loadChargePoints([])).toEqual([])
  })

  it('STORE-B1: look-ups of all kinds are answered in their order', async () => {
    const { core, writes } = store()
    await writes.createChargePoint(aChargePoint())
    await writes.createIdToken(anIdToken())
    const transaction = aTransaction({ open: false, startKey: 'k', connectorId: 1 })
    const expired = aSession({
      id: 'S2',
      state: 'failed',
      endReason: 'expired',
      remoteStart: { virtualIdToken: 'PWX', remoteStartId: 7, requestedAt: 1, expiresAt: 2 },
    })
    await core.commit([changeSet({ sessions: [aSession(), expired], transactions: [transaction] })])
    const found = { transactions: [{ transaction, session: aSession() }] }
    const chargePointId = 'CP1'
    const answers = await core.prefetch([
      { accountId: 'A', idTokens: ['card1', 'other'] },
      { chargePointId, transaction: { startKey: 'k' } },
      { chargePointId, transaction: { transactionId: '2' } },
      { sessionId: 'S2' },
      { sessionId: 'nobody' },
      { chargePointId, newestAt: transaction.startedAt.occurredAt },
      { chargePointId, overdueStart: { remoteStartId: 7 } },
      { chargePointId, transaction: { transactionId: '1' } },
    ])
    expect(answers).toEqual([
      { idTokens: [anIdToken()] },
      found,
      { transactions: [] },
      { session: expired },
      {},
      found,
      { session: expired },
      found,
    ])
    expect(await core.prefetch([])).toEqual([])
  })
}
