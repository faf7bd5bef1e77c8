import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { firstChargingAt, idleMs, seenState, suspendedBy, withActivity } from './activities.ts'
import type { Activity, ActivityEntry } from './model.ts'
import { Driver, started } from './testing.ts'

const ALL: readonly Activity[] = ['charging', 'suspendedEv', 'suspendedEvse', 'connected', 'idle', 'finishing']

function gathered(entries: readonly ActivityEntry[]): readonly ActivityEntry[] {
  return entries.reduce<readonly ActivityEntry[]>((known, entry) => withActivity(known, entry), [])
}

describe('activities of a transaction', () => {
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
  ])('S2: after %j (charged: %s) the session is seen as %s', (activities, hasCharged, expected) => {
    const entries = activities.map((activity, index): ActivityEntry => [index, index, activity])
    expect(seenState(entries, hasCharged)).toBe(expected)
  })

  it('S3: a repeated activity is not stored again', () => {
    const once = gathered([[0, 10, 'charging']])
    expect(withActivity(once, [0, 20, 'charging'])).toBe(once)
    expect(withActivity(once, [1, 20, 'charging'], [[0, 1]])).toBe(once)
  })

  it('B4: a repetition across a gap is kept until the gap is filled', () => {
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

  it('L1: idle is what was suspended after the first charging', () => {
    const entries: ActivityEntry[] = [
      [0, 0, 'suspendedEv'],
      [1, 10, 'charging'],
      [2, 20, 'suspendedEv'],
      [3, 25, 'suspendedEvse'],
      [4, 40, 'charging'],
      [5, 50, 'suspendedEv'],
    ]
    expect(idleMs(entries, 60)).toBe(30)
    expect(idleMs(entries, 30)).toBe(10)
    expect(idleMs([...entries, [6, 55, 'connected']], 1000)).toBe(25)
    expect(idleMs(undefined, 60)).toBe(0)
    expect(firstChargingAt(entries)).toBe(10)
  })

  it('S2: who suspended is told apart', () => {
    const driver = new Driver()
    driver.send(started(0))
    const transaction = { ...driver.transaction(), activities: gathered([[0, 0, 'suspendedEvse']]) }
    expect(suspendedBy(transaction)).toBe('evse')
    expect(suspendedBy({ ...transaction, activities: gathered([[0, 0, 'suspendedEv']]) })).toBe('ev')
  })

  it('stays bounded however often a station flaps, and remembers its first charging', () => {
    const flapping = Array.from({ length: 500 }, (_, index): ActivityEntry => {
      return [index, index, index % 2 === 0 ? 'charging' : 'suspendedEv']
    })
    const entries = gathered(flapping)
    expect(entries.length).toBeLessThanOrEqual(64)
    expect(firstChargingAt(entries)).toBe(0)
    expect(entries.at(-1)).toEqual([499, 499, 'suspendedEv'])
  })

  it('B4: any order of arrival gives the same state, start and idle time', () => {
    const messages = fc.array(fc.constantFrom(...ALL), { minLength: 1, maxLength: 12 })
    const shuffled = messages.chain((activities) => {
      const entries = activities.map((activity, index): ActivityEntry => [index, index * 10, activity])
      return fc.shuffledSubarray(entries, { minLength: entries.length }).map((arrival) => ({ entries, arrival }))
    })
    fc.assert(
      fc.property(shuffled, ({ entries, arrival }) => {
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
      }),
    )
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
