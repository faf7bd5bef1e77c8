import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Found, mergedPage, newestBelow, type Source } from './sources.ts'

const WINDOW = { accountId: 'A', chargePointId: 'CP1', from: undefined, to: undefined }

/** Of entries that may be added to while somebody reads. */
function sourceOf(all: readonly { readonly at: number; readonly name: string }[]): Source {
  return async (_, below, limit) =>
    newestBelow(all, (one) => one, below, limit).map(({ of, ...places }) => ({ ...places, entry: { name: of.name } }))
}

async function everyPage(sources: readonly Source[], limit: number, between?: () => void): Promise<readonly Found[]> {
  const found: Found[] = []
  let positions: readonly string[] | undefined
  do {
    const page = await mergedPage(sources, WINDOW, positions, limit)
    expect(page.entries.length).toBeLessThanOrEqual(limit)
    found.push(...page.entries)
    positions = page.positions
    between?.()
  } while (positions)
  return found
}

const entries = (prefix: string) =>
  fc
    .uniqueArray(fc.record({ at: fc.nat(20), name: fc.stringMatching(/^[a-c \0]{0,2}$/) }), {
      maxLength: 30,
      selector: ({ at, name }) => `${at} ${name}`,
    })
    .map((list) => list.map(({ at, name }) => ({ at, name: `${prefix}${name}` })))

// TIMELINE-A7: sources that are merged
it('page by page they show every entry once, newest first, however long the pages are', async () => {
  await fc.assert(
    fc.asyncProperty(entries('x'), entries('y'), fc.integer({ min: 1, max: 7 }), async (one, other, limit) => {
      const found = await everyPage([sourceOf(one), sourceOf(other)], limit)
      const times = found.map(({ at }) => at)
      expect(times).toEqual([...times].sort((a, b) => b - a))
      const names = [...one, ...other].map(({ at, name }) => `${at} ${name}`)
      expect(found.map(({ position }) => position).sort()).toEqual(names.sort())
    }),
  )
})

it('what comes meanwhile is on no later page, and moves nothing', async () => {
  await fc.assert(
    fc.asyncProperty(entries('x'), entries('y'), fc.integer({ min: 1, max: 5 }), async (one, other, limit) => {
      const growing = [...one]
      const expected = await everyPage([sourceOf(one), sourceOf(other)], limit)
      let later = 100
      const found = await everyPage([sourceOf(growing), sourceOf(other)], limit, () => {
        growing.push({ at: later++, name: 'new' })
      })
      // A source without any entry at the first page has no position to begin below, and is over.
      expect(found).toEqual(expected)
    }),
  )
})

it('an empty source and no source at all give an empty page without a position', async () => {
  expect(await mergedPage([sourceOf([])], WINDOW, undefined, 10)).toEqual({ entries: [] })
  expect(await mergedPage([], WINDOW, undefined, 10)).toEqual({ entries: [] })
})
