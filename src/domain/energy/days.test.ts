import fc from 'fast-check'
import { expect, it } from 'vitest'
import { forAll } from '../../../test/support/property.ts'
import { type Counting, type Days, entriesOf, figuresOf, named, newestAt, oldestAt, withEntry } from './days.ts'
import type { Entry } from './readings.ts'

const COUNTING: Counting<{ readonly times: readonly number[] }> = {
  compare: (a, b) => a[0] - b[0],
  figuresOf: (entries) => ({ times: entries.map(([at]) => at) }),
  plus: (a, b) => ({ times: [...a.times, ...b.times] }),
}

const daysWith = (times: readonly number[]) =>
  times.reduce<Days<{ times: readonly number[] }>>((days, at) => withEntry(days, [at, 0, 0], COUNTING), {})
/** As earlier versions wrote them. */
const withNumbers = (days: Days<unknown>): object =>
  Object.fromEntries(
    Object.entries(days).map(([name, span]) => [
      name.slice(1),
      span.parts ? { ...span, parts: withNumbers(span.parts) } : span,
    ]),
  )

const times = fc.uniqueArray(fc.integer({ min: 0, max: 5_000_000_000 }), { maxLength: 200 })

it('ENERGY-N3: are in the order of their times, in whatever order they came', () => {
  forAll(times, (all) => {
    const days = daysWith(all)
    const sorted = [...all].sort((a, b) => a - b)
    expect(entriesOf(days).map(([at]: Entry) => at)).toEqual(sorted)
    expect(figuresOf(days, COUNTING)?.times ?? []).toEqual(sorted)
    expect([oldestAt(days), newestAt(days)]).toEqual([sorted[0], sorted.at(-1)])
  })
})

it('ENERGY-N3: as an earlier version wrote them they say the same, and go on', () => {
  forAll(times, fc.integer({ min: 0, max: 5_000_000_000 }), (all, late) => {
    const older = JSON.parse(JSON.stringify(withNumbers(daysWith(all)))) as Days<{ times: readonly number[] }>
    expect([oldestAt(older), newestAt(older)]).toEqual([oldestAt(daysWith(all)), newestAt(daysWith(all))])
    const renamed = named(older)
    expect(entriesOf(withEntry(renamed, [late, 0, 0], COUNTING))).toEqual(entriesOf(daysWith([...all, late])))
    expect(named(renamed)).toBe(renamed)
  })
})
