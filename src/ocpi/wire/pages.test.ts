import { expect, it } from 'vitest'
import { listed } from '../senders/listed.ts'
import type { OcpiRequest } from './module.ts'
import { type PagedList, pageOf } from './pages.ts'

interface Row {
  readonly id: string
  readonly lastUpdated: number
}

const at = (day: number): number => Date.UTC(2026, 0, day)

function source(rows: readonly Row[], most = 500) {
  const state = { rows }
  const within = ({ lastUpdated }: Row, from = 0, below = Number.POSITIVE_INFINITY): boolean =>
    lastUpdated >= from && lastUpdated < below
  const list: PagedList<Row> = {
    most,
    count: async ({ from, below }) => state.rows.filter((row) => within(row, from, below)).length,
    rows: async ({ from, below }, limit, after = '') =>
      state.rows
        .filter((row) => within(row, from, below) && row.id > after)
        .sort((a, b) => (a.id < b.id ? -1 : 1))
        .slice(0, limit),
    id: ({ id }) => id,
    show: (shown) => shown,
  }
  return { state, list }
}

const get = (list: PagedList<Row>, search: string) =>
  pageOf(
    {
      query: new URLSearchParams(search),
      version: '2.3.0',
      path: '/locations',
      context: { settings: { baseUrl: 'https://cpo.example' } },
    } as OcpiRequest,
    list,
  )

const rowsOf = (count: number): readonly Row[] =>
  Array.from({ length: count }, (_, index) => ({ id: `L${String(index).padStart(5, '0')}`, lastUpdated: at(1) }))

/** As a partner follows the links. @param between happens after each page */
async function pulled(list: PagedList<Row>, search: string, between = () => {}): Promise<readonly string[]> {
  const ids: string[] = []
  for (let next: string | undefined = search; next !== undefined; ) {
    const answer = await get(list, next)
    ids.push(...(answer.data as readonly Row[]).map(({ id }) => id))
    const link: string | undefined = answer.headers?.link
    next = link && new URL(/<(.*)>; rel="next"/.exec(link)?.[1] ?? '').search
    between()
  }
  return ids
}

it('OCPI-A2: pages have X-Total-Count, X-Limit and a link with the filters of the request', async () => {
  const { list } = source(rowsOf(7), 3)
  const { headers, data } = await get(list, 'limit=100&date_from=2025-12-01T00:00:00')
  expect(data).toHaveLength(3)
  expect(headers).toMatchObject({ 'x-total-count': '7', 'x-limit': '3' })
  expect(headers?.link).toMatch(/^<https:\/\/cpo\.example\/ocpi\/2\.3\.0\/locations\?limit=3&date_from=2025-12-01T00/)
  const last = await get(list, 'offset=6&limit=3')
  expect([last.data, last.headers]).toEqual([
    [{ id: 'L00006', lastUpdated: at(1) }],
    { 'x-total-count': '7', 'x-limit': '3' },
  ])
  expect((await get(list, 'offset=7')).data).toEqual([])
  expect((await get(list, 'offset=999999')).data).toEqual([])
})

it('OCPI-A2: date_from is part of the span, date_to is not', async () => {
  const { list } = source([1, 2, 3].map((day) => ({ id: `L${day}`, lastUpdated: at(day) })))
  expect(await pulled(list, 'date_from=2026-01-02T00:00:00Z')).toEqual(['L2', 'L3'])
  expect(await pulled(list, 'date_from=2026-01-01T00:00:00.000Z&date_to=2026-01-02T00:00:00Z')).toEqual(['L1'])
})

it.each(['limit=7', 'limit=1', ''])(
  'OCPI-A2: a pull is complete and without doubles while data changes: %s',
  async (search) => {
    const { state, list } = source(rowsOf(50), 7)
    let turn = 0
    const ids = await pulled(list, search, () => {
      turn++
      const changed = { lastUpdated: at(2) + turn }
      state.rows = [
        ...state.rows.map((row, index) => (index % 5 === turn % 5 ? { ...row, ...changed } : row)),
        { id: `K${turn}`, ...changed },
      ]
    })
    expect(ids.filter((id) => id.startsWith('L'))).toEqual(rowsOf(50).map(({ id }) => id))
    expect(new Set(ids).size).toBe(ids.length)
  },
)

it('OCPI-A2: a caller that counts gets the same pages', async () => {
  const { list } = source(rowsOf(2100), 500)
  const ids: string[] = []
  for (let offset = 0; offset < 2100; offset += 500) {
    ids.push(...((await get(list, `offset=${offset}`)).data as readonly Row[]).map(({ id }) => id))
  }
  expect(ids).toEqual(rowsOf(2100).map(({ id }) => id))
})

it.each([
  ['limit=0', 'limit'],
  ['limit=-1', 'limit'],
  ['offset=x', 'offset'],
  ['date_from=yesterday', 'date_from'],
  ['date_to=2026-01-01T00:00:00%2B00:00', 'date_to'],
  ['date_to=2026-13-01T00:00:00Z', 'date_to'],
])('OCPI-A2, OCPI-A7: %s is refused with 2001 and its name', async (search, name) => {
  expect(await get(source([]).list, search)).toMatchObject({ code: 2001, message: expect.stringContaining(name) })
})

it('AFIR-A4: an offset deep in a long list sorts it once', async () => {
  let looks = 0
  const shuffled = rowsOf(20_000).map((row, index, all) => {
    const { id, lastUpdated } = all[(index * 7919) % all.length] ?? row
    return {
      lastUpdated,
      get id() {
        looks++
        return id
      },
    }
  })
  const list = { ...listed(shuffled, 'lastUpdated', 'id'), show: (shown: readonly Row[]) => shown }
  const { data } = await get(list, 'offset=19990&limit=5')
  expect((data as readonly Row[]).map(({ id }) => id)[0]).toBe('L19990')
  expect(looks).toBeLessThan(1_500_000)
})
