import { describe, expect, it } from 'vitest'
import { readListQuery } from './list-query.ts'

const read = (query: string) => readListQuery(new URLSearchParams(query), 10_000_000)

describe('CONSOLE-A4: the address of the list', () => {
  it('is a query; what is empty is not there', () => {
    const query = 'q=%20x%20&online=true&status=Faulted&status=&label=site:N&label=bay:1&vendor=&sort=name&order=desc'
    expect(read(query)).toMatchObject({
      filter: {
        q: 'x',
        online: true,
        statuses: ['Faulted'],
        labels: [
          ['site', 'N'],
          ['bay', '1'],
        ],
      },
      sort: 'name',
      descending: true,
      wrong: [],
    })
    expect(Object.keys(read('').filter)).toEqual([])
  })

  it.each([
    ['online=yes', ['online']],
    ['status=Broken&status=Faulted', ['status']],
    ['label=x', ['label']],
    ['securityProfile=9&sort=colour', ['securityProfile', 'sort']],
    ['charging=false', ['charging']],
    ['q=a&q=b', ['q']],
    [`vendor=${'x'.repeat(256)}`, ['vendor']],
    ['unknown=1', []],
  ])('%s is wrong in %j', (query, wrong) => {
    expect(read(query).wrong).toEqual(wrong)
  })

  it('goes on behind the last one of a page, whatever it is sorted by', () => {
    expect(read('after=CP2').after).toEqual(['CP2', 'CP2'])
    expect(read('sort=name&after=CP2&by=Nord').after).toEqual(['Nord', 'CP2'])
    expect(read('sort=lastSeenAt&after=CP2&by=17').after).toEqual([17, 'CP2'])
    expect(read('sort=lastSeenAt&after=CP2&by=x').after).toBeUndefined()
  })
})
