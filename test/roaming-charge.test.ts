/** A roaming charge as a provider and a driver see it: both simulated, the server real. */
import { afterAll, expect, it } from 'vitest'
import { ChargePoint } from '../simulator/index.ts'
import { createPartner, type SentCommand } from '../simulator/partner/partner.ts'
import { roamingHouse } from './roaming-house.ts'

const { house, invite } = await roamingHouse()
const partner = await createPartner()
const station = await ChargePoint.connect({ url: house.ocppUrl, id: 'CP', ocpp: '1.6', speed: 60 })
afterAll(() => Promise.all([station.close(), partner.close()]))

const connector = { connectorId: '1', standard: 'IEC_62196_T2', format: 'SOCKET', powerType: 'AC_3_PHASE' }
const evse = { uid: 'e1', evseId: 'DE*PWR*E1', evseControllerId: 'CP' }
const PLACE = {
  publish: true,
  address: 'Main Street 1',
  city: 'Hannover',
  country: 'DEU',
  coordinates: { latitude: 52.3759, longitude: 9.732 },
  timeZone: 'Europe/Berlin',
  evses: [{ ...evse, connectors: [{ ...connector, maxVoltage: 230, maxAmperage: 32 }] }],
}

it('OCPI-A4, OCPI-A5: an app starts a charge, sees its energy, stops it and is billed what the meter counted', async () => {
  await house.request('POST', '/2/tariffs', { currency: 'EUR', perKwh: 0.5 })
  await station.boot()
  expect((await house.request('PUT', '/2/locations/depot', PLACE)).status).toBe(201)
  const { versionsUrl, token = '' } = await invite()
  await partner.register(versionsUrl, token)
  expect(await partner.pull('locations')).toMatchObject([{ id: 'depot', evses: [{ uid: 'e1', status: 'AVAILABLE' }] }])
  expect((await partner.pushToken({ uid: 'SIM-APP-1', type: 'APP_USER' })).statusCode).toBe(1000)

  const done = async (sent: SentCommand) => [sent.response, await partner.resultOf(sent)]
  const started = await partner.start({ location_id: 'depot', evse_uid: 'e1', authorization_reference: 'ref-1' })
  expect(await done(started)).toEqual(['ACCEPTED', 'ACCEPTED'])
  const session = (of: (one: Record<string, unknown>) => boolean) =>
    partner.until(() => partner.objects('sessions').find(of))
  const running = await session(({ status, kwh }) => status === 'ACTIVE' && Number(kwh) > 0)
  expect(running).toMatchObject({ authorization_reference: 'ref-1', cdr_token: { uid: 'SIM-APP-1' } })
  expect(await done(await partner.stop(String(running?.id)))).toEqual(['ACCEPTED', 'ACCEPTED'])

  const ended = await session(({ status }) => status === 'COMPLETED')
  const cdr = await partner.until(() => partner.objects('cdrs')[0])
  const energy = Number(cdr?.total_energy)
  expect(energy).toBeGreaterThan(0)
  expect(cdr).toMatchObject({
    session_id: running?.id,
    auth_method: 'COMMAND',
    authorization_reference: 'ref-1',
    cdr_location: { evse_id: 'DE*PWR*E1' },
    total_cost: { before_taxes: Math.round(energy * 50) / 100 },
  })
  expect(ended).toMatchObject({ kwh: energy, total_cost: cdr?.total_cost })
  const { body } = await house.request('GET', `/2/sessions/${String(running?.id)}`)
  expect(body).toMatchObject({ state: 'completed', energyKwh: energy })
  expect((await partner.pull('cdrs')).map(({ id }) => id)).toEqual([cdr?.id])
})
