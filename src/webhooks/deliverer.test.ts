import { expect, vi } from 'vitest'
import { it, SECRET, START, testDeliveries, until } from '../../test/support/webhooks/delivery.ts'
import { answer, startReceiver } from '../../test/support/webhooks/receiver.ts'
import { envelopeAround } from '../domain/events/emission.ts'
import { sign } from './sending/signature.ts'

const DAY = 86_400_000

it('HOOK-W1, HOOK-W2, HOOK-W3: headers and body as documented, signed over the raw bytes', async ({
  house,
  hook,
  received,
  state,
}) => {
  const id = await house.subscribe(hook.url)
  house.start()
  const [event] = await house.emit({})
  await received(1)
  const [got] = hook.received
  const timestamp = Math.floor(START / 1000)
  const [delivery] = await house.deliveries(id)
  expect(got?.body).toBe(event && envelopeAround(event))
  expect(got?.headers).toMatchObject({
    'content-type': 'application/json',
    'user-agent': 'Pilotwire/test',
    'webhook-event': 'session.updated',
    'webhook-timestamp': String(timestamp),
    'webhook-signature': sign(SECRET, timestamp, got?.body ?? ''),
    'webhook-delivery': delivery?.id,
    'webhook-attempt': '1',
  })
  expect(got?.headers).not.toHaveProperty('webhook-id')
  expect(Object.keys(JSON.parse(got?.body ?? '') as object)).toEqual([
    'specversion',
    'id',
    'type',
    'source',
    'time',
    'datacontenttype',
    'data',
  ])
  await state(id, 'succeeded')
})

it('HOOK-W5: three failures, then success: equal bytes and ids, attempts 1 to 4, each signature valid', async ({
  house,
  hook,
  received,
  state,
}) => {
  const id = await house.subscribe(hook.url)
  hook.respond = (response) => response.writeHead(hook.received.length < 4 ? 500 : 200).end()
  house.start()
  await house.emit({})
  for (const [attempt, seconds] of [5, 30, 120].entries()) {
    await received(attempt + 1)
    await until(async () => expect((await house.deliveries(id))[0]?.attempts).toBe(attempt + 1))
    house.clock.advance(seconds * 1000 + 1000)
  }
  await received(4)
  await state(id, 'succeeded')
  const { received: all } = hook
  expect(new Set(all.map(({ body }) => body)).size).toBe(1)
  expect(new Set(all.map(({ headers }) => headers['webhook-delivery'])).size).toBe(1)
  expect(all.map(({ headers }) => headers['webhook-attempt'])).toEqual(['1', '2', '3', '4'])
  const timestamps = all.map(({ headers }) => Number(headers['webhook-timestamp']))
  expect([...timestamps].sort((a, b) => a - b)).toEqual(timestamps)
  all.forEach(({ headers, body }, index) => {
    expect(headers['webhook-signature']).toBe(sign(SECRET, timestamps[index] ?? 0, body))
  })
  const log = await house.reads.findDelivery(id, (await house.deliveries(id))[0]?.id ?? '')
  expect(log?.attempts.map(({ number, status }) => [number, status])).toEqual([
    [1, 500],
    [2, 500],
    [3, 500],
    [4, 200],
  ])
  expect(JSON.stringify(log)).not.toContain(all[0]?.headers['webhook-signature'])
})

it('HOOK-W7: one event id for all subscriptions, one delivery id each', async ({ house, hook, received }) => {
  await house.subscribe(hook.url)
  await house.subscribe(`${hook.url}/2`)
  house.start()
  await house.emit({})
  await received(2)
  const ids = hook.received.map(({ body }) => (JSON.parse(body) as { id: string }).id)
  expect(new Set(ids).size).toBe(1)
  expect(new Set(hook.received.map(({ headers }) => headers['webhook-delivery'])).size).toBe(2)
})

it('HOOK-W3: two values while a rotation overlaps, one again afterwards', async ({ house, hook, received }) => {
  const id = await house.subscribe(hook.url)
  await house.store.writes.updateSubscription(id, {
    rotation: { sealed: house.box.seal('whsec_new', id), at: START, overlapMs: 1000 },
  })
  house.start()
  await house.emit({})
  await received(1)
  house.clock.advance(1000)
  await house.emit({})
  await received(2)
  const signatures = hook.received.map(({ headers }) => headers['webhook-signature']?.split(',').length)
  expect(signatures).toEqual([2, 1])
})

it('HOOK-F2: five quick transitions of a session reach a healthy receiver in order', async ({
  house,
  hook,
  received,
}) => {
  await house.subscribe(hook.url)
  house.start()
  const states = ['pending', 'charging', 'suspended', 'charging', 'completed'] as const
  await house.emit(...states.map((next) => ({ subject: 'one', state: next })))
  await received(5)
  expect(hook.received.map(({ body }) => (JSON.parse(body) as { data: { state: string } }).data.state)).toEqual(states)
})

it('HOOK-F2: a delivery that waits for its retry does not hold back newer events of its session', async ({
  house,
  hook,
  received,
}) => {
  hook.respond = (response) => response.writeHead(hook.received.length === 1 ? 500 : 200).end()
  await house.subscribe(hook.url)
  house.start()
  await house.emit({ subject: 'one' })
  await received(1)
  await house.emit({ subject: 'one' })
  await received(2)
})

it('HOOK-R6: a dead endpoint costs one slot; one success opens it again', async ({ house, hook }) => {
  let hanging = 0
  hook.respond = answer(500)
  const id = await house.subscribe(hook.url)
  house.start()
  for (let index = 0; index < 5; index++) await house.emit({})
  await until(async () => expect((await house.reads.findSubscription(id))?.consecutiveFailures).toBe(5))
  hook.respond = () => {
    hanging++
  }
  await house.emit({}, {}, {}, {}, {})
  await until(() => expect(hanging).toBe(1))
  house.clock.advance(1000)
  expect(await house.store.writes.claimDeliveries({ now: house.clock.now(), leaseUntil: START + DAY })).toMatchObject({
    deliveries: [],
  })
  expect(hanging).toBe(1)
})

it('HOOK-F1: a hanging receiver with 2,000 due delays nobody', async ({ onTestFinished }) => {
  // Its attempts outlive the test: whoever waited for one of them would wait for ever.
  const house = await testDeliveries({ totalTimeoutMs: 600_000 })
  onTestFinished(() => house.close())
  const dead = await startReceiver(() => undefined)
  const deadId = await house.subscribe(dead.url)
  await house.emit(...Array.from({ length: 2000 }, () => ({})))
  const healthy = await Promise.all(Array.from({ length: 20 }, () => startReceiver()))
  for (const [index, one] of healthy.entries()) await house.subscribe(`${one.url}/${index}`)
  house.start()
  for (let round = 0; round < 10; round++) await house.emit({})
  await vi.waitFor(
    () => {
      for (const one of healthy) expect(one.received).toHaveLength(10)
    },
    { timeout: 240_000, interval: 20 },
  )
  expect(dead.received).toHaveLength(4)
  expect((await house.deliveries(deadId)).filter((delivery) => delivery.state === 'in_flight')).toHaveLength(4)
  await Promise.all([dead.close(), ...healthy.map((one) => one.close())])
})

it('HOOK-M4: figures nobody has seen are superseded by a newer event; transitions and settlements never', async ({
  house,
  hook,
}) => {
  const id = await house.subscribe(hook.url)
  const one = { subject: 'one' }
  await house.emit({ ...one, kind: 'transition' }, { ...one, kind: 'figures' }, { ...one, kind: 'settlement' })
  await house.emit({ ...one, kind: 'figures' }, { ...one, kind: 'transition' })
  const shown = (await house.deliveries(id)).map((delivery) => [delivery.kind, delivery.state]).reverse()
  expect(shown).toEqual([
    ['transition', 'pending'],
    ['figures', 'superseded'],
    ['settlement', 'pending'],
    ['figures', 'superseded'],
    ['transition', 'pending'],
  ])
})

it('HOOK-M8: updates "transitions" gets no figure events; a filter lets only its charge points through', async ({
  house,
  hook,
}) => {
  const few = await house.subscribe(hook.url, { updates: 'transitions' })
  const filtered = await house.subscribe(`${hook.url}/2`, { chargePointIds: ['CP2'] })
  await house.emit({ kind: 'figures' }, { kind: 'transition' }, { kind: 'settlement', chargePointId: 'CP2' })
  expect((await house.deliveries(few)).map(({ kind }) => kind)).toEqual(['settlement', 'transition'])
  expect((await house.deliveries(filtered)).map(({ kind }) => kind)).toEqual(['settlement'])
})

it('API-B7: no secret reaches the log', async ({ house, hook }) => {
  hook.respond = answer(500)
  const id = await house.subscribe(hook.url, { secrets: [{ sealed: 'AAAA' }] })
  house.start()
  await house.emit({})
  await until(() => expect(house.logged.length).toBeGreaterThan(0))
  expect(JSON.stringify([house.logged, await house.reads.findSubscription(id)])).not.toMatch(/whsec_|pwk_|pwa_/)
})
