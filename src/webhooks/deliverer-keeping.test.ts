/** What is stored about deliveries, and what survives: outbox, claims, stop, deletion, cleaning. */
import { expect } from 'vitest'
import { it, START, until } from '../../test/support/webhooks/delivery.ts'
import { answer } from '../../test/support/webhooks/receiver.ts'

const DAY = 86_400_000

it('HOOK-F4: in flight when the process died, it is due again, counted', async ({ house, hook, received, state }) => {
  const id = await house.subscribe(hook.url)
  await house.emit({})
  const claimed = await house.store.writes.claimDeliveries({ now: START, leaseUntil: START + 45_000 })
  expect(claimed.deliveries).toHaveLength(1)
  house.start()
  await received(1)
  expect(hook.received[0]?.headers).toMatchObject({
    'webhook-attempt': '2',
    'webhook-delivery': claimed.deliveries[0]?.id,
  })
  await state(id, 'succeeded')
})

it('HOOK-F4: a stop waits for what is in flight and claims nothing more', async ({ house, hook, received }) => {
  const { id, running } = await house.begin(hook, () => undefined)
  await received(1)
  const stopped = running.stop()
  await house.emit({})
  await new Promise((resolve) => setImmediate(resolve))
  house.clock.advance(10_000)
  await stopped
  const all = await house.deliveries(id)
  expect(all.map((delivery) => [delivery.state, delivery.attempts])).toEqual([
    ['pending', 0],
    ['pending', 1],
  ])
  expect(hook.received).toHaveLength(1)
})

it('HOOK-F4: attempts count only if sent by HTTP; a success is never undone', async ({ house, hook }) => {
  const id = await house.subscribe(hook.url)
  await house.emit({})
  const [claimed] = (await house.store.writes.claimDeliveries({ now: START, leaseUntil: START + 1 })).deliveries
  if (!claimed) throw new Error('nothing claimed')
  // The lease ends and another attempt is under way when the first one's success arrives.
  await house.store.writes.claimDeliveries({ now: START + 10, leaseUntil: START + 50_000 })
  const attempt = { number: 1, at: START, durationMs: 3, url: hook.url, requestHeaders: {} }
  const finished = { deliveryId: claimed.id, subscriptionId: id, attempt }
  await house.store.writes.finishAttempts([{ ...finished, state: 'succeeded' }], START + 20)
  await house.store.writes.finishAttempts(
    [{ ...finished, attempt: { ...attempt, number: 2 }, state: 'pending', dueAt: START + 30 }],
    START + 25,
  )
  expect(await house.deliveries(id)).toMatchObject([{ state: 'succeeded', attempts: 1 }])
})

it('HOOK-F5: a changed URL applies at once; deleting cancels what is pending', async ({ house, hook, received }) => {
  hook.respond = answer(500)
  const id = await house.subscribe('http://127.0.0.1:9/nobody')
  house.start()
  await house.emit({})
  await until(async () => expect((await house.deliveries(id))[0]?.attempts).toBe(1))
  await house.store.writes.updateSubscription(id, { url: hook.url })
  expect((await house.reads.findSubscription(id))?.consecutiveFailures).toBe(0)
  house.clock.advance(6000)
  await received(1)
  await until(async () => expect((await house.deliveries(id))[0]?.attempts).toBe(2))
  await house.store.writes.deleteSubscription(id, house.clock.now())
  house.clock.advance(600_000)
  expect((await house.deliveries(id))[0]?.state).toBe('cancelled')
  expect(hook.received).toHaveLength(1)
})

it('HOOK-F6: deliveries go after 30 days, failed ones after 90, with their events', async ({ house, hook }) => {
  const id = await house.subscribe(hook.url)
  const events = await house.emit({}, {}, {})
  const { deliveries } = await house.store.writes.claimDeliveries({ now: START, leaseUntil: START + 1000 })
  const attempt = { number: 1, at: START, durationMs: 3, url: hook.url, requestHeaders: {} }
  await house.store.writes.finishAttempts(
    deliveries.map((delivery, index) => ({
      deliveryId: delivery.id,
      subscriptionId: id,
      attempt,
      state: index === 0 ? ('failed' as const) : ('succeeded' as const),
    })),
    START,
  )
  const clean = (days: number, limit = 500) => house.store.writes.deleteOldDeliveries(START + days * DAY, limit)
  expect(await clean(29)).toBe(0)
  expect(await clean(31, 1)).toBeGreaterThan(0)
  for (let batch = 0; batch < 5; batch++) await clean(31)
  expect(await house.deliveries(id)).toMatchObject([{ state: 'failed' }])
  const left = await house.reads.listEvents({ accountId: 'acc1', type: 'session.updated', limit: 10 })
  expect(left).toHaveLength(1)
  expect(events.map((event) => event.id)).toContain(left === 'unknown' ? '' : left[0]?.id)
  await clean(91)
  expect(await house.deliveries(id)).toEqual([])
})
