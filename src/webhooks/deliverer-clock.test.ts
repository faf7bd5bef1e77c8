/** A machine's clock that is set while deliveries wait (HOOK-F7). */
import { expect } from 'vitest'
import { type House, it, START, until } from '../../test/support/webhooks/delivery.ts'
import { answer } from '../../test/support/webhooks/receiver.ts'

const HOUR = 3_600_000

const attempts = (house: House, id: string, count: number) =>
  until(async () => expect((await house.deliveries(id))[0]?.attempts).toBe(count))

it('HOOK-F7: a clock that is put back an hour does not delay a retry by an hour', async ({ house, hook, received }) => {
  const { id } = await house.begin(hook, (response) => response.writeHead(hook.received.length === 1 ? 500 : 200).end())
  await attempts(house, id, 1)
  house.clock.set(START - HOUR)
  house.clock.advance(1000)
  await until(async () => expect((await house.deliveries(id))[0]?.dueAt).toBe(START - HOUR + 5000))
  house.clock.advance(4000)
  await received(2)
  expect(house.logged).toMatchObject([{ fields: { backMs: HOUR } }])
})

it('HOOK-F7: put back while nothing ran it delays no retry by an hour', async ({ house, hook, received }) => {
  hook.respond = (response) => response.writeHead(hook.received.length === 1 ? 500 : 200).end()
  const { id, running: first } = await house.begin(hook)
  await attempts(house, id, 1)
  await first.stop()
  house.clock.set(START - HOUR)
  house.start()
  await until(async () => expect((await house.deliveries(id))[0]?.dueAt).toBe(START - HOUR + 5000))
  house.clock.advance(6000)
  await received(2)
})

it('HOOK-F7: put back meanwhile, a pause ends after what was asked for', async ({ house, hook, received }) => {
  hook.respond = (response) => response.writeHead(hook.received.length === 1 ? 429 : 200, { 'retry-after': '60' }).end()
  const { id } = await house.begin(hook)
  await until(async () => expect((await house.reads.findSubscription(id))?.pausedUntil).toBe(START + 60_000))
  house.clock.advance(20_000)
  house.clock.set(START - HOUR)
  await house.emit({})
  house.clock.advance(1000)
  await until(async () => expect((await house.reads.findSubscription(id))?.pausedUntil).toBe(START - HOUR + 40_000))
  house.clock.advance(38_000)
  expect(hook.received).toHaveLength(1)
  house.clock.advance(2000)
  await received(3)
})

it('HOOK-F7: the pause that an earlier process noted lasts no longer', async ({ house, hook, received }) => {
  hook.respond = (response) => response.writeHead(hook.received.length === 1 ? 429 : 200, { 'retry-after': '60' }).end()
  const { id, running: first } = await house.begin(hook)
  await until(async () => expect((await house.reads.findSubscription(id))?.pausedUntil).toBe(START + 60_000))
  await first.stop()
  house.clock.set(START - HOUR)
  house.start()
  await until(async () => expect((await house.reads.findSubscription(id))?.pausedUntil).toBe(START - HOUR + 60_000))
  house.clock.advance(61_000)
  await received(2)
})

it('HOOK-F7: what was due before it was put back is due still, in its order', async ({ house, hook, received }) => {
  const held: (() => void)[] = []
  hook.respond = (response) => held.push(() => response.writeHead(204).end())
  const id = await house.subscribe(hook.url)
  house.start()
  for (let index = 0; index < 4; index++) await house.emit({})
  await received(4)
  await house.emit({ subject: 'late', state: 'charging' })
  house.clock.set(START - HOUR)
  await house.emit({ subject: 'late', state: 'completed' })
  house.clock.advance(1000)
  await until(async () => expect((await house.deliveries(id))[1]?.dueAt).toBeLessThan(START - HOUR + 1000))
  hook.respond = answer(204)
  for (const release of held) release()
  await received(6)
  const last = hook.received.slice(4).map(({ body }) => (JSON.parse(body) as { data: { state: string } }).data.state)
  expect(last).toEqual(['charging', 'completed'])
})

it('HOOK-F7: a clock that is put forward makes nothing wait', async ({ house, hook, received }) => {
  const { id } = await house.begin(hook, (response) => response.writeHead(hook.received.length === 1 ? 500 : 200).end())
  await attempts(house, id, 1)
  house.clock.set(START + HOUR)
  await house.emit({})
  house.clock.advance(5000)
  await received(3)
})
