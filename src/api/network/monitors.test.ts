import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startApi, type TestApi, tokenOf } from '../../../test/support/api/testing.ts'
import type { StationEvent } from '../../domain/monitors/records.ts'
import type { TokenPrincipal } from '../access/principal.ts'
import { addMonitors } from './monitors.ts'
import { addStationEvents } from './station-events.ts'

interface Page {
  readonly data: readonly { readonly id: string; readonly at: string; readonly value: string }[]
  readonly meta: { readonly nextCursor?: string; readonly dropped?: number }
}

const NOW = Date.UTC(2026, 7, 1)
const TOKEN = tokenOf()
const EVENTS = '/2/evse-controllers/CP1/events'
const MONITORS = [
  {
    component: { name: 'EVSE', evseId: 1 },
    variable: { name: 'Power' },
    type: 'UpperThreshold',
    value: 80,
    severity: 5,
  },
]

describe('monitors and events over the API', () => {
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

  it('MONITOR-A1: they are shown as they were put, and not there once deleted', async () => {
    const body = { selector: { labels: { site: 'north' } }, monitors: MONITORS }
    const first = await api.call('PUT', '/2/monitors/power', body)
    expect(first.status).toBe(201)
    const shown = { name: 'power', revision: 1, ...body, monitors: [{ ...MONITORS[0], transaction: false }] }
    expect(await first.json<object>()).toMatchObject(shown)
    expect(await (await api.call('PUT', '/2/monitors/power', body)).json<object>()).toMatchObject({ revision: 1 })
    expect(await api.get('/2/monitors/power')).toMatchObject(shown)
    expect(await api.get('/2/monitors/power/status')).toEqual({ counts: {}, data: [], meta: {} })
    expect((await api.call('DELETE', '/2/monitors/power')).status).toBe(204)
    for (const path of ['/2/monitors/power', '/2/monitors/power/status']) {
      expect((await api.call('GET', path)).status).toBe(404)
    }
  })

  it.each([
    [{ selector: {}, monitors: [] }, 400, '/monitors'],
    [{ selector: {}, monitors: [{ ...MONITORS[0], type: 'Sideways' }] }, 400, '/monitors/0/type'],
    [{ selector: {}, monitors: [{ ...MONITORS[0], severity: 10 }] }, 400, '/monitors/0/severity'],
    [{ selector: {}, monitors: [{ ...MONITORS[0], value: '80' }] }, 400, '/monitors/0/value'],
    [{ selector: {}, monitors: [MONITORS[0], MONITORS[0]] }, 422, '/monitors/1/type'],
  ])('MONITOR-A1: what is no monitor is refused with its place: %j', async (body, status, pointer) => {
    const answer = await api.call('PUT', '/2/monitors/bad', body)
    expect(answer.status).toBe(status)
    expect((await answer.json()).errors).toContainEqual(expect.objectContaining({ pointer }))
    expect((await api.call('GET', '/2/monitors/bad')).status).toBe(404)
  })

  it('MONITOR-A1, INTENT-A10: each endpoint asks for its scope and for a shared charge point', async () => {
    const status = async (
      method: string,
      path: string,
      scopes: readonly string[],
      body?: object,
      shared: TokenPrincipal['chargePoints'] = 'all',
    ) => {
      token = { ...TOKEN, scopes, chargePoints: shared }
      return (await api.call(method, path, body, { authorization: 'Bearer pwa_x' })).status
    }
    const put = { selector: {}, monitors: MONITORS }
    expect(await status('PUT', '/2/monitors/m', ['chargers:control', 'chargers:read'], put)).toBe(403)
    expect(await status('PUT', '/2/monitors/m', ['chargers:configure'], put, ['CP1'])).toBe(403)
    expect(await status('PUT', '/2/monitors/m', ['chargers:configure'], put)).toBe(201)
    expect(await status('GET', '/2/monitors/m', ['chargers:configure'])).toBe(403)
    expect(await status('GET', '/2/monitors/m/status', ['chargers:read'])).toBe(200)
    expect(await status('DELETE', '/2/monitors/m', ['chargers:configure'], undefined, ['CP1'])).toBe(404)
    expect(await status('GET', EVENTS, ['chargers:configure'])).toBe(403)
    expect(await status('GET', EVENTS, ['chargers:read'])).toBe(200)
    expect(await status('GET', EVENTS, ['chargers:read'], undefined, ['CP2'])).toBe(404)
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
})
