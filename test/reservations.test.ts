/** Reservations of both versions on the whole server: what is stored after each case of H01 to H04. */
import { describe, expect, it } from 'vitest'
import { houseOfFile, type Json, until } from './house.ts'
import { BOOT_16, BOOT_201, connectStation, eventOf, type Station, startOf } from './station.ts'

const stations: Station[] = []
/** What the charge points answer. */
let status = 'Accepted'

const house = await houseOfFile()
const respond = (method: string): Json | undefined =>
  method === 'GetConfiguration'
    ? { configurationKey: [{ key: 'ReserveConnectorZeroSupported', readonly: true, value: 'true' }] }
    : { status }
for (const [id, protocol, boot] of [
  ['OLD', 'ocpp1.6', BOOT_16],
  ['NEW', 'ocpp2.0.1', BOOT_201],
] as const) {
  const station = await connectStation(house.ocppUrl, id, protocol, { respond })
  await station.ask('BootNotification', boot)
  stations.push(station)
}

const soon = (): string => new Date(Date.now() + 600_000).toISOString()
const reserve = async (body: Json) => house.request('POST', '/2/reservations', { expiresAt: soon(), ...body })
const stateOf = async (id: unknown): Promise<unknown> =>
  (await house.request('GET', `/2/reservations/${id}`)).body.state

describe.each([
  ['OLD', 0],
  ['NEW', 1],
] as const)('reservations of %s', (id, at) => {
  const place = at === 0 ? { connectorId: 1 } : { evseId: 1 }
  const station = (): Station => stations[at] as Station
  const active = async (idToken: string): Promise<Json> => {
    const answer = await reserve({ evseControllerId: id, ...place, idToken })
    expect([answer.status, answer.body.evseControllerId]).toEqual([202, id])
    await until(async () => (await stateOf(answer.body.id)) === 'active')
    return answer.body
  }

  it('RESERVATION-A1, RESERVATION-A3, TC_H_01, TC_046: it is active, and used by the start that names it', async () => {
    const { id: reservation, reservationId } = await active('CARD-A')
    const sent = station().requests('ReserveNow').at(-1)
    expect(sent?.id ?? sent?.reservationId).toBe(reservationId)
    const idToken = { idToken: 'CARD-A', type: 'ISO14443' }
    if (at === 0) await station().ask('StartTransaction', startOf({ idTag: 'CARD-A', reservationId }))
    else await station().ask('TransactionEvent', eventOf('Started', 0, { reservationId, idToken }))
    const shown = (await house.request('GET', `/2/reservations/${reservation}`)).body
    expect(shown).toMatchObject({ state: 'used', idToken: 'CARD-A', evseControllerId: id, ...place })
    expect((await house.session(String(shown.sessionId))).evseControllerId).toBe(id)
    const { body } = await house.request('GET', `/2/evse-controllers/${id}/timeline?limit=200`)
    const entries = (body.data as Json[]).filter(({ kind }) => kind === 'reservation')
    expect(entries.map(({ state }) => state)).toEqual(['used', 'active', 'requested'])
    const events = (await house.request('GET', '/2/events?type=reservation.updated')).body.data as { data: Json }[]
    const ofThis = events.filter(({ data }) => data.id === reservation)
    expect(ofThis.map(({ data }) => data.state)).toEqual(['requested', 'active', 'used'])
  })

  it('RESERVATION-A1, TC_H_17, TC_051: taken back, it is cancelled when the charge point has said so', async () => {
    const { id: reservation, reservationId } = await active('CARD-B')
    const cancelled = await house.request('DELETE', `/2/reservations/${reservation}`)
    expect(cancelled.status).toBe(202)
    await until(async () => (await stateOf(reservation)) === 'cancelled')
    expect(station().requests('CancelReservation').at(-1)).toEqual({ reservationId })
    const again = await house.request('DELETE', `/2/reservations/${reservation}`)
    expect([again.status, again.body.code]).toEqual([409, 'reservation_over'])
  })

  it('RESERVATION-A1, TC_H_22, TC_048: one that the charge point refuses is rejected, with its word', async () => {
    status = 'Occupied'
    const { body } = await reserve({ evseControllerId: id, ...place, idToken: 'CARD-C' })
    await until(async () => (await stateOf(body.id)) === 'rejected')
    status = 'Accepted'
    expect((await house.request('GET', `/2/reservations/${body.id}`)).body.reason).toBe('Occupied')
  })

  it('RESERVATION-A5, TC_H_20: what the charge point gives up is removed', async () => {
    const { id: reservation, reservationId } = await active('CARD-D')
    const timestamp = new Date().toISOString()
    if (at === 0) {
      const faulted = { connectorId: 1, errorCode: 'GroundFailure', status: 'Faulted', timestamp }
      await station().ask('StatusNotification', faulted)
    } else await station().ask('ReservationStatusUpdate', { reservationId, reservationUpdateStatus: 'Removed' })
    expect(await stateOf(reservation)).toBe('removed')
  })

  it('RESERVATION-A2: what cannot be asked is refused, and nothing is sent', async () => {
    const sent = (): number => station().frames.filter(([, , name]) => name === 'ReserveNow').length
    const before = sent()
    for (const [body, code] of [
      [{ idToken: 'X' }, 'place_required'],
      [{ ...place, idToken: 'X', expiresAt: '2020-01-01T00:00:00Z' }, 'invalid_reservation'],
      [{ evseId: 1, connectorId: 1, idToken: 'A'.repeat(36) }, 'invalid_reservation'],
    ] as const) {
      const refused = await reserve({ evseControllerId: id, ...body })
      expect([refused.status, refused.body.code]).toEqual([422, code])
    }
    expect((await reserve({ evseControllerId: id, ...place })).status).toBe(400)
    expect((await reserve({ evseControllerId: 'NOBODY', ...place, idToken: 'X' })).status).toBe(404)
    expect(sent()).toBe(before)
  })
})

it('RESERVATION-A2, TC_H_08, TC_049: any place is kept where the charge point says so', async () => {
  await house.request('POST', '/2/evse-controllers/OLD/reports', { base: 'FullInventory' })
  await until(async () => (await reserve({ evseControllerId: 'OLD', idToken: 'ANY' })).status === 202)
  await until(() => (stations[0] as Station).requests('ReserveNow').at(-1)?.connectorId === 0)
})

it('RESERVATION-A1: within a minute after its connection was lost a reservation was begun that nobody could keep', async () => {
  const gone = await connectStation(house.ocppUrl, 'GONE', 'ocpp1.6', { respond })
  await gone.ask('BootNotification', BOOT_16)
  const place = { evseControllerId: 'GONE', connectorId: 1, idToken: 'X' }
  expect((await reserve(place)).status).toBe(202)
  await gone.close()
  const start = async (): Promise<unknown> =>
    (await house.request('POST', '/2/sessions', { evseControllerId: 'GONE', connectorId: 1 })).body.code
  await until(async () => (await start()) === 'charge_point_offline')
  const refused = await reserve(place)
  expect([refused.status, refused.body.code]).toEqual([409, 'charge_point_offline'])
})
