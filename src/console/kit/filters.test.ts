import { expect, it } from 'vitest'
import { expectTexts } from '../../../test/support/texts.ts'
import { apiSearch, MESSAGE_FILTERS } from '../log/message-query.ts'
import { choice, day, parsed, readQuery, repeated, search, text, tick, time } from './filters.ts'
import { FilterForm } from './list.tsx'

const berlin = { timeZone: 'Europe/Berlin', now: Date.parse('2026-08-01T12:00:00Z') }
const label = (name: string) => () => name
const FILTERS = {
  q: search(label('Anything')),
  station: text(label('Station'), { formerly: 'chargePoint', longest: 5 }),
  state: choice(label('State'), ['on', 'off'], () => ({ on: 'switched on', off: 'switched off' })),
  pair: repeated(parsed(label('Pair'), (typed) => (typed.includes(':') ? typed.split(':') : undefined))),
  from: time(label('From')),
  to: time(label('Until'), { after: 'from' }),
  on: day(label('Day')),
  broken: tick(label('Broken'), { rare: true }),
}
const read = (query: string, asking = berlin) => readQuery(FILTERS, new URLSearchParams(query), asking)

// CONSOLE-L1: the filters of a list
it.each([
  ['', {}],
  ['q=+a+&station=&unknown=1', { q: 'a' }],
  ['chargePoint=CP1', { station: 'CP1' }],
  ['station=CP2&chargePoint=CP1', { station: 'CP2' }],
  ['pair=a:b&pair=c:d', { pair: [['a', 'b'], ['c', 'd']] }], // biome-ignore format: a row
  ['broken=true&state=off&on=2026-02-28', { broken: true, state: 'off', on: '2026-02-28' }],
])('%j is %j', (query, requested) => {
  const found = read(query)
  expect([found.requested, found.wrong, found.isNarrowed]).toEqual([requested, [], Object.keys(requested).length > 0])
})

it.each([
  ['station=CP1&station=CP2', ['station']],
  ['station=abcdef', ['station']],
  ['state=toString', ['state']],
  ['pair=a:b&pair=c', ['pair']],
  ['from=soon&on=2026-02-30&broken=yes', ['from', 'on', 'broken']],
  ['from=2026-08-01T12:00&to=2026-08-01T12:00', ['to']],
  ['from=2026-08-01T14:00&to=2026-08-01T12:00Z', ['to']],
])('%j is wrong in %j, and stays as it was asked', (query, wrong) => {
  const found = read(query)
  expect(found.wrong).toEqual(wrong)
  for (const [name, value] of new URLSearchParams(query)) expect(found.asked[name]).toContain(value)
})

it.each([
  ['2026-08-01T14:00', 'Europe/Berlin', '2026-08-01T12:00:00.000Z'],
  ['2026-08-01T14:00:30', 'America/New_York', '2026-08-01T18:00:30.000Z'],
  ['2026-08-01', 'Pacific/Chatham', '2026-07-31T11:15:00.000Z'],
  ['2026-08-01T14:00:00Z', 'Europe/Berlin', '2026-08-01T14:00:00.000Z'],
  ['2026-08-01T14:00:00+02:00', 'America/New_York', '2026-08-01T12:00:00.000Z'],
  // The earlier one of two.
  ['2026-10-25T02:30', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
])('%s in %s is %s', (typed, timeZone, utc) => {
  const { requested } = read(`from=${encodeURIComponent(typed)}`, { ...berlin, timeZone })
  expect(requested.from === undefined ? undefined : new Date(requested.from).toISOString()).toBe(utc)
})

it('what is copied for the API is in UTC, whatever was typed', () => {
  const sent = new URLSearchParams('from=2026-08-01T14:00&to=2026-08-01T15:00&method=heartbeat&schemaErrors=true')
  expect(apiSearch(readQuery(MESSAGE_FILTERS, sent, berlin).requested, berlin)).toEqual({
    from: '2026-08-01T12:00:00.000Z',
    to: '2026-08-01T13:00:00.000Z',
    method: 'Heartbeat',
    schemaErrors: { $exists: true },
  })
})

it('each that is set is a chip with the way without it; hostile text is inert', () => {
  const frame = { language: 'en', ...berlin } as unknown as Parameters<typeof FilterForm>[0]['frame']
  const query = read('state=off&pair=a:b&pair=%3Cb%3E:d&from=2026-08-01T14:00:00Z&station=toolong')
  const html = String(FilterForm({ frame, path: '/list', filters: FILTERS, query }))
  expectTexts(html, 'State: <b><bdi>switched off</bdi></b>', 'From: <b><bdi>1 Aug 2026, 16:00</bdi></b>')
  expectTexts(html, 'href="/list?station=toolong&amp;state=off&amp;pair=a%3Ab&amp;from=2026', '<bdi>&lt;b&gt;:d</bdi>')
  expect(html).toContain('role="alert">This cannot be searched for: Station = toolong')
  expect(html).not.toContain('<b>:d')
})
