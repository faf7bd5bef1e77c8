/** A service of the operator that knows VAT numbers, and what charge points are answered. */
import type { ServerResponse } from 'node:http'
import { afterAll, afterEach, expect, it } from 'vitest'
import { faultsOf } from '../src/ocpp/schema/validators.ts'
import { sign } from '../src/webhooks/sending/signature.ts'
import { type House, type Json, openHouse, until } from './house.ts'
import { BOOT_201, connectStation, type Frame, type Station } from './station.ts'
import { startReceiver } from './support/webhooks/receiver.ts'

const SECRET = 'a secret of the operator and of the service'
const COMPANY = { name: 'Example Ltd', address1: 'Main Street 1', city: 'Berlin', country: 'Germany' }

const says =
  (status: number, text: string, headers = {}) =>
  (response: ServerResponse) =>
    void response.writeHead(status, headers).end(text)

const answers: Readonly<Record<string, (response: ServerResponse) => void>> = {
  DE01: says(200, JSON.stringify({ valid: true, company: COMPANY })),
  DE02: says(200, '{"valid":true}'),
  DE03: says(200, '{"valid":false}'),
  DE04: says(500, '{"valid":true}'),
  DE05: says(302, '{"valid":true}', { location: '/yes' }),
  DE06: says(200, '<html>what?</html>'),
  DE07: says(200, `{"valid":true,"more":"${'x'.repeat(100_000)}"}`),
  DE08: (response) => void response.destroy(),
  DE09: () => undefined,
}

const service = await startReceiver((response, { path, body }) => {
  const { vatNumber } = JSON.parse(body) as { readonly vatNumber: string }
  if (path === '/yes') says(200, '{"valid":true}')(response)
  else answers[vatNumber]?.(response)
})
afterAll(() => service.close())

const houses: House[] = []
const stations: Station[] = []
afterEach(async () => {
  for (const station of stations.splice(0)) await station.close()
  for (const house of houses.splice(0)) await house.closeClean()
})

async function open(url = service.url): Promise<House> {
  const house = await openHouse({
    PILOTWIRE_OCPP_VERSIONS: '1.6,2.0.1,2.1',
    PILOTWIRE_VAT_HOOK_URL: url,
    PILOTWIRE_VAT_HOOK_SECRET: SECRET,
  })
  houses.push(house)
  return house
}

async function connect(house: House, id: string): Promise<Station> {
  const station = await connectStation(house.ocppUrl, id, 'ocpp2.1')
  stations.push(station)
  await station.ask('BootNotification', BOOT_201)
  return station
}

async function validated(station: Station, vatNumber: string, more: Json = { evseId: 1 }): Promise<Json> {
  const answer = await station.ask('VatNumberValidation', { vatNumber, ...more })
  expect(faultsOf('ocpp2.1', 'VatNumberValidation', 'conf', answer)).toEqual([])
  return answer
}

const rejected = (reasonCode: string): Json => ({ status: 'Rejected', statusInfo: { reasonCode } })
const asked = (vatNumber: string) => service.received.filter(({ body }) => body.includes(`"${vatNumber}"`))
const rowsOf = async (house: House, id: string) =>
  (await house.rows(id)).filter(({ method }) => method === 'VatNumberValidation')

it('OCPP21-C8: the answer to a charge point is what the service says of the number', async () => {
  const house = await open()
  const station = await connect(house, 'CP1')
  const expected: Readonly<Record<string, Json>> = {
    DE01: { status: 'Accepted', company: COMPANY },
    DE02: { status: 'Accepted' },
    DE03: rejected('InvalidValue'),
    DE04: rejected('InternalError'),
    DE05: rejected('InternalError'),
    DE06: rejected('InternalError'),
    DE07: rejected('InternalError'),
    DE08: rejected('InternalError'),
  }
  for (const [vatNumber, answer] of Object.entries(expected)) {
    expect(await validated(station, vatNumber)).toEqual({ vatNumber, evseId: 1, ...answer })
    expect(asked(vatNumber), vatNumber).toHaveLength(1)
  }
  expect(service.received.map(({ path }) => path)).not.toContain('/yes')
  const { headers, body } = asked('DE01')[0] ?? { headers: {} as Readonly<Record<string, string>>, body: '' }
  expect(JSON.parse(body)).toEqual({ vatNumber: 'DE01', chargePointId: 'CP1', evseId: 1 })
  expect(headers['webhook-signature']).toBe(sign(SECRET, Number(headers['webhook-timestamp']), body))
  expect(headers['webhook-event']).toBe('vat-number.requested')
  const rows = await rowsOf(house, 'CP1')
  expect(rows.map(({ status, request }) => [status, (request as Json).vatNumber])).toEqual(
    Object.keys(expected)
      .reverse()
      .map((vatNumber) => ['success', vatNumber]),
  )
  expect(rows.at(-1)?.response).toEqual({ vatNumber: 'DE01', evseId: 1, ...expected.DE01 })

  // The form decides first; the same message again has the same answer, and nobody is asked.
  const before = service.received.length
  expect(await validated(station, '123', {})).toEqual({ vatNumber: '123', ...rejected('InvalidValue') })
  const repeated = { vatNumber: 'DE02', evseId: 7 }
  const first = await station.call('VatNumberValidation', repeated, 'twice')
  expect(await station.call('VatNumberValidation', repeated, 'twice')).toEqual(first)
  expect(service.received).toHaveLength(before + 1)
})

it('OCPP21-C8: where the service is down the number is refused at once', async () => {
  const gone = await startReceiver()
  await gone.close()
  const station = await connect(await open(gone.url), 'CP1')
  expect(await validated(station, 'DE01', {})).toEqual({ vatNumber: 'DE01', ...rejected('InternalError') })
})

it('OCPP21-C8: a service that says nothing is given ten seconds, in which others are served and the station has one open call', async () => {
  const house = await open()
  const [slow, other] = [await connect(house, 'SLOW'), await connect(house, 'OTHER')]
  const order: string[] = []
  const noted = (name: string) => (frame: Frame) => {
    order.push(name)
    return frame[2] as Json
  }
  const before = Date.now()
  const answered = slow.call('VatNumberValidation', { vatNumber: 'DE09', evseId: 2 }).then(noted('VatNumberValidation'))
  const behind = slow.call('Heartbeat', {}).then(noted('Heartbeat'))
  const next = slow.call('VatNumberValidation', { vatNumber: 'DE02' }).then(noted('the next'))
  await until(() => asked('DE09').length === 1)
  expect(await other.ask('Heartbeat', {})).toHaveProperty('currentTime')
  expect(await validated(other, 'DE01', {})).toMatchObject({ status: 'Accepted' })
  // An answer of the station to a call of ours does not wait.
  const command = { method: 'ClearCache', request: {} }
  expect((await house.request('POST', '/2/evse-controllers/SLOW/commands', command)).status).toBe(202)
  await until(async () => {
    const rows = await house.rows('SLOW')
    return rows.some(({ method, status }) => method === 'ClearCache' && status === 'error')
  })
  // It is in the log before it is answered.
  expect(await rowsOf(house, 'SLOW')).toMatchObject([{ status: 'dropped', request: { vatNumber: 'DE09', evseId: 2 } }])
  expect((await rowsOf(house, 'SLOW'))[0]).not.toHaveProperty('response')
  expect(order).toEqual([])
  expect(await answered).toEqual({ vatNumber: 'DE09', evseId: 2, ...rejected('InternalError') })
  expect(Date.now() - before).toBeGreaterThan(9000)
  expect(await behind).toHaveProperty('currentTime')
  expect(await next).toEqual({ vatNumber: 'DE02', status: 'Accepted' })
  expect(order).toEqual(['VatNumberValidation', 'Heartbeat', 'the next'])
  expect(await rowsOf(house, 'SLOW')).toMatchObject([{ status: 'success' }, { status: 'success' }])
})

it('OCPP21-C8: a station that reconnects meanwhile does not wait', async () => {
  const house = await open()
  const before = asked('DE09').length
  const left = await connectStation(house.ocppUrl, 'CP1', 'ocpp2.1')
  await left.ask('BootNotification', BOOT_201)
  left.call('VatNumberValidation', { vatNumber: 'DE09' }).catch(() => undefined)
  await until(() => asked('DE09').length > before)
  await left.close()
  const station = await connect(house, 'CP1')
  expect(await validated(station, 'DE02', {})).toMatchObject({ status: 'Accepted' })
})

it('OCPP21-C8, OCPP-CN6: a planned stop answers what waits', async () => {
  const house = await open()
  const station = await connect(house, 'CP1')
  const before = asked('DE09').length
  const answer = station.ask('VatNumberValidation', { vatNumber: 'DE09' })
  const next = station.ask('VatNumberValidation', { vatNumber: 'DE02' })
  await until(() => asked('DE09').length > before)
  houses.splice(0)
  const began = Date.now()
  await house.closeClean()
  expect(await answer).toEqual({ vatNumber: 'DE09', ...rejected('InternalError') })
  expect(await next).toEqual({ vatNumber: 'DE02', ...rejected('InternalError') })
  expect(Date.now() - began).toBeLessThan(9000)
})
