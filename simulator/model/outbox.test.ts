import fc from 'fast-check'
import { expect, it } from 'vitest'
import { systemClock } from '../../src/server/system.ts'
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
