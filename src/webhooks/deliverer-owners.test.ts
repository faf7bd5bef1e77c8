/** What the receivers of one owner may take from those of others (HOOK-F1). */
import { expect, vi } from 'vitest'
import { it, START, testDeliveries, until } from '../../test/support/webhooks/delivery.ts'
import { startReceiver } from '../../test/support/webhooks/receiver.ts'

it('HOOK-F1: sixteen hanging receivers of an account delay no event of another account', async ({ onTestFinished }) => {
  // Its attempts outlive the test: whoever waited for one of them would wait for ever.
  const house = await testDeliveries({ totalTimeoutMs: 120_000 })
  onTestFinished(() => house.close())
  await house.store.writes.createAccount({ id: 'acc2', name: 'acc2', createdAt: START })
  const hanging = await Promise.all(Array.from({ length: 16 }, () => startReceiver(() => undefined)))
  const other = await startReceiver()
  onTestFinished(async () => {
    await Promise.all([other, ...hanging].map((one) => one.close()))
  })
  for (const { url } of hanging) await house.subscribe(url)
  await house.subscribe(other.url, { accountId: 'acc2' })
  house.start()
  await house.emit(...Array.from({ length: 20 }, () => ({})))
  const inFlight = () => hanging.reduce((sum, { received }) => sum + received.length, 0)
  await vi.waitFor(() => expect(inFlight()).toBe(16), { timeout: 60_000, interval: 20 })
  await house.emit({ accountId: 'acc2' })
  await until(() => expect(other.received).toHaveLength(1))
  expect(inFlight()).toBe(16)
  await until(async () => expect((await house.reads.deliveryStatistics(house.clock.now())).inFlight).toBe(16))
})

it('HOOK-F1: a receiver whose answers take long has one place until it is quick again', async ({ house, hook }) => {
  const id = await house.subscribe(hook.url)
  await house.emit(...Array.from({ length: 100 }, () => ({})))
  const round = async (durationMs: number): Promise<number> => {
    const claimed = await house.store.writes.claimDeliveries({ now: START, leaseUntil: START + 1000 })
    const finished = claimed.deliveries.map((delivery) => ({
      deliveryId: delivery.id,
      subscriptionId: id,
      attempt: { number: 1, at: START, durationMs, url: hook.url, status: 200, requestHeaders: {} },
      state: 'succeeded' as const,
    }))
    await house.store.writes.finishAttempts(finished, START)
    return finished.length
  }
  const places: number[] = []
  for (const durationMs of [20, 9000, 9000, 9000, 20, 20, 20, 20, 20, 20]) places.push(await round(durationMs))
  expect(places.slice(0, 4)).toEqual([4, 4, 1, 1])
  expect(places.at(-1)).toBe(4)
  await round(9000)
  expect(await round(20)).toBe(1)
  await house.store.writes.updateSubscription(id, { url: `${hook.url}/elsewhere` })
  expect(await round(20)).toBe(4)
})
