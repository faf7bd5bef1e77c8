import { expect, it } from 'vitest'
import { allRecords, type ListsRecords, recordPages } from './all-records.ts'

const names = (count: number) => Array.from({ length: count }, (_, n) => ({ vendor: 'V', model: `M${n}` }))

/** Models in the order of their keys, and what was asked for. */
function store(count: number) {
  const rows = names(count)
  const asked: object[] = []
  const listRecords = async (_: string, query: { after?: { model: string }; limit: number }) => {
    asked.push(query)
    const from = query.after ? rows.findIndex(({ model }) => model === query.after?.model) + 1 : 0
    return rows.slice(from, from + query.limit)
  }
  return { reads: { listRecords } as unknown as ListsRecords, asked }
}

it.each([
  [0, 1],
  [499, 1],
  [500, 2],
  [501, 2],
  [1_001, 3],
])('of %i each comes once, in order, in %i reads', async (count, reads) => {
  const place = store(count)
  expect(await allRecords(place.reads, 'station_models')).toEqual(names(count))
  expect(place.asked).toHaveLength(reads)
})

it('whoever has seen enough reads no further, and no page is empty', async () => {
  const place = store(4)
  for await (const page of recordPages(place.reads, 'station_models', { vendor: 'V' }, 2)) {
    expect(page).toEqual(names(2))
    break
  }
  expect(place.asked).toEqual([{ where: { vendor: 'V' }, after: undefined, limit: 2 }])
  const sizes: number[] = []
  for await (const page of recordPages(place.reads, 'station_models', undefined, 2)) sizes.push(page.length)
  expect(sizes).toEqual([2, 2])
})
