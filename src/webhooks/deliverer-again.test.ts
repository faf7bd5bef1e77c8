/** What is ordered for a webhook: a redelivery, a replay, a test; and what they do during a pause (HOOK-R8). */
import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import { aboutSession } from '../../test/support/domain/events/testing.ts'
import { type House, it, START, until } from '../../test/support/webhooks/delivery.ts'
import { answer, type Receiver } from '../../test/support/webhooks/receiver.ts'
import { newUuid } from '../domain/message-log/log-id.ts'

const REDELIVERY = [
  'redelivery',
  (house: House, id: string, deliveryId: string) => house.store.writes.redeliver(id, deliveryId, house.clock.now()),
] as const
const REPLAY = [
  'replay',
  (house: House, id: string) =>
    house.store.writes.replayDeliveries({ subscriptionId: id, from: START, to: START + 1, now: house.clock.now() }),
] as const

const failAll = async (house: House, id: string, from: number): Promise<void> => {
  for (let attempt = from; attempt < from + 4; attempt++) {
    await until(async () => expect((await house.deliveries(id))[0]?.attempts).toBe(attempt))
    if (attempt < from + 3) house.clock.advance(200_000)
  }
  await until(async () => expect(await house.deliveries(id)).toMatchObject([{ state: 'failed' }]))
}

it.for([REDELIVERY, REPLAY])('HOOK-R8: a %s has its whole schedule again', async ([, order], { house, hook }) => {
  const { id, running } = await house.begin(hook, answer(500))
  await failAll(house, id, 1)
  await order(house, id, (await house.deliveries(id))[0]?.id ?? '')
  running.wake()
  await failAll(house, id, 5)
  const attempts = hook.received.map(({ headers }) => headers['webhook-attempt'])
  expect(attempts).toEqual(['1', '2', '3', '4', '5', '6', '7', '8'])
})

it('HOOK-R8: what was held begins its schedule anew when its webhook is enabled', async ({ house, hook }) => {
  const { id, running } = await house.begin(hook, answer(500))
  await until(async () => expect((await house.deliveries(id))[0]?.attempts).toBe(1))
  await house.store.writes.disableSubscription(id, 'owner', house.clock.now())
  await house.store.writes.enableSubscription(id, 'held', house.clock.now(), 16)
  running.wake()
  await failAll(house, id, 2)
})

/** A webhook that was asked to wait ten minutes, with one delivery that waits for the end of the pause. */
const paused = async (house: House, hook: Receiver): Promise<string> => {
  const { id } = await house.begin(hook, answer(429, { 'retry-after': '600' }))
  await until(async () => expect((await house.reads.findSubscription(id))?.pausedUntil).toBe(START + 600_000))
  return id
}
const test = (house: House, id: string) =>
  house.store.writes.createTestDelivery(
    id,
    {
      id: newUuid(house.clock.now(), randomBytes),
      accountId: 'acc1',
      ...aboutSession('test_1'),
      chargePointId: 'TEST',
      kind: 'transition',
      time: house.clock.now(),
      body: '{"test":true}',
      causes: [],
    },
    house.clock.now(),
  )

it.for([
  ['test', (house: House, id: string) => test(house, id)],
  ['redelivery', (house: House, id: string, waiting: string) => house.store.writes.redeliver(id, waiting, START)],
] as const)('HOOK-R8: a %s goes through a pause, and alone', async ([, order], { house, hook, received }) => {
  const id = await paused(house, hook)
  const [waiting] = await house.deliveries(id)
  await house.emit({}, {})
  house.clock.advance(1000)
  expect(hook.received).toHaveLength(1)
  await order(house, id, waiting?.id ?? '')
  house.clock.advance(1000)
  await received(2)
  // Answered 429 again: its own retry waits like the rest.
  await until(async () => expect((await house.reads.deliveryStatistics(house.clock.now())).inFlight).toBe(0))
  house.clock.advance(60_000)
  const rest = await house.store.writes.claimDeliveries({ now: house.clock.now(), leaseUntil: START + 999_999 })
  expect(rest.deliveries).toEqual([])
  expect(hook.received).toHaveLength(2)
})

it('HOOK-R8: a test that succeeds ends the pause, a replay waits for it', async ({ house, hook, received }) => {
  const id = await paused(house, hook)
  await house.emit({})
  await house.store.writes.replayDeliveries({ subscriptionId: id, from: 0, to: START + 1, now: START })
  house.clock.advance(1000)
  const claimed = await house.store.writes.claimDeliveries({ now: house.clock.now(), leaseUntil: START + 999_999 })
  expect(claimed.deliveries).toEqual([])
  hook.respond = answer(200)
  await test(house, id)
  house.clock.advance(1000)
  await received(3)
  expect((await house.reads.findSubscription(id))?.pausedUntil).toBeUndefined()
})

it('HOOK-R2: a success of what was under way when the pause was asked for does not end it', async ({ house, hook }) => {
  const answers: (() => void)[] = []
  const { id } = await house.begin(hook, (response) => answers.push(() => response.writeHead(200).end()))
  await until(() => expect(answers).toHaveLength(1))
  house.clock.advance(10)
  hook.respond = answer(429, { 'retry-after': '600' })
  await house.emit({})
  await until(async () => expect((await house.reads.findSubscription(id))?.pausedUntil).toBe(START + 600_010))
  answers[0]?.()
  await until(async () => expect((await house.reads.findSubscription(id))?.lastSuccessAt).toBeDefined())
  expect((await house.reads.findSubscription(id))?.pausedUntil).toBe(START + 600_010)
})

it('HOOK-R8: a test does not wait behind a backlog', async ({ house, hook }) => {
  const id = await house.subscribe(hook.url)
  await house.emit(...Array.from({ length: 2000 }, () => ({})))
  await test(house, id)
  const { deliveries } = await house.store.writes.claimDeliveries({ now: START, leaseUntil: START + 1000 })
  expect(deliveries.map(({ kind }) => kind)).toEqual(['test', 'transition', 'transition', 'transition'])
})
