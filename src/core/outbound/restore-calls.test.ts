/** Calls over a restart and over failed commits (OCPP-RP15), in one process: the clock is the test's. */

import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { coresOfTests, type TestCore, testCore } from '../../../test/support/core/testing.ts'
import { loadChargePoint } from '../../../test/support/storage/testing.ts'
import type { Purpose } from '../../domain/outgoing-calls/records.ts'
import type { Command } from '../../domain/ports/storage-records.ts'

const isCall = (frame: unknown[]): boolean => frame[0] === 2

const core = coresOfTests()
const order = (method: string, request: Record<string, unknown>, ttlMs?: number) => ({
  accountId: 'account-1',
  chargePointId: 'CP-1',
  method,
  request,
  waitMs: 0,
  ttlMs,
})
const records = ({ store }: TestCore) => store.reads.listRecords('outgoing_calls', { limit: 500 })
const statusOf = async ({ commands }: TestCore, { id }: Command) =>
  (await commands('CP-1')).find((row) => row.id === id)?.status

it('OCPP-RP15: a call has a record from its pending row to its outcome, which says when it was sent', async () => {
  const { house: running, station } = await core.boot16('CP-1')
  const sent = (await running.core.sendCommand(order('GetConfiguration', {}))) as Command
  await running.core.sendCommand(order('ClearCache', {}, 60_000))
  const now = running.clock.now()
  const [first, second] = await records(running)
  expect(first).toMatchObject({ id: sent.id, messageId: sent.messageId, sentAt: now, purpose: { kind: 'command' } })
  expect(first).not.toHaveProperty('expiresAt')
  expect(second).toMatchObject({ method: 'ClearCache', request: '{}', expiresAt: now + 60_000 })
  expect(second).not.toHaveProperty('sentAt')
  station.send(JSON.stringify([3, sent.messageId, { configurationKey: [] }]))
  const next = await station.frame((frame) => frame[2] === 'ClearCache')
  expect(await records(running)).toMatchObject([{ method: 'ClearCache', sentAt: now }])
  station.answer(next, { status: 'Accepted' })
  await station.call('Heartbeat', {})
  expect(await records(running)).toEqual([])
})

it('OCPP-RP15: what the database did not take does not leave, and is tried again', async () => {
  const { house: running, station } = await core.boot16('CP-1')
  const first = (await running.core.sendCommand(order('GetConfiguration', {}))) as Command
  const second = (await running.core.sendCommand(order('ClearCache', {}))) as Command
  const { commit } = running.store.core
  running.store.core.commit = async (group) => {
    const isMark = group.some(({ records: [change] = [] }) => change && 'put' in change)
    return isMark ? Promise.reject(new Error('disk full')) : commit(group)
  }
  station.send(JSON.stringify([3, first.messageId, { configurationKey: [] }]))
  await station.call('Heartbeat', {})
  await station.call('Heartbeat', {})
  expect(station.frames.filter(isCall)).toHaveLength(1)
  running.store.core.commit = commit
  running.clock.advance(5_000)
  await station.frame((frame) => frame[1] === second.messageId)
})

it('OCPP-RP15: a call whose connection ended before it could leave is sent on the next one', async () => {
  const { house: running, station } = await core.boot16('CP-1')
  const { commit } = running.store.core
  running.store.core.commit = async (group) => {
    const results = await commit(group)
    if (group.some(({ records: [change] = [] }) => change && 'put' in change)) running.core.closed(station.connection)
    return results
  }
  const row = (await running.core.sendCommand(order('ClearCache', {}))) as Command
  running.store.core.commit = commit
  expect(station.frames.filter(isCall)).toEqual([])
  const again = await running.connect('CP-1')
  await again.call('Heartbeat', {})
  expect((await again.frame(isCall))[1]).toBe(row.messageId)
  expect(await statusOf(running, row)).toBe('pending')
  expect(again.frames.filter(isCall)).toHaveLength(1)
})

it('OCPP-RP15: a call whose outcome the database did not take is dropped within minutes, without a restart', async () => {
  const { house: running, station } = await core.boot16('CP-1')
  const row = (await running.core.sendCommand(order('ClearCache', {}))) as Command
  const { commit } = running.store.core
  running.store.core.commit = (group) =>
    group.some(({ answer }) => answer) ? Promise.reject(new Error('disk full')) : commit(group)
  station.send(JSON.stringify([3, row.messageId, { status: 'Accepted' }]))
  await station.call('Heartbeat', {})
  running.store.core.commit = commit
  const kept = await records(running)
  expect(kept).toMatchObject([{ method: 'ClearCache' }])
  running.clock.advance(60_000)
  expect(await statusOf(running, row)).toBe('pending')
  await expect
    .poll(async () => {
      running.clock.advance(60_000)
      return statusOf(running, row)
    })
    .toBe('dropped')
  expect(await records(running)).toEqual([])
})

it('OCPP-RP15: what waits goes on waiting in the next process, and what was open is dropped', async () => {
  const first = await testCore()
  await first.boot16('CP-1')
  const open = (await first.core.sendCommand(order('ClearCache', {}))) as Command
  const waiting = (await first.core.sendCommand(order('GetConfiguration', {}))) as Command
  first.store.close()
  const second = await core({ path: first.path })
  expect([await statusOf(second, open), await statusOf(second, waiting)]).toEqual(['dropped', 'pending'])
  const station = await second.connect('CP-1')
  await station.call('Heartbeat', {})
  expect((await station.frame(isCall))[1]).toBe(waiting.messageId)
  expect(station.frames.filter(isCall)).toHaveLength(1)
})

it.each<[string, Purpose]>([
  ['a question', { kind: 'question', question: { kind: 'transactionStatus', transactionId: 'T-1' } }],
  ['a trigger to boot', { kind: 'bootTrigger' }],
])('OCPP-RP15: %s does not outlive its process', async (_, purpose) => {
  const first = await testCore()
  await first.boot16('CP-1')
  first.core.closed(1)
  const row = (await first.core.sendCommand(order('ClearCache', {}))) as Command
  const [stored] = await records(first)
  if (!stored) throw new Error('It has no record.')
  const put = { ...stored, purpose }
  await first.store.core.commit([{ chargePointId: 'CP-1', records: [{ kind: 'outgoing_calls', put }] }])
  first.store.close()
  const second = await core({ path: first.path })
  const station = await second.boot16('CP-1')
  await station.call('Heartbeat', {})
  expect([await statusOf(second, row), station.frames.filter(isCall)]).toEqual(['dropped', []])
})

it('OCPP-RP16: a request with a secret is not in the file, and is sent as it was ordered after a restart', async () => {
  const first = await testCore()
  await first.boot16('CP-1')
  first.core.closed(1)
  const request = { key: 'AuthorizationKey', value: '30313233343536373839414243444546' }
  const row = (await first.core.sendCommand(order('ChangeConfiguration', request))) as Command
  expect(await records(first)).toMatchObject([{ isSealed: true }])
  await first.close()
  for (const suffix of ['', '-wal']) expect(textOf(`${first.path}${suffix}`)).not.toContain(request.value)
  const second = await core({ path: first.path })
  const station = await second.connect('CP-1', 'ocpp1.6', basic('CP-1', request.value))
  await station.call('Heartbeat', {})
  expect((await station.frame(isCall)).slice(1)).toEqual([row.messageId, 'ChangeConfiguration', request])
})

it('OCPP-RP16: a call that was sealed under another key is dropped, and the old password stays', async () => {
  const first = await testCore()
  await first.boot16('CP-1')
  first.core.closed(1)
  const request = { key: 'AuthorizationKey', value: '30313233343536373839414243444546' }
  const row = (await first.core.sendCommand(order('ChangeConfiguration', request))) as Command
  await first.close()
  const second = await core({ path: first.path, settings: { secretKey: Buffer.alloc(32, 8) } })
  expect(await second.core.sendCommand(order('GetConfiguration', {}))).toMatchObject({ status: 'pending' })
  await expect.poll(() => statusOf(second, row)).toBe('dropped')
  await expect
    .poll(async () => (await loadChargePoint(second.store.core, 'CP-1'))?.chargePoint.passwordHash)
    .toBeUndefined()
})

it('OCPP-RP15: the calls of a charge point that is deleted are deleted with it', async () => {
  const running = await core()
  await running.boot16('CP-1')
  running.core.closed(1)
  await running.core.sendCommand(order('ClearCache', {}))
  expect(await running.core.removeChargePoint('account-1', 'CP-1')).toEqual({ chargePointId: 'CP-1' })
  expect(await records(running)).toEqual([])
})

it('OCPP-RP15: what a version without records left pending is dropped', async () => {
  const first = await testCore()
  await first.boot16('CP-1')
  first.core.closed(1)
  const row = (await first.core.sendCommand(order('ClearCache', {}))) as Command
  const remove = { chargePointId: 'CP-1', id: row.id }
  await first.store.core.commit([{ chargePointId: 'CP-1', records: [{ kind: 'outgoing_calls', remove }] }])
  await first.close()
  expect(await statusOf(await core({ path: first.path }), row)).toBe('dropped')
})

function textOf(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}

function basic(identity: string, password: string): string {
  return `Basic ${Buffer.from(`${identity}:${password}`).toString('base64')}`
}
