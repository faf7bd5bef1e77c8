import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createTurns, type Steps, type TurnError } from './turns.ts'

const TURN_MS = 5

/** Turns over a clock that moves by what each step says it takes. */
function place() {
  let now = 0
  const due: (() => void)[] = []
  const turns = createTurns({ now: () => now, later: (run) => void due.push(run), turnMs: TURN_MS })
  const done: string[] = []
  const steps: string[] = []
  /** Of every step, and of the end that follows the last one. */
  const resumed: string[] = []
  /** Work of so many steps of so many milliseconds. */
  function* work(name: string, count: number, stepMs: number, cleaned?: () => void): Steps<string> {
    try {
      for (let step = 0; step < count; step++) {
        steps.push(name)
        resumed.push(name)
        now += stepMs
        yield
      }
      resumed.push(name)
      return name
    } finally {
      cleaned?.()
    }
  }
  return {
    turns,
    work,
    done,
    steps,
    resumed,
    send: (key: string, name: string, count = 1, stepMs = TURN_MS, line: { limitMs?: number; most?: number } = {}) =>
      turns
        .take({ key, ...line }, () => work(name, count, stepMs))
        .then(({ value }) => done.push(value))
        .catch((error: TurnError) => done.push(`${name} ${error.code}`)),
    /** One turn after the other until nothing is left. */
    async run(turnsLeft = Number.POSITIVE_INFINITY) {
      for (let left = turnsLeft; left > 0 && due.length > 0; left--) {
        due.shift()?.()
        await Promise.resolve()
      }
      await new Promise((resolve) => setImmediate(resolve))
    },
    pass: (ms: number) => {
      now += ms
    },
  }
}

it('SEARCH-Q12: a burst of one account delays another by one query', async () => {
  const { send, run, done } = place()
  for (let n = 0; n < 290; n++) void send('a', `a${n}`)
  void send('b', 'b')
  await run()
  expect(done.indexOf('b')).toBe(1)
  expect(done.filter((name) => name !== 'b')).toEqual(Array.from({ length: 290 }, (_, n) => `a${n}`))
})

it('SEARCH-Q12: a query of many steps is set aside after its turn, for who comes meanwhile too', async () => {
  const { send, run, steps } = place()
  void send('a', 'a', 9, 2)
  await run(1)
  void send('b', 'b', 1)
  await run()
  expect(steps.join('')).toBe('aaaaaabaaa')
})

it('SEARCH-Q12: whatever they send, lines that wait have had as many turns as each other, or one more', async () => {
  const order = fc.record({ key: fc.constantFrom('a', 'b', 'c', 'd'), count: fc.nat(4) })
  await fc.assert(
    fc.asyncProperty(fc.array(order, { maxLength: 30 }), async (orders) => {
      const { send, run, resumed, done } = place()
      for (const { key, count } of orders) void send(key, key, count)
      await run()
      expect(done).toHaveLength(orders.length)
      const left = new Map<string, number>()
      for (const key of resumed) left.set(key, (left.get(key) ?? 0) + 1)
      const had = new Map([...left.keys()].map((key) => [key, 0]))
      for (const key of resumed) {
        had.set(key, (had.get(key) ?? 0) + 1)
        const waiting = [...left]
          .filter(([other, all]) => (had.get(other) ?? 0) < all)
          .map(([other]) => had.get(other) ?? 0)
        if (waiting.length > 0) expect(Math.max(...waiting) - Math.min(...waiting)).toBeLessThanOrEqual(1)
      }
    }),
  )
})

it('SEARCH-Q12: the limit counts what a query ran, from its start, and not what it waited', async () => {
  const { send, run, done, pass } = place()
  const limit = { limitMs: 20 }
  void send('a', 'first', 4, 5, limit)
  void send('a', 'second', 4, 5, limit)
  void send('b', 'other', 100, 5)
  pass(1000)
  await run()
  expect(done).toEqual(['first', 'second', 'other'])
})

it('SEARCH-Q12: a query over its limit is interrupted and what comes next runs', async () => {
  const { send, run, done, steps } = place()
  void send('a', 'endless', 1_000_000, 5, { limitMs: 20 })
  void send('a', 'next')
  await run()
  expect(done).toEqual(['endless TURN_TIMEOUT', 'next'])
  expect(steps.filter((name) => name === 'endless')).toHaveLength(5)
})

it('SEARCH-Q12: a line does not grow without bound, and what leaves it makes room', async () => {
  const { send, run, done } = place()
  for (let n = 0; n < 5; n++) void send('a', `a${n}`, 1, 5, { most: 3 })
  await run()
  void send('a', 'a5', 1, 5, { most: 3 })
  await run()
  expect(done).toEqual(['a3 TURN_LINE_FULL', 'a4 TURN_LINE_FULL', 'a0', 'a1', 'a2', 'a5'])
})

it('SEARCH-Q12: who goes away leaves the line, and a query that runs stops before its next step', async () => {
  const { turns, work, run, steps, send, done } = place()
  const running = new AbortController()
  const waiting = new AbortController()
  let cleaned = 0
  const first = turns.take({ key: 'a' }, () => work('running', 100, 5, () => cleaned++), running.signal)
  const second = turns.take({ key: 'a' }, () => work('waiting', 1, 5), waiting.signal)
  void send('a', 'last')
  await run(2)
  running.abort()
  waiting.abort()
  await expect(first).rejects.toMatchObject({ code: 'TURN_CANCELLED' })
  await expect(second).rejects.toMatchObject({ code: 'TURN_CANCELLED' })
  await expect(turns.take({ key: 'a' }, () => work('late', 1, 5), running.signal)).rejects.toThrow('cancelled')
  await run()
  expect([steps, cleaned, done]).toEqual([['running', 'running', 'last'], 1, ['last']])
})

it('carries the fault of a step and says how long the work waited', async () => {
  const { turns, run, send, work, pass } = place()
  const failing = turns.take({ key: 'a' }, function* (): Steps<never> {
    yield
    throw new Error('the disk is gone')
  })
  const next = turns.take({ key: 'b' }, () => work('b', 1, 5))
  pass(30)
  void send('c', 'c')
  const failed = expect(failing).rejects.toThrow('the disk is gone')
  await run()
  await failed
  expect(await next).toEqual({ value: 'b', waitedMs: 30 })
})
