import { afterEach, beforeEach, expect, it } from 'vitest'
import { startApi, type TestApi, tokenOf } from '../../../test/support/api/testing.ts'
import type { StationEvent } from '../../domain/monitors/records.ts'
import { addMonitors, addStationEvents } from './named-of-fleet.ts'

interface Page {
  readonly data: readonly { readonly id: string; readonly at: string; readonly value: string }[]
  readonly meta: { readonly nextCursor?: string; readonly dropped?: number }
}

const NOW = Date.UTC(2026, 7, 1)
const TOKEN = tokenOf()
const EVENTS = '/2/evse-controllers/CP1/events'

let api: TestApi
let token = TOKEN
beforeEach(async () => {
  token = TOKEN
  api = await startApi({
    parts: { verifyAccessToken: async () => token, extraEndpoints: [addMonitors, addStationEvents] },
  })
})
afterEach(() => api.close())

const keep = (events: readonly StationEvent[]) => api.store.writes.putRecords('station_events', events)
const event = (at: number, id: string, component = 'EVSE', chargePointId = 'CP1'): StationEvent => ({
  chargePointId,
  newness: -at,
  id,
  componentName: component.toLowerCase(),
  event: { component: { name: component }, variable: { name: 'Power' }, value: id, cause: 3, cleared: false },
  receivedAt: NOW,
})

it('MONITOR-A7: a walk meets each event once, the newest first, while newer ones come', async () => {
  const times = [NOW, NOW, NOW - 1, NOW - 2, NOW - 2, NOW - 2, NOW - 60_000]
  await keep(times.map((at, n) => event(at, `e${n}`, n % 2 ? 'Cable' : 'EVSE')))
  await keep([event(NOW, 'foreign', 'EVSE', 'CP2')])
  const walk = async (query: string): Promise<readonly string[]> => {
    const seen: string[] = []
    let cursor: string | undefined
    for (let turn = 0; ; turn++) {
      const page: Page = await api.get<Page>(`${EVENTS}?limit=2${query}${cursor ? `&cursor=${cursor}` : ''}`)
      seen.push(...page.data.map(({ id }) => id))
      await keep([event(NOW + 1000 + turn, `new${turn}${query}`)])
      cursor = page.meta.nextCursor
      if (cursor === undefined) return seen
    }
  }
  expect(await walk('&to=2026-08-01T00:00:00.500Z')).toEqual(['e0', 'e1', 'e2', 'e3', 'e4', 'e5', 'e6'])
  expect(await walk('&component=cable')).toEqual(['e1', 'e3', 'e5'])
  const range = '&from=2026-07-31T23:59:59.998Z&to=2026-08-01T00:00:00Z'
  expect(await walk(range)).toEqual(['e2', 'e3', 'e4', 'e5'])
  expect(await walk(`${range}&component=EVSE`)).toEqual(['e2', 'e4'])
  const [shown] = (await api.get<Page>(`${EVENTS}${range.replace('&', '?')}`)).data
  expect(shown).toEqual({
    id: 'e2',
    evseControllerId: 'CP1',
    at: '2026-07-31T23:59:59.999Z',
    receivedAt: '2026-08-01T00:00:00.000Z',
    component: { name: 'EVSE' },
    variable: { name: 'Power' },
    value: 'e2',
    cause: 3,
    cleared: false,
  })
  for (const wrong of ['?cursor=nonsense', '?from=yesterday', '?limit=0', '?sort=at']) {
    expect((await api.call('GET', `${EVENTS}${wrong}`)).status).toBe(400)
  }
})
