import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { SECRET, START, testDeliveries } from './delivery.testing.ts'
import { answer, type Receiver, startReceiver } from './receiver.testing.ts'
import { sign } from './signature.ts'

const DAY = 86_400_000

describe('deliveries', () => {
  let house: Awaited<ReturnType<typeof testDeliveries>>
  let hook: Receiver

  beforeEach(async () => {
    house = await testDeliveries()
    hook = await startReceiver()
  })
  afterEach(async () => {
    await house.close()
    await hook.close()
  })

  const until = (check: () => void | Promise<void>) => vi.waitFor(check, { timeout: 8000, interval: 5 })
  const received = (count: number) => until(() => expect(hook.received).toHaveLength(count))
  const state = async (id: string, expected: string) =>
    until(async () => expect((await house.deliveries(id))[0]?.state).toBe(expected))

  it('W1, W2, W3: headers and body as documented, signed over the raw bytes', async () => {
    const id = await house.subscribe(hook.url)
    house.start()
    const [event] = await house.emit({})
    await received(1)
    const [got] = hook.received
    const timestamp = Math.floor(START / 1000)
    const [delivery] = await house.deliveries(id)
    expect(got?.body).toBe(event?.body)
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

  it('W5, pitfalls 2 and 3: three failures, then success: equal bytes and ids, attempts 1 to 4, each signature valid', async () => {
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

  it('W7: one event id for all subscriptions, one delivery id each', async () => {
    await house.subscribe(hook.url)
    await house.subscribe(`${hook.url}/2`)
    house.start()
    await house.emit({})
    await received(2)
    const ids = hook.received.map(({ body }) => (JSON.parse(body) as { id: string }).id)
    expect(new Set(ids).size).toBe(1)
    expect(new Set(hook.received.map(({ headers }) => headers['webhook-delivery'])).size).toBe(2)
  })

  it('W3: two values while a rotation overlaps, one again afterwards', async () => {
    const id = await house.subscribe(hook.url)
    await house.store.writes.updateSubscription(id, {
      secrets: [
        { sealed: house.box.seal('whsec_new', id) },
        { sealed: house.box.seal(SECRET, id), expiresAt: START + 1000 },
      ],
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

  it('R4: the schedule ends in failed; redelivery sends the same ids again', async () => {
    hook.respond = answer(500)
    const id = await house.subscribe(hook.url)
    house.start()
    await house.emit({})
    for (let attempt = 1; attempt <= 4; attempt++) {
      await until(async () => expect((await house.deliveries(id))[0]?.attempts).toBe(attempt))
      if (attempt < 4) house.clock.advance(200_000)
    }
    await state(id, 'failed')
    hook.respond = answer(200)
    const [delivery] = await house.deliveries(id)
    await house.store.writes.redeliver(id, delivery?.id ?? '', house.clock.now())
    house.clock.advance(1000)
    await state(id, 'succeeded')
    expect(new Set(hook.received.map(({ headers }) => headers['webhook-delivery'])).size).toBe(1)
    expect(hook.received.at(-1)?.headers['webhook-attempt']).toBe('5')
  })

  it('R2: Retry-After pauses the whole subscription', async () => {
    hook.respond = (response) =>
      response.writeHead(hook.received.length === 1 ? 429 : 200, { 'retry-after': '60' }).end()
    await house.subscribe(hook.url)
    house.start()
    await house.emit({})
    await received(1)
    await until(async () => expect((await house.reads.findSubscription('wh_1'))?.pausedUntil).toBe(START + 60_000))
    await house.emit({})
    house.clock.advance(30_000)
    await house.emit({})
    expect(hook.received).toHaveLength(1)
    house.clock.advance(31_000)
    await received(4)
  })

  it('R2, R5, pitfall 5: 410 disables at once; what comes is held and delivered after enabling', async () => {
    hook.respond = answer(410)
    const id = await house.subscribe(hook.url)
    house.start()
    await house.emit({})
    await until(async () =>
      expect(await house.reads.findSubscription(id)).toMatchObject({ status: 'disabled', disabledReason: 'gone' }),
    )
    expect(house.logged).toMatchObject([{ fields: { webhook: id, reason: 'gone' } }])
    await house.emit({}, {})
    house.clock.advance(3_600_000)
    expect((await house.deliveries(id)).map((delivery) => delivery.state)).toEqual(['held', 'held', 'held'])
    expect(hook.received).toHaveLength(1)
    hook.respond = answer(200)
    await house.store.writes.enableSubscription(id, 'held', house.clock.now())
    house.clock.advance(1000)
    await received(4)
  })

  it('R5: skip leaves out what was held', async () => {
    const id = await house.subscribe(hook.url)
    await house.store.writes.disableSubscription(id, 'owner', START)
    house.start()
    await house.emit({})
    await house.store.writes.enableSubscription(id, 'skip', START)
    await house.emit({})
    await received(1)
    await until(async () =>
      expect((await house.deliveries(id)).map((delivery) => delivery.state)).toEqual(['succeeded', 'cancelled']),
    )
  })

  it('R5, pitfall 12: five days and 20 attempts without a success disable it, and hold what waits', async () => {
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

  it('F2: five quick transitions of a session reach a healthy receiver in order', async () => {
    await house.subscribe(hook.url)
    house.start()
    const states = ['pending', 'charging', 'suspended', 'charging', 'completed'] as const
    await house.emit(...states.map((next) => ({ sessionId: 'one', state: next })))
    await received(5)
    expect(hook.received.map(({ body }) => (JSON.parse(body) as { data: { state: string } }).data.state)).toEqual(
      states,
    )
  })

  it('F2: a delivery that waits for its retry does not hold back newer events of its session', async () => {
    hook.respond = (response) => response.writeHead(hook.received.length === 1 ? 500 : 200).end()
    await house.subscribe(hook.url)
    house.start()
    await house.emit({ sessionId: 'one' })
    await received(1)
    await house.emit({ sessionId: 'one' })
    await received(2)
  })

  it('R6: a dead endpoint costs one slot; one success opens it again', async () => {
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
    expect(await house.store.writes.claimDeliveries({ now: house.clock.now(), leaseUntil: START + DAY })).toMatchObject(
      {
        deliveries: [],
      },
    )
    expect(hanging).toBe(1)
  })

  it('F1, pitfall 1: a hanging receiver with 2,000 due delays nobody', async () => {
    const dead = await startReceiver(() => undefined)
    const deadId = await house.subscribe(dead.url)
    await house.emit(...Array.from({ length: 2000 }, () => ({})))
    const healthy = await Promise.all(Array.from({ length: 20 }, () => startReceiver()))
    for (const [index, one] of healthy.entries()) await house.subscribe(`${one.url}/${index}`)
    house.start()
    const started = performance.now()
    for (let round = 0; round < 10; round++) await house.emit({})
    await until(() => {
      for (const one of healthy) expect(one.received).toHaveLength(10)
    })
    expect(performance.now() - started).toBeLessThan(5000)
    expect(dead.received.length).toBeLessThanOrEqual(4)
    expect((await house.deliveries(deadId)).filter((delivery) => delivery.state === 'in_flight')).toHaveLength(4)
    await Promise.all([dead.close(), ...healthy.map((one) => one.close())])
  }, 20_000)

  it('F3: an event and its deliveries are stored together or not at all', async () => {
    const id = await house.subscribe(hook.url)
    const [event] = await house.emit({})
    if (!event) throw new Error('no event')
    const again = { ...event, sessionId: 'other' }
    const [result] = await house.store.core.commit([{ chargePointId: 'CP1', events: [{ ...event, id: 'x' }, again] }])
    expect(result?.ok).toBe(false)
    expect(await house.deliveries(id)).toHaveLength(1)
    expect(await house.reads.listSessionEvents('other')).toEqual([])
  })

  it('F4, pitfalls 4 and 19: what was in flight when the process died is due again, its attempt counted', async () => {
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

  it('F4, pitfall 19: a lease that ends frees its delivery', async () => {
    await house.subscribe(hook.url)
    await house.emit({})
    const claim = (now: number) => house.store.writes.claimDeliveries({ now, leaseUntil: now + 1000 })
    expect((await claim(START)).deliveries).toHaveLength(1)
    expect((await claim(START + 1000)).deliveries).toHaveLength(0)
    expect((await claim(START + 1001)).deliveries).toMatchObject([{ attempts: 1 }])
  })

  it('F4: an orderly stop waits for what is in flight, gives back the rest and claims nothing more', async () => {
    const id = await house.subscribe(hook.url)
    hook.respond = () => undefined
    const running = house.start()
    await house.emit({})
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

  it('F4, pitfall 6: the attempt counter rises only for an HTTP attempt; a success is never undone', async () => {
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

  it('F5: deleting a subscription cancels what is pending; a changed URL applies from the next attempt', async () => {
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
    await house.store.writes.deleteSubscription(id)
    house.clock.advance(600_000)
    expect((await house.deliveries(id))[0]?.state).toBe('cancelled')
    expect(hook.received).toHaveLength(1)
  })

  it('F6: old deliveries go after 30 days, failed ones after 90, events with them, in small batches', async () => {
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
    const left = await house.reads.listEvents({ accountId: 'acc1', limit: 10 })
    expect(left).toHaveLength(1)
    expect(events.map((event) => event.id)).toContain(left === 'unknown' ? '' : left[0]?.id)
    await clean(91)
    expect(await house.deliveries(id)).toEqual([])
  })

  it('M4: figures nobody has seen are superseded by a newer event; transitions and settlements never', async () => {
    const id = await house.subscribe(hook.url)
    const one = { sessionId: 'one' }
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

  it('contract §3: updates "transitions" gets no figure events; a filter lets only its charge points through', async () => {
    const few = await house.subscribe(hook.url, { updates: 'transitions' })
    const filtered = await house.subscribe(`${hook.url}/2`, { chargePointIds: ['CP2'] })
    await house.emit({ kind: 'figures' }, { kind: 'transition' }, { kind: 'settlement', chargePointId: 'CP2' })
    expect((await house.deliveries(few)).map(({ kind }) => kind)).toEqual(['settlement', 'transition'])
    expect((await house.deliveries(filtered)).map(({ kind }) => kind)).toEqual(['settlement'])
  })

  it('pitfall 24: no secret reaches the log', async () => {
    hook.respond = answer(500)
    const id = await house.subscribe(hook.url, { secrets: [{ sealed: 'AAAA' }] })
    house.start()
    await house.emit({})
    await until(() => expect(house.logged.length).toBeGreaterThan(0))
    expect(JSON.stringify([house.logged, await house.reads.findSubscription(id)])).not.toMatch(/whsec_|pwk_|pwa_/)
  })
})
