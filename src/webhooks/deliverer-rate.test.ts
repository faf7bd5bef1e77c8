import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { START, testDeliveries } from './delivery.testing.ts'
import { type Receiver, startReceiver } from './receiver.testing.ts'

describe('deliveries to a receiver that allows a rate', () => {
  let house: Awaited<ReturnType<typeof testDeliveries>>
  let hook: Receiver
  let free: Receiver

  beforeEach(async () => {
    house = await testDeliveries()
    hook = await startReceiver()
    free = await startReceiver()
  })
  afterEach(async () => {
    await house.close()
    await hook.close()
    await free.close()
  })

  const until = (check: () => void | Promise<void>) => vi.waitFor(check, { timeout: 8000, interval: 5 })
  const succeeded = async (id: string) =>
    (await house.deliveries(id)).filter(({ state }) => state === 'succeeded').length
  const claimNow = async () =>
    (await house.store.writes.claimDeliveries({ now: house.clock.now(), leaseUntil: START + 600_000 })).deliveries

  it('S6: no more than allowed begin in a minute, nobody else waits, and nothing is lost', async () => {
    const limited = await house.subscribe(hook.url, { verify: 'cloudevents', ratePerMinute: 3 })
    const other = await house.subscribe(free.url)
    house.start()
    await house.emit({}, {}, {}, {}, {})
    await until(async () => expect([await succeeded(limited), await succeeded(other)]).toEqual([3, 5]))
    house.clock.advance(30_000)
    expect(await claimNow()).toEqual([])
    house.clock.advance(36_000)
    await until(async () => expect(await succeeded(limited)).toBe(5))
    expect(hook.received).toHaveLength(5)
  })

  it('S6: retries and tests count as well, and a restart forgets nothing', async () => {
    const limited = await house.subscribe(hook.url, { verify: 'cloudevents', ratePerMinute: 2 })
    hook.respond = (response) => response.writeHead(500).end()
    const first = house.start()
    await house.emit({})
    await until(async () => expect((await house.deliveries(limited))[0]?.attempts).toBe(1))
    house.clock.advance(6000)
    await until(async () => expect((await house.deliveries(limited))[0]?.attempts).toBe(2))
    await first.stop()
    await house.emit({}, {})
    expect(await claimNow()).toEqual([])
    await house.store.writes.updateSubscription(limited, { verify: null, ratePerMinute: null })
    expect(await claimNow()).toHaveLength(2)
  })
})
