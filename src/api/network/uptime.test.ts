import { expect, it } from 'vitest'
import { apiOfTest, START, session } from '../../../test/support/api/testing.ts'
import { changeSet } from '../../../test/support/storage-contract/records.ts'
import { logIdAt } from '../../domain/message-log/log-id.ts'
import type { RecordChange } from '../../domain/records/records.ts'
import { addUptime } from './uptime.ts'

const HOUR = 3600_000
const FROM = new Date(START - 24 * HOUR).toISOString()
const WINDOW = `?from=${FROM}&to=${new Date(START).toISOString()}`

interface Row {
  readonly evseControllerId?: string
  readonly uptime?: number
  readonly downtimeSeconds: number
  readonly visits: number
}

const api = await apiOfTest({ parts: { extraEndpoints: [addUptime] } })
const { writes, core } = api.store
const labels = { site: 'North' }
for (const id of ['CP2', 'CP3']) {
  const options = { accountId: 'acc1', securityProfile: 0, registrationStatus: 'Accepted', createdAt: 0 } as const
  await writes.createChargePoint({ ...options, id })
  await writes.updateChargePoint('acc1', id, { labels: id === 'CP2' ? labels : { site: '=1+1' } })
}
const entry = (hours: number, kind: 'connected' | 'disconnected' | 'status', details = {}): RecordChange => {
  const at = START + hours * HOUR
  return {
    kind: 'connection_history',
    put: { chargePointId: 'CP2', id: logIdAt(at), part: 0, kind, at, details, count: 1 },
  }
}
const ordered = (hours: number, available: boolean): RecordChange => {
  const at = START + hours * HOUR
  return {
    kind: 'availability_orders',
    put: { chargePointId: 'CP2', id: logIdAt(at), at, connectorId: 1, available },
  }
}
await core.commit([
  changeSet({
    chargePointId: 'CP2',
    connectors: [
      { connectorId: 1, status: 'Available', updatedAt: START - 3 * HOUR },
      { connectorId: 2, status: 'Available', updatedAt: START - 30 * HOUR },
    ],
    records: [
      entry(-30, 'connected'),
      entry(-12, 'disconnected'),
      entry(-10, 'connected'),
      entry(-4, 'status', { connectorId: 1, status: 'Faulted', previousStatus: 'Available' }),
      entry(-3, 'status', { connectorId: 1, status: 'Available', previousStatus: 'Faulted' }),
      ordered(-11, false),
      ordered(-10, true),
    ],
    sessions: [
      session('s1', { chargePointId: 'CP2', connectorId: 1, createdAt: START - HOUR }),
      session('s2', {
        chargePointId: 'CP2',
        connectorId: 1,
        createdAt: START - 2 * HOUR,
        energyMilliWh: 0,
        state: 'completed',
        endReason: 'interrupted',
      }),
      // UPTIME-U5: of the day before; it was delivered late.
      session('s3', {
        chargePointId: 'CP2',
        connectorId: 1,
        startedAt: START - 30 * HOUR,
        createdAt: START - HOUR,
        state: 'completed',
      }),
    ],
  }),
])

const list = async (query: string) => await api.get<{ data: Row[]; meta: { nextCursor?: string } }>(`/2/uptime${query}`)

it('UPTIME-U1, UPTIME-U3, UPTIME-U5: of each connector', async () => {
  const { data } = await list(`${WINDOW}&group=connector`)
  expect(data).toEqual([
    {
      evseControllerId: 'CP2',
      connectorId: 1,
      uptime: 22 / 24,
      visits: 2,
      failedVisits: 1,
      downtimeSeconds: 2 * 3600,
      plannedSeconds: 3600,
      unknownSeconds: 0,
    },
    {
      evseControllerId: 'CP2',
      connectorId: 2,
      uptime: 22 / 24,
      visits: 0,
      failedVisits: 0,
      downtimeSeconds: 2 * 3600,
      plannedSeconds: 0,
      unknownSeconds: 0,
    },
  ])
})

it('UPTIME-U2, UPTIME-U6: of each charge point, in pages', async () => {
  const { data } = await list(WINDOW)
  expect(data.map(({ evseControllerId }) => evseControllerId)).toEqual(['CP1', 'CP2', 'CP3'])
  expect(data[1]).toMatchObject({ downtimeSeconds: 4 * 3600, plannedSeconds: 3600, visits: 2 })
  expect(data[2]).toMatchObject({ unknownSeconds: 24 * 3600 })
  expect(data[2]).not.toHaveProperty('uptime')
  const first = await list(`${WINDOW}&limit=2`)
  const second = await list(`${WINDOW}&limit=2&cursor=${first.meta.nextCursor}`)
  expect([...first.data, ...second.data]).toEqual(data)
})

it.each([
  ['?format=csv', undefined],
  ['?', 'text/csv'],
])('UPTIME-U6: all of it is a file: %s, accepting %s', async (start, accept) => {
  const query = `${start}&${WINDOW.slice(1)}&group=site&limit=1`
  const answer = await api.call('GET', `/2/uptime${query}`, undefined, accept === undefined ? {} : { accept })
  expect(answer.headers.get('content-type')).toMatch(/^text\/csv/)
  const lines = (await answer.text()).split('\r\n')
  expect(lines[0]).toMatch(/^evseControllerId,/)
  expect(lines).toHaveLength(5)
  // SEARCH-C8: no spreadsheet computes it.
  expect(lines[2]).toContain("'=1+1")
})
