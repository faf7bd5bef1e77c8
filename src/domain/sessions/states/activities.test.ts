import fc from 'fast-check'
import { expect, it } from 'vitest'
import { forAll, forRuns } from '../../../../test/support/property.ts'
import { Driver, MINUTE, TARIFF, ZERO } from '../../../../test/support/sessions/driver.ts'
import { register, sampled, started, status } from '../../../../test/support/sessions/inputs.ts'
import type { Activity, ActivityEntry } from '../../ports/sessions.ts'
import { observe, type Sequence, settledOrders } from '../transactions/sequence.ts'
import { firstChargingAt, idleMs, seenState, suspendedBy, withActivity } from './activities.ts'
import { join } from './folded-activities.ts'

const ALL: readonly Activity[] = ['charging', 'suspendedEv', 'suspendedEvse', 'connected', 'idle', 'finishing']

function gathered(entries: readonly ActivityEntry[]): readonly ActivityEntry[] {
  return entries.reduce<readonly ActivityEntry[]>((known, entry) => withActivity(known, entry), [])
}

/** Suspended every other moment, first before it ever charged. */
function flapping(length: number): readonly ActivityEntry[] {
  return Array.from({ length }, (_, index) => [index, index * 10, index % 2 === 0 ? 'suspendedEv' : 'charging'])
}

it.each<[readonly Activity[], boolean, string | undefined]>([
  [[], false, undefined],
  [['charging'], false, 'charging'],
  [['charging', 'suspendedEv'], true, 'suspended'],
  [['suspendedEvse'], false, 'suspended'],
  [['connected'], false, 'pending'],
  [['idle'], false, 'pending'],
  [['charging', 'connected'], true, 'finishing'],
  [['charging', 'idle'], true, 'finishing'],
  [['charging', 'finishing'], true, 'finishing'],
])('SESSION-S2: after %j (charged: %s) the session is seen as %s', (activities, hasCharged, expected) => {
  const entries = activities.map((activity, index): ActivityEntry => [index, index, activity])
  expect(seenState(entries, hasCharged)).toBe(expected)
})

it('SESSION-B4: a repetition across a gap is kept until the gap is filled', () => {
  const entries = withActivity(
    [[0, 10, 'charging']],
    [2, 30, 'charging'],
    [
      [0, 0],
      [2, 2],
    ],
  )
  expect(entries).toHaveLength(2)
  expect(withActivity(entries, [1, 20, 'suspendedEv'], [[0, 2]])).toEqual([
    [0, 10, 'charging'],
    [1, 20, 'suspendedEv'],
    [2, 30, 'charging'],
  ])
})

it('COST-L1, TARIFF-A4: idle is what the vehicle suspended after the first charging', () => {
  const entries: ActivityEntry[] = [
    [0, 0, 'suspendedEv'],
    [1, 10, 'charging'],
    [2, 20, 'suspendedEv'],
    [3, 25, 'suspendedEvse'],
    [4, 40, 'charging'],
    [5, 50, 'suspendedEv'],
  ]
  expect(idleMs(entries, 60)).toBe(15)
  expect(idleMs(entries, 30)).toBe(5)
  expect(idleMs([...entries, [6, 55, 'connected']], 1000)).toBe(10)
  expect(idleMs(undefined, 60)).toBe(0)
  expect(firstChargingAt(entries)).toBe(10)
})

it('SESSION-S2: who suspended is told apart', () => {
  const driver = new Driver({}, started(0))
  const transaction = { ...driver.transaction(), activities: gathered([[0, 0, 'suspendedEvse']]) }
  expect(suspendedBy(transaction)).toBe('evse')
  expect(suspendedBy({ ...transaction, activities: gathered([[0, 0, 'suspendedEv']]) })).toBe('ev')
})

it('SESSION-S7: those of a connector come one after the other, all at one place', () => {
  const known = flapping(1000).map(([, at, activity]): ActivityEntry => [0, at, activity])
  expect(idleMs(gathered(known), 10_000)).toBe(idleMs(known, 10_000))
  expect(gathered(known).length).toBeLessThan(100)
})

it('SESSION-S7, SESSION-B5: a station that leaves out every second message for ever keeps its idle time and a bounded list', () => {
  const seen = Array.from({ length: 4000 }, (_, index) => [2 * index, 2 * index] as const)
  const known = flapping(4_000).reduce<readonly ActivityEntry[]>((before, [order, at, activity]) => {
    return withActivity(before, [2 * order, at, activity], seen)
  }, [])
  expect(known.length).toBeLessThan(1200)
  expect(firstChargingAt(known)).toBe(10)
  expect(idleMs(known, 100_000)).toBe(19_990)
})

it('SESSION-A15: idle until the newest sample is known however much came after it', () => {
  const entries = flapping(2000)
  const known = entries.reduce<readonly ActivityEntry[]>((before, entry) => {
    return withActivity(before, entry, [[0, entry[0]]], () => Math.min(entry[1], 5_004))
  }, [])
  expect(idleMs(known, 5_004)).toBe(idleMs(entries, 5_004))
  expect(known.length).toBeLessThan(100)
})

it('SESSION-A15, SESSION-S7: a charge that ends at its newest sample is not idle for what its connector did for hours afterwards', () => {
  const driver = new Driver({ tariff: TARIFF, idTokens: [{}] })
  const { transactionId } = driver.sendAt(0, started(0)).outcome
  const report = (minutes: number): void => {
    driver.sendAt(minutes, status(minutes, minutes % 2 === 0 ? 'Charging' : 'SuspendedEV'))
  }
  for (let minutes = 1; minutes < 100; minutes++) report(minutes)
  driver.sendAt(100, sampled(transactionId, [register(99, 1000)]))
  for (let minutes = 100; minutes < 400; minutes++) report(minutes)
  driver.sendAt(100_000, { kind: 'tick' })
  expect(driver.session()).toMatchObject({ stoppedAt: ZERO + 99 * MINUTE, idleMs: 49 * MINUTE })
})

it('HOOK-M7: a list that an earlier version stored goes on as if it had been folded', () => {
  const stored = flapping(64)
  const after = flapping(300).slice(64)
  const known = after.reduce<readonly ActivityEntry[]>(
    (before, entry) => withActivity(before, entry, [[0, 299]]),
    stored,
  )
  expect(idleMs(known, 3_000)).toBe(idleMs(flapping(300), 3_000))
  expect(known.length).toBeLessThan(100)
})

it('SESSION-S7, SESSION-B4: any order of arrival of five hundred changes gives the figures of the whole list', () => {
  const activity = fc.constantFrom(...ALL)
  const steps = fc.array(fc.tuple(activity, fc.integer({ min: -3, max: 30 })), { minLength: 300, maxLength: 500 })
  const arrivals = steps.chain((changes) => {
    let at = 1000
    const entries = changes.map(([what, after], order): ActivityEntry => {
      at += after
      return [order, at, what]
    })
    // Queues in blocks, in any order, the messages of each in its own; and single ones anywhere.
    const mixed = fc
      .array(fc.nat(20), { minLength: entries.length, maxLength: entries.length })
      .map((queues) => entries.toSorted((a, b) => (queues[a[0]] ?? 0) - (queues[b[0]] ?? 0)))
    const shuffled = fc.shuffledSubarray(entries, { minLength: entries.length })
    return fc.record({
      entries: fc.constant(entries),
      arrival: fc.oneof(fc.constant(entries), fc.constant(entries.toReversed()), mixed, shuffled),
    })
  })
  forRuns(60)(arrivals, ({ entries, arrival }) => {
    let sequence: Sequence | undefined
    let known: readonly ActivityEntry[] = []
    for (const entry of arrival) {
      const observed = observe(sequence, entry[0], `digest ${entry[0]}`, entry[1])
      sequence = observed.sequence
      known = withActivity(known, entry, settledOrders(sequence), () => 1000)
    }
    const until = 100_000
    expect(firstChargingAt(known)).toBe(firstChargingAt(entries))
    expect(idleMs(known, until)).toBe(idleMs(entries, until))
    expect(seenState(known, true)).toBe(seenState(entries, true))
  })
})

it('SESSION-S7: however entries are folded, the sums are those of the entries', () => {
  const entries = fc
    .array(fc.tuple(fc.constantFrom(...ALL), fc.integer({ min: -5, max: 20 })), { minLength: 1, maxLength: 12 })
    .map((changes) => {
      let at = 100
      return changes.map(([what, after], order): ActivityEntry => {
        at += after
        return [order, at, what]
      })
    })
  forRuns(2000)(entries, fc.array(fc.nat(10), { maxLength: 11 }), (whole, joints) => {
    const folded = [...whole]
    for (const joint of joints) {
      const [a, b] = [folded[joint], folded[joint + 1]]
      if (a && b) folded.splice(joint, 2, join(a, b))
    }
    expect(idleMs(folded, 1000)).toBe(idleMs(whole, 1000))
    expect(firstChargingAt(folded)).toBe(firstChargingAt(whole))
    expect(seenState(folded, true)).toBe(seenState(whole, true))
  })
})

it('SESSION-B4: any order of arrival gives the same state, start and idle time', () => {
  const messages = fc.array(fc.constantFrom(...ALL), { minLength: 1, maxLength: 12 })
  const shuffled = messages.chain((activities) => {
    const entries = activities.map((activity, index): ActivityEntry => [index, index * 10, activity])
    return fc.shuffledSubarray(entries, { minLength: entries.length }).map((arrival) => ({ entries, arrival }))
  })
  forAll(shuffled, ({ entries, arrival }) => {
    const seen: number[] = []
    let mixed: readonly ActivityEntry[] = []
    for (const entry of arrival) {
      seen.push(entry[0])
      mixed = withActivity(mixed, entry, rangesOf(seen))
    }
    const ordered = gathered(entries)
    expect(seenState(mixed, true)).toBe(seenState(ordered, true))
    expect(firstChargingAt(mixed)).toBe(firstChargingAt(ordered))
    expect(idleMs(mixed, 1_000)).toBe(idleMs(ordered, 1_000))
  })
})

function rangesOf(numbers: readonly number[]): [number, number][] {
  const ranges: [number, number][] = []
  for (const number of [...numbers].sort((a, b) => a - b)) {
    const last = ranges.at(-1)
    if (last && last[1] + 1 === number) last[1] = number
    else ranges.push([number, number])
  }
  return ranges
}
