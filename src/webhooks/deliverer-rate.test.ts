import { expect } from 'vitest'
import { type House, it, START, until } from '../../test/support/webhooks/delivery.ts'
import { startReceiver } from '../../test/support/webhooks/receiver.ts'

const succeeded = async (house: House, id: string) =>
  (await house.deliveries(id)).filter(({ state }) => state === 'succeeded').length
const claimNow = async (house: House) =>
  (await house.store.writes.claimDeliveries({ now: house.clock.now(), leaseUntil: START + 600_000 })).deliveries

it('HOOK-S6: no more than allowed begin in a minute, and no other waits', async ({ house, hook, onTestFinished }) => {
  const free = await startReceiver()
  onTestFinished(() => free.close())
  const limited = await house.subscribe(hook.url, { verify: 'cloudevents', ratePerMinute: 3 })
  const other = await house.subscribe(free.url)
  house.start()
  await house.emit({}, {}, {}, {}, {})
  await until(async () => expect([await succeeded(house, limited), await succeeded(house, other)]).toEqual([3, 5]))
  house.clock.advance(30_000)
  expect(await claimNow(house)).toEqual([])
  house.clock.advance(36_000)
  await until(async () => expect(await succeeded(house, limited)).toBe(5))
  expect(hook.received).toHaveLength(5)
})

it('HOOK-S6: retries and tests count as well, and a restart forgets nothing', async ({ house, hook }) => {
  const limited = await house.subscribe(hook.url, { verify: 'cloudevents', ratePerMinute: 2 })
  hook.respond = (response) => response.writeHead(500).end()
  const first = house.start()
  await house.emit({})
  await until(async () => expect((await house.deliveries(limited))[0]?.attempts).toBe(1))
  house.clock.advance(6000)
  await until(async () => expect((await house.deliveries(limited))[0]?.attempts).toBe(2))
  await first.stop()
  await house.emit({}, {})
  expect(await claimNow(house)).toEqual([])
  await house.store.writes.updateSubscription(limited, { verify: null, ratePerMinute: null })
  expect(await claimNow(house)).toHaveLength(2)
})
