import { expect } from 'vitest'
import { it, SECRET, START, until } from '../../test/support/webhooks/delivery.ts'
import { answer } from '../../test/support/webhooks/receiver.ts'
import { envelopeAround } from '../domain/events/emission.ts'
import { sign } from './sending/signature.ts'

const DAY = 86_400_000

it('HOOK-W1, HOOK-W2, HOOK-W3: headers and body as documented, signed', async ({ house, hook, received, state }) => {
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

it('HOOK-W5: after three failures the same bytes and ids, each signed anew', async ({
  house,
  hook,
  received,
  state,
}) => {
  const { id } = await house.begin(hook, (response) => response.writeHead(hook.received.length < 4 ? 500 : 200).end())
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

it('HOOK-F2: what waits for its retry does not hold back newer events', async ({ house, hook, received }) => {
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

it('HOOK-M8: updates "transitions" gets no figures; a filter only its charge points', async ({ house, hook }) => {
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
