import { expect, it } from 'vitest'
import type { OfflineSite } from '../../domain/ports/storage-queries.ts'
import { outagesOf } from './overview.tsx'

const place = (offline: number, stations: number, site?: string): OfflineSite => ({
  offline,
  stations,
  since: 7,
  site,
})

// CONSOLE-A21: an outage
it.each([
  ['387 of 412 of a site', [place(387, 412, 'Fair')], ['Fair 93']],
  ['too few', [place(4, 4, 'Fair')], []],
  ['all of five', [place(5, 5, 'Fair')], ['Fair 100']],
  ['all but one of many', [place(1999, 2000, 'Fair')], ['Fair 99']],
  ['of all', [place(9, 16)], ['all 56']],
  ['of several, the largest first', [place(5, 9, 'B'), place(5, 8, 'A'), place(1, 1, 'C')], ['B 55', 'A 62']],
  ['of none', [], []],
])('%s', (_, sites, shown) => {
  expect(outagesOf(sites).map(({ site = 'all', percent }) => `${site} ${percent}`)).toEqual(shown)
})
