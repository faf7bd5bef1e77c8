import { expect, it } from 'vitest'
import type { LimitGroup } from '../limit-groups/records.ts'
import { groupsBySite } from './site.ts'

it('SITE-P3: the groups of a site are those whose selector names it', () => {
  const group = (name: string, selector?: LimitGroup['desired']['selector']): LimitGroup => ({
    accountId: 'A',
    name,
    desired: { amps: 63, selector },
    revision: 1,
    createdAt: 0,
    updatedAt: 0,
  })
  const found = groupsBySite([
    group('a', { labels: { site: 'North', floor: '1' } }),
    group('b', { labels: { site: 'North' } }),
    group('c', { labels: { floor: '1' } }),
    group('d', { not: { labels: { site: 'North' } } }),
    group('e'),
  ])
  expect([...found].map(([site, groups]) => [site, groups.map(({ name }) => name)])).toEqual([['North', ['a', 'b']]])
})
