import { expect, it } from 'vitest'
import type { SessionTotals } from '../../domain/ports/storage-queries.ts'
import { createTotals } from './session-totals.ts'

const FILTER = { accountId: 'A' }

/** Sums of a database with so many sessions; those of all come when they are let. */
function database(count: number) {
  const whole: { readonly resolve: () => void; readonly reject: () => void }[] = []
  const asked: (number | undefined)[] = []
  const totalsOf = (sessions: number): SessionTotals => ({
    sessions,
    energyWh: 10 * sessions,
    durationSeconds: 0,
    cost: [],
    isWhole: sessions === count,
  })
  const sumSessions = (_filter: unknown, _now: number, most?: number): Promise<SessionTotals> => {
    asked.push(most)
    if (most !== undefined) return Promise.resolve(totalsOf(Math.min(count, most)))
    return new Promise((resolve, reject) => {
      whole.push({ resolve: () => resolve(totalsOf(count)), reject: () => reject(new Error('The database is away.')) })
    })
  }
  return { reads: { sumSessions }, whole, asked }
}

it('CONSOLE-C4: of more than 50,000 sessions the newest were summed and read like all of them', async () => {
  const { reads, whole, asked } = database(85_000)
  const totalsOf = createTotals()
  let now = 1000
  const shown = () => totalsOf(reads, FILTER, () => now)
  expect(await shown()).toEqual({ totals: undefined })
  expect(await shown()).toEqual({ totals: undefined })
  expect(whole).toHaveLength(1)
  now = 4000
  whole[0]?.resolve()
  await expect.poll(shown).toMatchObject({ totals: { sessions: 85_000, energyWh: 850_000 }, at: 1000 })
  // It took three seconds, so it is good for a minute; then the old ones are shown until the new ones are there.
  const before = asked.length
  now = 63_999
  expect(await shown()).toMatchObject({ at: 1000 })
  expect(asked).toHaveLength(before)
  now = 64_000
  expect(await shown()).toMatchObject({ totals: { sessions: 85_000 }, at: 1000 })
  expect(asked.slice(before)).toEqual([undefined])
  whole[1]?.resolve()
  await expect.poll(shown).toMatchObject({ at: 64_000 })
})

it('CONSOLE-C4: fewer are summed while the page waits, and not each few seconds', async () => {
  const { reads, asked } = database(19_000)
  const totalsOf = createTotals()
  expect(await totalsOf(reads, FILTER, () => 0)).toMatchObject({ totals: { sessions: 19_000 } })
  await totalsOf(reads, FILTER, () => 19_999)
  expect(asked).toHaveLength(1)
  await totalsOf(reads, FILTER, () => 20_000)
  expect(asked).toHaveLength(2)
})

it('CONSOLE-C4: what fails is begun again, and only a few are added up at once', async () => {
  const { reads, whole } = database(90_000)
  const totalsOf = createTotals()
  for (const accountId of ['A', 'B', 'C', 'D', 'E']) await totalsOf(reads, { accountId }, () => 0)
  expect(whole).toHaveLength(4)
  whole[0]?.reject()
  await expect
    .poll(async () => {
      await totalsOf(reads, FILTER, () => 0)
      return whole.length
    })
    .toBe(5)
})
