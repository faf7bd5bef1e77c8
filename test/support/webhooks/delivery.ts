/**
 * For tests: the delivery loop over a real database file, with a clock that the test moves and receivers that are real.
 */
import { randomBytes } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { sessionUpdated } from '../../../src/domain/events/session-events.ts'
import { newUuid } from '../../../src/domain/message-log/log-id.ts'
import type { Session } from '../../../src/domain/ports/sessions.ts'
import type { NewEvent, Subscription } from '../../../src/domain/ports/storage-webhooks.ts'
import { sealedBox } from '../../../src/secrets/sealed-box.ts'
import { systemClock } from '../../../src/server/system.ts'
import { type Deliveries, startDeliveries } from '../../../src/webhooks/deliverer.ts'
import { createSender } from '../../../src/webhooks/sending/sender.ts'
import { manualClock } from '../clock.ts'
import { aboutSession } from '../domain/events/testing.ts'
import { openStore, temporaryDatabase } from '../storage/testing.ts'
import { type Receiver, startReceiver } from './receiver.ts'

export const START = Date.UTC(2026, 7, 1, 12)
export const SECRET = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8'

export type House = Awaited<ReturnType<typeof testDeliveries>>

/** Waits for what the loop does by itself. */
export const until = (check: () => void | Promise<void>): Promise<void> =>
  vi.waitFor(check, { timeout: 60_000, interval: 5 })

/** A test with a delivery loop of its own and a receiver that answers 204 until it is told otherwise. */
export const it = test.extend<{
  house: House
  hook: Receiver
  /** Waits until the receiver has so many. */
  received: (count: number) => Promise<void>
  /** Waits for a state of the subscription's newest delivery. */
  state: (subscriptionId: string, expected: string) => Promise<void>
}>({
  house: async ({ onTestFinished }, use) => {
    const house = await testDeliveries()
    onTestFinished(() => house.close())
    await use(house)
  },
  hook: async ({ onTestFinished }, use) => {
    const hook = await startReceiver()
    onTestFinished(() => hook.close())
    await use(hook)
  },
  received: ({ hook }, use) => use((count) => until(() => expect(hook.received).toHaveLength(count))),
  state: ({ house }, use) =>
    use((id, expected) => until(async () => expect((await house.deliveries(id))[0]?.state).toBe(expected))),
})

export async function testDeliveries(settings: { totalTimeoutMs?: number; scheduleSeconds?: number[] } = {}) {
  const database = temporaryDatabase()
  const store = openStore(database.path)
  const { reads } = store
  const clock = manualClock(START)
  const box = sealedBox(Buffer.alloc(32, 7), 'webhookSecrets', randomBytes)
  const logged: { fields: object; message: string }[] = []
  const log = (fields: object, message: string): void => {
    logged.push({ fields, message })
  }
  await store.writes.createAccount({ id: 'acc1', name: 'acc1', createdAt: START })
  const { totalTimeoutMs = 60_000, scheduleSeconds = [5, 30, 120] } = settings
  let subscriptions = 0
  let running: Deliveries | undefined

  const start = (): Deliveries => {
    running = startDeliveries({
      writes: store.writes,
      sender: createSender(
        { allowPrivate: ['127.0.0.0/8'], connectTimeoutMs: 60_000, totalTimeoutMs },
        systemClock,
        async () => ['127.0.0.1'],
      ),
      secrets: box,
      clock,
      random: () => 0.5,
      settings: { scheduleSeconds, totalTimeoutMs, userAgent: 'Pilotwire/test' },
      log: { info: () => undefined, warn: log, error: log },
      isAlone: true,
    })
    return running
  }

  return {
    store,
    reads,
    clock,
    box,
    logged,
    start,
    async subscribe(url: string, change: Partial<Subscription> = {}): Promise<string> {
      const id = `wh_${++subscriptions}`
      const created = await store.writes.createSubscription(
        {
          id,
          accountId: 'acc1',
          url,
          events: ['session.updated'],
          updates: 'all',
          status: 'active',
          secrets: [{ sealed: box.seal(SECRET, id) }],
          consecutiveFailures: 0,
          attemptsSinceSuccess: 0,
          createdAt: clock.now(),
          ...change,
        },
        1000,
      )
      if (created !== 'created') throw new Error(created)
      return id
    },
    /** Records events, all in one commit. */
    async emit(...events: readonly Partial<NewEvent & { state: Session['state'] }>[]): Promise<NewEvent[]> {
      const made = events.map((change) => anEvent(clock.now(), change))
      const results = await store.core.commit(
        made.map((event) => ({ chargePointId: event.chargePointId, events: [event] })),
      )
      for (const result of results) if (!result.ok) throw result.error
      running?.wake()
      return made
    },
    /** A subscription of the receiver, the loop, and one event. */
    async begin(hook: Receiver, respond = hook.respond) {
      hook.respond = respond
      const id = await this.subscribe(hook.url)
      const running = start()
      await this.emit({})
      return { id, running }
    },
    deliveries: (subscriptionId: string) => reads.listDeliveries({ subscriptionId, limit: 5000 }),
    async close() {
      await running?.stop()
      store.close()
      database.remove()
    },
  }
}

let sessions = 0

function anEvent(now: number, change: Partial<NewEvent & { state: Session['state'] }>): NewEvent {
  const { state = 'charging', subject = `s${++sessions}`, ...rest } = change
  const id = newUuid(now, randomBytes)
  const event = {
    id,
    accountId: 'acc1',
    ...aboutSession(subject),
    chargePointId: 'CP1',
    kind: 'transition' as const,
    time: now,
    causes: [],
    ...rest,
  }
  const { data } = sessionUpdated.of({
    id: subject,
    accountId: 'acc1',
    chargePointId: event.chargePointId,
    state,
    externalReference: 'Zürich ⚡',
    energyMilliWh: 1_000_000,
    createdAt: now,
    version: 1,
    flags: [],
  })
  return { data: JSON.stringify(data), ...event }
}
