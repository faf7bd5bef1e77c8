import { expect, it } from 'vitest'
import type { Frame } from '../../web/entries.tsx'
import { textsOf } from '../../web/texts.ts'
import { readQuery } from '../kit/filters.ts'
import { COLUMNS, columnsOf } from './columns.tsx'
import { CHARGE_POINT_FILTERS, filterOf, placeOf } from './list-query.ts'

const sent = (query: string) => new URLSearchParams(query)
const read = (query: string) => readQuery(CHARGE_POINT_FILTERS, sent(query), { timeZone: 'UTC', now: 10_000_000 })
const place = (query: string) => placeOf(read(query).requested, sent(query))

it('CONSOLE-A4: the address of the list is a query; what is empty is not there', () => {
  const query = 'q=%20x%20&online=true&status=Faulted&status=&label=site:N&label=bay:1&vendor=&sort=name&order=desc'
  expect(filterOf(read(query).requested)).toMatchObject({
    q: 'x',
    online: true,
    statuses: ['Faulted'],
    labels: [
      ['site', 'N'],
      ['bay', '1'],
    ],
  })
  expect(read(query).wrong).toEqual([])
  expect(place(query)).toMatchObject({ sort: 'name', descending: true, before: 0 })
  expect(filterOf(read('faultedFor=1h&securityProfile=2&charging=true&site=').requested)).toEqual({
    faultedSince: 6_360_000,
    securityProfile: 2,
    charging: true,
  })
  expect(read('').asked).toEqual({})
})

it.each([
  ['online=yes', ['online']],
  ['status=Broken&status=Faulted', ['status']],
  ['label=x', ['label']],
  ['securityProfile=9&sort=colour', ['securityProfile', 'sort']],
  ['charging=false', ['charging']],
  ['faultedFor=constructor', ['faultedFor']],
  ['q=a&q=b', ['q']],
  [`vendor=${'x'.repeat(256)}`, ['vendor']],
  ['unknown=1', []],
])('CONSOLE-A4: the address of the list %s is wrong in %j', (query, wrong) => {
  expect(read(query).wrong).toEqual(wrong)
})

it('CONSOLE-A4: the address of the list goes on behind the last one of a page, whatever it is sorted by', () => {
  expect(place('after=CP2').after).toEqual(['CP2', 'CP2'])
  expect(place('sort=name&after=CP2&by=Nord').after).toEqual(['Nord', 'CP2'])
  expect(place('sort=lastSeenAt&after=CP2&by=17').after).toEqual([17, 'CP2'])
  expect(place('sort=lastSeenAt&after=CP2&by=x').after).toBeUndefined()
  expect(place('sort=state&after=CP2&by=4').after).toEqual([4, 'CP2'])
  expect(place('sort=site&after=CP2&by=4').after).toEqual(['4', 'CP2'])
})

it('CONSOLE-F10: every column but all labels and how full a car is has an order that the address knows', () => {
  const frame = { language: 'en', texts: textsOf('en'), root: '' } as unknown as Frame
  const columns = columnsOf(frame, [...COLUMNS, 'label:power'], (by) => ({ to: by }))
  const orders = columns.flatMap(({ sort }) => sort?.to ?? [])
  expect(columns.filter(({ sort }) => !sort).map(({ title }) => title)).toEqual(['SoC', 'Labels'])
  expect(orders).toContain('label:power')
  expect(orders.map((order) => place(`sort=${order}`).sort)).toEqual(orders)
  expect(place('sort=label:power&after=CP2&by=22kW').after).toEqual(['22kW', 'CP2'])
  expect(read(`sort=${encodeURIComponent(`label:'"`)}`).wrong).toEqual(['sort'])
})
