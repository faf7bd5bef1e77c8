import { expect, it } from 'vitest'
import type { Session } from '../../domain/ports/sessions.ts'
import type { ChargePointView, ConnectorView } from '../../domain/ports/storage-records.ts'
import { type StationState, stationState } from './station-state.tsx'

const at = (status: string, connectorId = 1, since = 5): ConnectorView =>
  ({ chargePointId: 'A', connectorId, status, since, updatedAt: 9 }) as ConnectorView
const of = (connectors: readonly ConnectorView[], change: Partial<ChargePointView> = {}) =>
  ({
    id: 'A',
    registrationStatus: 'Accepted',
    status: { lastSeenAt: 3 },
    connectors,
    createdAt: 1,
    ...change,
  }) as ChargePointView
const live = { chargePointId: 'A', online: true }

// CONSOLE-F5: what a charge point is as a whole
it.each<[StationState, readonly string[], number | undefined, number | undefined]>([
  ['available', ['Available', 'Available'], 2, 2],
  ['charging', ['Available', 'Charging'], 1, 2],
  ['faulted', ['Charging', 'Faulted'], 1, 2],
  ['occupied', ['SuspendedEV', 'Available'], 1, 2],
  ['reserved', ['Reserved', 'Available'], 1, 2],
  ['available', ['Unavailable', 'Available'], 1, 2],
  ['unavailable', ['Unavailable', 'Unavailable'], 2, 2],
  ['unknown', ['Odd'], 1, 1],
  ['unknown', [], undefined, undefined],
])('%s with %j', (state, statuses, count, all) => {
  const connectors = statuses.map((status, index) => at(status, index + 1))
  expect(stationState({ view: of(connectors), live })).toMatchObject({
    state,
    ...(count !== undefined && { count, of: all }),
  })
})

it('counts the station’s own status only where it is faulted', () => {
  expect(stationState({ view: of([at('Unavailable', 0), at('Available')]), live })).toMatchObject({
    state: 'available',
  })
  expect(stationState({ view: of([at('Faulted', 0), at('Available')]), live })).toMatchObject({ state: 'faulted' })
})

it('says since when it is so: the longest of several', () => {
  const view = of([at('Faulted', 1, 7), at('Faulted', 2, 4)])
  expect(stationState({ view, live })).toMatchObject({ since: 4, faulted: { connectorId: 2 } })
})

it('knows by the session that a connector of 2.0.1 charges', () => {
  const connector = { ...at('Occupied'), evseId: 1 }
  const open = [{ evseId: 1, connectorId: 1, state: 'charging' }] as unknown as readonly Session[]
  expect(stationState({ view: of([connector]), live, open }).state).toBe('charging')
  expect(stationState({ view: of([connector]), live }).state).toBe('occupied')
})

it('is first what nobody decided, then that it is gone', () => {
  const connectors = [at('Faulted')]
  expect(stationState({ view: of(connectors, { registrationStatus: 'Pending' }), live })).toEqual({
    state: 'pending',
    since: 1,
  })
  expect(stationState({ view: of(connectors, { registrationStatus: 'Rejected' }), live }).state).toBe('rejected')
  expect(stationState({ view: of(connectors, { disabled: true }), live }).state).toBe('disabled')
  expect(stationState({ view: of(connectors) })).toEqual({ state: 'offline', since: 3 })
})
