/** Receivers that fail: retries, pauses, and the end of trying. */
import { expect } from 'vitest'
import { it, START, testDeliveries, until } from '../../test/support/webhooks/delivery.ts'
import { answer } from '../../test/support/webhooks/receiver.ts'

const DAY = 86_400_000

it('HOOK-R4: a retry comes when it is due, not with the next poll', async ({ hook, received, onTestFinished }) => {
  const house = await testDeliveries({ scheduleSeconds: [0.3, 30] })
  onTestFinished(() => house.close())
  hook.respond = answer(500)
  const id = await house.subscribe(hook.url)
  house.start()
  house.clock.advance(500)
  await house.emit({})
  await until(async () => expect((await house.deliveries(id))[0]?.attempts).toBe(1))
  house.clock.advance(300)
  await received(2)
})

it('HOOK-R2, HOOK-R5: 410 disables at once; what comes is held until it is enabled', async ({
  house,
  hook,
  received,
}) => {
  const { id } = await house.begin(hook, answer(410))
  await until(async () =>
    expect(await house.reads.findSubscription(id)).toMatchObject({ status: 'disabled', disabledReason: 'gone' }),
  )
  expect(house.logged).toMatchObject([{ fields: { webhook: id, reason: 'gone' } }])
  await house.emit({}, {})
  house.clock.advance(3_600_000)
  expect((await house.deliveries(id)).map((delivery) => delivery.state)).toEqual(['held', 'held', 'held'])
  expect(hook.received).toHaveLength(1)
  hook.respond = answer(200)
  await house.store.writes.enableSubscription(id, 'held', house.clock.now(), 16)
  house.clock.advance(1000)
  await received(4)
})

it('HOOK-R5: five days and 20 attempts without a success disable it, and hold what waits', async ({ house, hook }) => {
  hook.respond = answer(500)
  const id = await house.subscribe(hook.url)
  await house.emit({})
  const [delivery] = await house.deliveries(id)
  const fail = async (number: number, at: number): Promise<void> => {
    await house.store.writes.claimDeliveries({ now: at, leaseUntil: at + 1000 })
    const attempt = { number, at, durationMs: 3, url: hook.url, status: 500, requestHeaders: {} }
    const finished = { deliveryId: delivery?.id ?? '', subscriptionId: id, attempt, state: 'pending' as const }
    await house.store.writes.finishAttempts([{ ...finished, dueAt: at + 1 }], at)
  }
  for (let number = 1; number <= 20; number++) await fail(number, START + number * 3600_000)
  expect((await house.reads.findSubscription(id))?.status).toBe('active')
  await fail(21, START + 6 * DAY)
  expect(await house.reads.findSubscription(id)).toMatchObject({ status: 'disabled', disabledReason: 'failing' })
  expect(await house.deliveries(id)).toMatchObject([{ state: 'held', attempts: 21 }])
})
