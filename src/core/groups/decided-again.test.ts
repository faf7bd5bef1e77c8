import { expect, it } from 'vitest'
import { coresOfTests, START_TRANSACTION, type TestCore } from '../../../test/support/core/testing.ts'
import { findTransaction, loadChargePoint } from '../../../test/support/storage/testing.ts'
import { OUTGOING_LIMIT } from '../outbound/outgoing-queue.ts'

const core = coresOfTests()

/** Of the next group with several messages the first is at fault, and nothing of that charge point is stored. */
function failNextPair({ store }: TestCore): void {
  const { commit } = store.core
  let isNext = true
  store.core.commit = async (group) => {
    if (!isNext || group.length < 2) return commit(group)
    isNext = false
    return group.map(() => ({ ok: false, error: new Error('at fault') }))
  }
}

it('OCPP-RP6: a message behind one at fault is decided anew and stored, not taken for its own repetition', async () => {
  const opened = await core()
  const { boot16, store, commands } = opened
  const station = await boot16('CP-1')
  failNextPair(opened)
  const atFault = station.call('Heartbeat', {}, 'heartbeat')
  const answer = await station.call('StartTransaction', START_TRANSACTION, 'start')
  expect((await atFault).slice(0, 3)).toEqual([4, 'heartbeat', 'InternalError'])
  const { transactionId } = answer[2] as { transactionId: number }
  const found = await findTransaction(store.core, 'CP-1', { transactionId: String(transactionId) })
  expect(found?.session).toMatchObject({ connectorId: 1, transactionId: String(transactionId) })
  expect((await commands('CP-1')).filter((row) => row.messageId === 'start')).toHaveLength(1)
  const tokens = await store.core.loadIdTokens('account-1', ['card-1'])
  expect(tokens.map(({ id }) => id)).toEqual(['CARD-1'])
})

it('a token that came with a message that could not be stored comes again with the next', async () => {
  const { store, station } = await core.boot16('CP-1')
  const { commit } = store.core
  store.core.commit = async () => Promise.reject(Object.assign(new Error('disk full'), { code: 'storage_full' }))
  expect((await station.call('Authorize', { idTag: 'CARD-1' }))[0]).toBe(4)
  store.core.commit = commit
  expect((await station.call('Authorize', { idTag: 'CARD-1' }))[0]).toBe(3)
  expect(await store.core.loadIdTokens('account-1', ['card-1'])).toHaveLength(1)
})

it('SESSION-O5: a command behind a message at fault is decided anew and takes one place in the queue', async () => {
  const { house: opened, station } = await core.boot16('CP-1')
  const order = { accountId: 'account-1', chargePointId: 'CP-1', method: 'ClearCache', request: {}, waitMs: 0 }
  for (let round = 0; round < 3; round++) {
    failNextPair(opened)
    const atFault = station.call('Heartbeat', {})
    expect(await opened.core.sendCommand(order)).toMatchObject({ status: 'pending' })
    expect((await atFault)[0]).toBe(4)
  }
  for (let place = 3; place < OUTGOING_LIMIT; place++) {
    expect(await opened.core.sendCommand(order)).toMatchObject({ status: 'pending' })
  }
  expect(await opened.core.sendCommand(order)).toMatchObject({ refused: true, code: 'queue_full' })
})

it('SESSION-S4: a charge point is deleted though a message before its deletion was at fault', async () => {
  const { house: opened, station } = await core.boot16('CP-1')
  await station.call('StartTransaction', START_TRANSACTION)
  failNextPair(opened)
  const atFault = station.call('Heartbeat', {}, 'heartbeat')
  expect(await opened.core.removeChargePoint('account-1', 'CP-1')).toEqual({ chargePointId: 'CP-1' })
  expect((await atFault).slice(0, 2)).toEqual([4, 'heartbeat'])
  expect(await loadChargePoint(opened.store.core, 'CP-1')).toBeUndefined()
})
