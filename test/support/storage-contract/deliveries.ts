import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { envelopeAround } from '../../../src/domain/events/emission.ts'
import { newUuid } from '../../../src/domain/message-log/log-id.ts'
import type { FinishedAttempt } from '../../../src/domain/ports/storage-webhooks.ts'
import type { StoreFixture } from './fixture.ts'
import { anEvent, aSubscription, changeSet, NOW, recorded } from './records.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const NO_USER = 'dlv_nobody'

export function deliveryBehaviour({ store, reopen }: StoreFixture): void {
  /** One event for the webhook `wh`, recorded at NOW. */
  const emitted = async () => {
    const { core, writes } = store()
    await writes.createSubscription(aSubscription({ secrets: [{ sealed: 's' }] }), 9)
    const event = anEvent({ id: newUuid(NOW, randomBytes), data: '{"n":1}' })
    expect(await core.commit([changeSet({ events: [event] })])).toEqual([{ ok: true, due: true }])
    return event
  }
  const claim = async (now: number) =>
    (await store().writes.claimDeliveries({ now, leaseUntil: now + MINUTE })).deliveries
  const listed = async () => (await store().reads.listDeliveries({ subscriptionId: 'wh', limit: 9 }))[0]
  const attempted = (deliveryId: string, change: Partial<FinishedAttempt> = {}): FinishedAttempt => ({
    deliveryId,
    subscriptionId: 'wh',
    attempt: { number: 1, at: NOW + 1, durationMs: 20, url: 'https://example.com/', status: 200, requestHeaders: {} },
    state: 'succeeded',
    ...change,
  })

  it('HOOK-F3, HOOK-F4: what an event causes is stored with it, taken once, and finished with its attempt', async () => {
    const event = await emitted()
    const { writes, reads } = store()
    expect(await reads.deliveryStatistics(NOW)).toEqual({ due: 1, waiting: 0, inFlight: 0, held: 0, oldestDueAt: NOW })
    const [taken, ...others] = await claim(NOW)
    expect(others).toEqual([])
    expect(taken).toMatchObject({
      eventId: event.id,
      attempts: 0,
      body: envelopeAround(event),
      secrets: [{ sealed: 's' }],
    })
    expect(await claim(NOW)).toEqual([])
    expect(await reads.deliveryStatistics(NOW)).toMatchObject({ due: 0, inFlight: 1 })
    const id = taken?.id ?? ''
    const done = attempted(id)
    expect(await writes.finishAttempts([done], NOW + 21)).toEqual([])
    expect(await reads.findDelivery('wh', id)).toEqual({
      delivery: expect.objectContaining({ id, state: 'succeeded', attempts: 1, finishedAt: NOW + 21 }),
      event: recorded(event),
      attempts: [done.attempt],
    })
    expect(await reads.findDelivery('other', id)).toBeUndefined()
    expect(await reads.findSubscription('wh')).toMatchObject({ consecutiveFailures: 0, lastSuccessAt: NOW + 21 })
  })

  it('HOOK-F4: what was in flight at a kill is due again, its attempt counted; so is a claim that ran out', async () => {
    await emitted()
    const [first] = await claim(NOW)
    const { writes } = await reopen()
    expect(await writes.releaseDeliveries(NOW + 1, ['another'])).toBe(0)
    expect(await writes.releaseDeliveries(NOW + 1)).toBe(1)
    const [second] = await claim(NOW + 1)
    expect(second).toMatchObject({ id: first?.id, attempts: 1 })
    const [third] = await claim(NOW + 2 * MINUTE)
    expect(third).toMatchObject({ id: first?.id, attempts: 2 })
  })

  it('HOOK-R5: a receiver that is gone is disabled, and what waits is held once it is aligned', async () => {
    await emitted()
    const { writes, reads } = store()
    const [taken] = await claim(NOW)
    const gone = attempted(taken?.id ?? '', { state: 'gone', dueAt: NOW + MINUTE })
    expect(await writes.finishAttempts([gone], NOW + 2)).toEqual([{ id: 'wh', reason: 'gone' }])
    await writes.alignDeliveries(NOW + 2, 'wh')
    expect(await reads.findSubscription('wh')).toMatchObject({ status: 'disabled', disabledReason: 'gone' })
    expect((await listed())?.state).toBe('held')
  })

  it('HOOK-R8: a redelivery leaves at once under its old id, unless it is being sent', async () => {
    await emitted()
    const { writes } = store()
    const [taken] = await claim(NOW)
    const id = taken?.id ?? ''
    expect(await writes.redeliver('wh', id, NOW + 1)).toBe('busy')
    expect(await writes.redeliver('wh', NO_USER, NOW + 1)).toBeUndefined()
    await writes.finishAttempts([attempted(id)], NOW + 2)
    expect(await writes.redeliver('wh', id, NOW + 3)).toMatchObject({ id, state: 'pending', ordered: true })
    expect(await claim(NOW + 3)).toMatchObject([{ id, earlierAttempts: 1 }])
  })

  it('HOOK-R8: a replay takes what was finished between two times, once', async () => {
    await emitted()
    const { writes } = store()
    const [taken] = await claim(NOW)
    await writes.finishAttempts([attempted(taken?.id ?? '')], NOW + 2)
    const order = { subscriptionId: 'wh', from: NOW, to: NOW + 1, now: NOW + 5 }
    expect(await writes.replayDeliveries({ ...order, to: NOW })).toBe(0)
    expect(await writes.replayDeliveries({ ...order, state: 'failed' })).toBe(0)
    expect(await writes.replayDeliveries(order)).toBe(1)
    expect(await writes.replayDeliveries(order)).toBe(0)
    expect(await claim(NOW + 5)).toHaveLength(1)
  })

  it('HOOK-S4: a test is for one webhook only and stands in no feed', async () => {
    const { writes, reads } = store()
    await writes.createSubscription(aSubscription(), 9)
    const test = recorded(anEvent({ id: newUuid(NOW, randomBytes), data: '{"test":true}' }))
    expect(await writes.createTestDelivery('wh', test, NOW)).toMatchObject({ kind: 'test', ordered: true })
    expect(await writes.createTestDelivery('nobody', { ...test, id: newUuid(NOW, randomBytes) }, NOW)).toBeUndefined()
    expect(await claim(NOW)).toMatchObject([{ kind: 'test', body: test.body }])
    expect(await reads.listEvents({ accountId: 'A', type: 'session.updated', limit: 9 })).toEqual([])
  })

  it('HOOK-F7: after the clock was put back by an hour, what waits is due an hour earlier', async () => {
    await emitted()
    const { writes } = store()
    const [taken] = await claim(NOW)
    const failed = attempted(taken?.id ?? '', { state: 'pending', dueAt: NOW + 5 * MINUTE })
    await writes.finishAttempts([failed], NOW)
    expect((await listed())?.dueAt).toBe(NOW + 5 * MINUTE)
    await writes.pullInDeliveries({ now: NOW - 60 * MINUTE, backMs: 60 * MINUTE })
    expect((await listed())?.dueAt).toBe(NOW - 55 * MINUTE)
  })

  it('HOOK-F6: what was delivered is forgotten after thirty days, what still waits is not', async () => {
    await emitted()
    const { writes, reads } = store()
    const [taken] = await claim(NOW)
    expect(await writes.deleteOldDeliveries(NOW + 31 * DAY, 10)).toBe(0)
    await writes.finishAttempts([attempted(taken?.id ?? '')], NOW + 2)
    expect(await writes.deleteOldDeliveries(NOW + 29 * DAY, 10)).toBe(0)
    expect(await writes.deleteOldDeliveries(NOW + 31 * DAY, 10)).toBeGreaterThan(0)
    expect(await listed()).toBeUndefined()
    expect(await reads.listEvents({ accountId: 'A', type: 'session.updated', limit: 9 })).toEqual([])
  })
}
