import fc from 'fast-check'
import { expect, it } from 'vitest'
import { aChargePoint } from '../../../test/support/storage-contract/records.ts'
import type { ChargePointQuery } from '../../domain/ports/storage-queries.ts'
import { findChargePoints } from './find.ts'

/** What the database has of them, and what the core knows of those that are online. */
function place(stored: Readonly<Record<string, number>>, live: Readonly<Record<string, number>>) {
  return {
    reads: {
      async findChargePoints({ filter: { within, without }, sort, descending, after, limit }: ChargePointQuery) {
        const sign = descending ? -1 : 1
        const rows = Object.entries(stored)
          .filter(([id]) => (!within || within.includes(id)) && !without?.includes(id))
          .map(([id, at]) => ({
            sortedBy: sort === 'lastSeenAt' ? at : id,
            view: { ...aChargePoint({ id }), status: {}, connectors: [] },
          }))
        const order = (one: readonly [string | number, string], other: readonly [string | number, string]) =>
          sign * (one[0] < other[0] || (one[0] === other[0] && one[1] < other[1]) ? -1 : 1)
        return rows
          .sort((a, b) => order([a.sortedBy, a.view.id], [b.sortedBy, b.view.id]))
          .filter((row) => !after || order([row.sortedBy, row.view.id], after) > 0)
          .filter((row) => !after || row.view.id !== after[1])
          .slice(0, limit)
      },
    },
    core: {
      onlineChargePoints: async () => Object.keys(live),
      connectivity: async (ids: readonly string[]) =>
        ids.map((chargePointId) => ({ chargePointId, online: true, lastSeenAt: live[chargePointId] ?? 0 })),
    },
  }
}

// CONSOLE-A4: charge points by their last sign of life
it('those online stand where what is shown of them says, not where what was stored a minute ago does', async () => {
  const parts = place({ A: 100, B: 110, C: 120, OFF: 125 }, { A: 160, C: 150 })
  const page = { accountId: 'A', sort: 'lastSeenAt', descending: true, limit: 10 } as const
  const found = await findChargePoints(parts, {}, page)
  expect(found.map(({ view, sortedBy }) => [view.id, sortedBy])).toEqual([
    ['A', 160],
    ['C', 150],
    ['OFF', 125],
    ['B', 110],
  ])
  const ids = async (asked: { readonly online?: boolean }, shared?: readonly string[]) =>
    (await findChargePoints(parts, asked, page, shared)).map(({ view }) => view.id)
  expect(await ids({ online: true })).toEqual(['A', 'C'])
  expect(await ids({ online: false })).toEqual(['OFF', 'B'])
  expect(await ids({}, ['A', 'B'])).toEqual(['A', 'B'])
})

it('pages show each of them once and in order, whatever is online', async () => {
  const times = fc.integer({ min: 0, max: 5 })
  const id = fc.string({ unit: fc.constantFrom('A', 'B', 'C'), minLength: 1, maxLength: 3 })
  const stations = fc.dictionary(id, fc.record({ stored: times, live: fc.option(times) }), { maxKeys: 20 })
  await fc.assert(
    fc.asyncProperty(stations, fc.boolean(), fc.integer({ min: 1, max: 4 }), async (all, descending, limit) => {
      const entries = Object.entries(all)
      const live = Object.fromEntries(entries.flatMap(([key, one]) => (one.live === null ? [] : [[key, one.live]])))
      const parts = place(Object.fromEntries(entries.map(([key, { stored }]) => [key, stored])), live)
      const seen: (readonly [string | number, string])[] = []
      for (;;) {
        const after = seen.at(-1)
        const page = { accountId: 'A', sort: 'lastSeenAt', descending, limit, after } as const
        const found = await findChargePoints(parts, {}, page)
        seen.push(...found.map(({ sortedBy, view }) => [sortedBy, view.id] as const))
        if (found.length < limit) break
      }
      const sign = descending ? -1 : 1
      const expected = entries
        .map(([key, one]) => [one.live ?? one.stored, key] as const)
        .sort((a, b) => sign * (a[0] - b[0] || (a[1] < b[1] ? -1 : 1)))
      expect(seen).toEqual(expected)
    }),
  )
})
