import { expect, it } from 'vitest'
import { coresOfTests } from '../../../test/support/core/testing.ts'
import type { Command } from '../../domain/ports/storage-records.ts'

const core = coresOfTests()

/** A call that waits for CP-1, which is away. */
async function waitingCall() {
  const { house: running, station } = await core.boot16('CP-1')
  running.core.closed(station.connection)
  const order = { accountId: 'account-1', chargePointId: 'CP-1', method: 'ClearCache', request: {}, waitMs: 0 }
  const { id } = (await running.core.sendCommand(order)) as Command
  return { ...running, id }
}

it('RECORD-D2: is decided by its rule and told once it is committed', async () => {
  const { core: running, clock, store, id } = await waitingCall()
  const order = { accountId: 'account-1', chargePointId: 'CP-1', input: { kind: 'callSent', id } } as const
  expect(await running.decideBlock(order)).toEqual({})
  const key = { chargePointId: 'CP-1', id }
  expect(await store.reads.getRecord('outgoing_calls', key)).toMatchObject({ sentAt: clock.now() })
  expect(await running.decideBlock(order)).toMatchObject({ refused: true, status: 409, code: 'call_not_waiting' })
})

it('refuses the charge point of another account, and says when nothing could be stored', async () => {
  const { core: running, store, id } = await waitingCall()
  const input = { kind: 'callSent', id } as const
  const strange = { accountId: 'account-2', chargePointId: 'CP-1', input }
  expect(await running.decideBlock(strange)).toMatchObject({ status: 404 })
  const { commit } = store.core
  store.core.commit = () => Promise.reject(new Error('disk full'))
  const order = { accountId: 'account-1', chargePointId: 'CP-1', input }
  expect(await running.decideBlock(order)).toMatchObject({ status: 503, code: 'not_stored' })
  store.core.commit = commit
  expect(await running.decideBlock(order)).toEqual({})
})
