import fc from 'fast-check'
import { expect, it } from 'vitest'
import { systemClock } from '../../src/server/system.ts'
import { manualClock } from '../../test/support/clock.ts'
import { createOutbox } from './outbox.ts'

type Parts = Parameters<typeof createOutbox>[0]
const outboxThat = (parts: Pick<Parts, 'send' | 'isReady'> & Partial<Parts>) =>
  createOutbox({ after: systemClock.after, attempts: 3, retryIntervalMs: 1, ...parts })
const message = (name: string) => ({ build: () => ({ method: name, request: {} }) })

it('OCPP-DR4: keeps everything while there is no connection and sends it in order afterwards', async () => {
  const sent: string[] = []
  let ready = false
  const outbox = outboxThat({
    send: async (call) => {
      sent.push(call.method)
      return {}
    },
    isReady: () => ready,
  })
  expect(await Promise.all(['a', 'b', 'c'].map((name) => outbox.push(message(name))))).toEqual(Array(3).fill('queued'))
  expect(outbox.size).toBe(3)
  ready = true
  await outbox.drain()
  expect(sent).toEqual(['a', 'b', 'c'])
  expect(outbox.size).toBe(0)
})

it('the queue of transaction messages keeps the message whose connection broke before the answer', async () => {
  let ready = true
  const outbox = outboxThat({
    send: async () => {
      ready = false
      throw new Error('Client disconnected')
    },
    isReady: () => ready,
  })
  expect(await outbox.push(message('a'))).toBe('queued')
  expect(outbox.size).toBe(1)
})

it('gives a message up after its attempts, waiting longer each time, and goes on with the next', async () => {
  const clock = manualClock(0)
  const times: number[] = []
  const outbox = outboxThat({
    send: async (call) => {
      times.push(clock.now())
      if (call.method === 'bad') throw new Error('FormationViolation')
      return {}
    },
    isReady: () => true,
    after: clock.after,
    retryIntervalMs: 1000,
  })
  const bad = outbox.push(message('bad'))
  const good = outbox.push(message('good'))
  for (let step = 0; step < 10; step++) {
    await new Promise((resolve) => setImmediate(resolve))
    clock.advance(1000)
  }
  expect(await bad).toBe('lost')
  expect(await good).toBe('delivered')
  expect(times.slice(0, 3)).toEqual([0, 1000, 3000])
})

it('delivers each message exactly once and in order, whenever the connection comes and goes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.boolean(), { maxLength: 30 }), async (breaks) => {
      const taken: string[] = []
      const plan = [...breaks]
      let ready = true
      const outbox = outboxThat({
        send: async (call) => {
          if (plan.shift()) {
            ready = false
            throw new Error('Client disconnected')
          }
          taken.push(call.method)
          return {}
        },
        isReady: () => ready,
      })
      const names = breaks.map((_value, position) => String(position))
      for (const name of names) {
        await outbox.push(message(name))
        if (name.endsWith('3')) ready = true
      }
      while (outbox.size > 0) {
        ready = true
        await outbox.drain()
      }
      expect(taken).toEqual(names)
    }),
    { numRuns: 100 },
  )
})
