import { expect, it } from 'vitest'
import type { SiteCounts } from '../ports/storage-queries.ts'
import { inOrder, needsAttention, SITE_STATES, siteState, worstOf } from './site.ts'

const NOTHING = { stations: 4, pending: 0, offline: 0, faulted: 0, charging: 0, powerMilliW: 0, milliWh: 0 }
const site = (name: string | undefined, counts: Partial<SiteCounts> = {}): SiteCounts => ({
  ...NOTHING,
  ...(name !== undefined && { site: name }),
  ...counts,
})

it.each([
  [{}, 'free', 4],
  [{ stations: 0 }, 'empty', 0],
  [{ charging: 2 }, 'charging', 2],
  [{ charging: 2, pending: 1 }, 'pending', 1],
  [{ pending: 1, offline: 1 }, 'offline', 1],
  [{ offline: 3, faulted: 1 }, 'faulted', 1],
  [{ offline: 4 }, 'gone', 4],
  [{ offline: 3, pending: 1 }, 'gone', 3],
  [{ pending: 4 }, 'pending', 4],
] as const)('SITE-A3: a site is the worst of what its stations are: %j is %s of %i', (counts, state, count) => {
  expect(siteState(site('A', counts))).toEqual({ state, count })
})

it('SITE-A3: a site is the worst of what its stations are: somebody is needed where something is broken, gone or waits', () => {
  const needed = SITE_STATES.filter((state) => needsAttention({ state, count: 1 }))
  expect(needed).toEqual(['gone', 'faulted', 'offline', 'pending'])
  expect(worstOf(['free', 'faulted', 'charging'])).toBe('faulted')
  expect(worstOf([])).toBeUndefined()
})

const sites = [
  site(undefined, { faulted: 1 }),
  site('B', { faulted: 1 }),
  site('C', { faulted: 2, powerMilliW: 5 }),
  site('A', { faulted: 1 }),
  site('F'),
  site('G', { offline: 4 }),
]
const names = (...asked: Parameters<typeof inOrder>) => inOrder(...asked).map((one) => one.site ?? '-')

it('SITE-A3: who needs somebody stands first: by state, by how many, by name, and without a site last', () => {
  expect(names(sites, { by: 'state' })).toEqual(['G', 'C', 'A', 'B', '-', 'F'])
  expect(names(sites, { by: 'state', descending: true })).toEqual(['F', 'A', 'B', '-', 'C', 'G'])
})

it('SITE-A3: who needs somebody stands first: by a figure, and of the same by name', () => {
  expect(names(sites, { by: 'power', descending: true })).toEqual(['C', 'A', 'B', 'F', 'G', '-'])
  expect(names(sites, { by: 'site' })).toEqual(['A', 'B', 'C', 'F', 'G', '-'])
  expect(sites[0]).not.toHaveProperty('site')
})
