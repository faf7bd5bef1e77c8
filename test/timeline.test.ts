import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type House, type HouseProcess, houseOfFile, type Json, spawnHouse, until } from './house.ts'
import { bootStation, connectStation, startOf } from './station.ts'

type Entry = Readonly<Record<string, unknown>>

async function timeline(house: Pick<House, 'request'>, id: string, query = ''): Promise<readonly Entry[]> {
  const { body, status, text } = await house.request('GET', `/2/evse-controllers/${id}/timeline${query}`)
  if (status !== 200) throw new Error(text)
  return body.data as readonly Entry[]
}

const kinds = (entries: readonly Entry[]): unknown[] => entries.map(({ kind }) => kind)

async function events(house: Pick<House, 'list'>, type: string, id: string): Promise<readonly Json[]> {
  return (await house.list(`/2/events?type=${type}&limit=500`))
    .map(({ data }) => data as Json)
    .filter(({ evseControllerId }) => evseControllerId === id)
}

describe('the timeline of a charge point', async () => {
  const house = await houseOfFile()

  it.each([
    ['ocpp1.6', { connectorId: 1, errorCode: 'NoError' }, 'status'],
    ['ocpp2.0.1', { evseId: 1, connectorId: 1, timestamp: '2026-01-01T00:00:00Z' }, 'connectorStatus'],
  ] as const)(
    'TIMELINE-A1, TIMELINE-A5, TIMELINE-A7: shows what happened with %s, newest first',
    async (protocol, place, name) => {
      const id = `CP-${protocol}`
      const station = await bootStation(house.ocppUrl, id, protocol)
      await station.ask('StatusNotification', { ...place, [name]: 'Available' })
      await station.ask('StatusNotification', { ...place, [name]: 'Available' })
      await station.ask('StatusNotification', { ...place, [name]: 'Faulted' })
      await station.ask('SecurityEventNotification', {
        type: 'TamperDetectionActivated',
        timestamp: '2026-01-01T00:00:00Z',
        techInfo: '<b>lid</b>\u0007',
      })
      station.socket.close(4000, '<script>\u001b[31m')
      await station.closed
      await until(async () => (await timeline(house, id))[0]?.kind === 'disconnected')
      const all = await timeline(house, id)
      expect(kinds(all)).toEqual(['disconnected', 'security', 'status', 'status', 'booted', 'connected'])
      expect(all[0]).toMatchObject({ code: 4000, reason: '<script> [31m' })
      expect(all[1]).toMatchObject({ type: 'TamperDetectionActivated', detail: '<b>lid</b>\u0007' })
      expect(all[2]).toMatchObject({ status: 'Faulted', previousStatus: 'Available', connectorId: 1 })
      expect(all[5]).toMatchObject({ protocol })
      expect(new Set(all.map((entry) => entry.id)).size).toBe(all.length)
      // Page by page it is the same.
      const paged: Entry[] = []
      let cursor = ''
      do {
        const { body } = await house.request('GET', `/2/evse-controllers/${id}/timeline?limit=1${cursor}`)
        paged.push(...(body.data as Entry[]))
        const next = (body.meta as { nextCursor?: string }).nextCursor
        cursor = next === undefined ? '' : `&cursor=${next}`
      } while (cursor !== '')
      expect(paged).toEqual(all)
      // A year that no id of the log reaches.
      expect(await timeline(house, id, '?to=9999-12-31T23:59:59.999Z')).toEqual(all)
      expect(await timeline(house, id, '?from=9999-12-31T23:59:59.999Z')).toEqual([])
      expect(await events(house, 'charge-point.connected', id)).toMatchObject([{ protocol }])
      expect(await events(house, 'charge-point.booted', id)).toMatchObject([{ vendor: 'Acme' }])
      expect(await events(house, 'charge-point.status', id)).toHaveLength(2)
      expect(await events(house, 'charge-point.disconnected', id)).toMatchObject([{ code: 4000 }])
      expect(await events(house, 'security.event', id)).toMatchObject([{ type: 'TamperDetectionActivated' }])
    },
  )

  it('TIMELINE-A7: commands, refused messages and sessions stand between', async () => {
    const station = await bootStation(house.ocppUrl, 'CP-MIXED', 'ocpp1.6', { answer: { status: 'Accepted' } })
    await house.request('POST', '/2/evse-controllers/CP-MIXED/commands', {
      method: 'ClearCache',
      request: {},
      wait: 10,
    })
    await station.call('NoSuchAction', {})
    await station.ask('StartTransaction', startOf())
    const all = await timeline(house, 'CP-MIXED')
    expect(kinds(all)).toEqual(['session', 'command', 'command', 'booted', 'connected'])
    expect(all.slice(0, 3)).toMatchObject([
      { state: expect.any(String), connectorId: 1 },
      { method: 'NoSuchAction', direction: 'in', status: 'error' },
      { method: 'ClearCache', direction: 'out', status: 'success' },
    ])
    expect(await timeline(house, 'CP-MIXED', '?to=2026-01-01T00:00:00Z')).toEqual([])
  })

  it.each(['?kind=status', '?from=yesterday', '?limit=0', '?cursor=abc'])(
    'TIMELINE-A7: %s is refused',
    async (query) => {
      await house.request('POST', '/2/evse-controllers', { id: 'CP-BAD' })
      const { status } = await house.request('GET', `/2/evse-controllers/CP-BAD/timeline${query}`)
      expect(status).toBe(400)
    },
  )

  it('TIMELINE-A3: a station that flaps fills nothing: the newest entry counts the rest', async () => {
    for (let round = 0; round < 64; round++) {
      const station = await connectStation(house.ocppUrl, 'CP-FLAP', 'ocpp1.6')
      await station.close()
    }
    const ended = async () =>
      (await timeline(house, 'CP-FLAP', '?limit=500')).filter(({ kind }) => kind === 'disconnected')
    await until(async () => (await ended())[0]?.count === 5)
    expect(await ended()).toHaveLength(60)
    expect(await events(house, 'charge-point.connected', 'CP-FLAP')).toHaveLength(60)
  })
})

describe('the end of the server', () => {
  let house: HouseProcess
  beforeAll(async () => {
    house = await spawnHouse()
  })
  afterAll(() => house.close())

  it('TIMELINE-A2: after a kill the next start writes the missing end; a stop writes it itself', async () => {
    await bootStation(house.ocppUrl, 'CP-KILL', 'ocpp1.6')
    await house.kill()
    await house.startAgain()
    expect((await timeline(house, 'CP-KILL'))[0]).toMatchObject({
      kind: 'disconnected',
      code: 1006,
      reason: 'the server ended without closing it',
    })
    await bootStation(house.ocppUrl, 'CP-KILL', 'ocpp1.6')
    expect(await house.terminate()).toBe(0)
    await house.startAgain()
    const all = await timeline(house, 'CP-KILL')
    expect(all[0]).toMatchObject({ kind: 'disconnected', code: 1012, reason: 'the server restarts' })
    expect(kinds(all)).toEqual(['disconnected', 'booted', 'connected', 'disconnected', 'booted', 'connected'])
  })
})
