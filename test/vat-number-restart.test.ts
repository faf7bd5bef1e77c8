/** A server that is killed while a service of the operator is asked (OCPP21-C8). */
import { afterAll, expect } from 'vitest'
import { type Json, until } from './house.ts'
import { acrossRestarts } from './restarts.ts'
import { BOOT_201, connectStation } from './station.ts'
import { startReceiver } from './support/webhooks/receiver.ts'

const service = await startReceiver(() => undefined)
afterAll(() => service.close())

const it = acrossRestarts('SIGKILL', {
  PILOTWIRE_OCPP_VERSIONS: '1.6,2.0.1,2.1',
  PILOTWIRE_VAT_HOOK_URL: service.url,
  PILOTWIRE_VAT_HOOK_SECRET: 'a secret of the operator and of the service',
})

it('OCPP21-C8: what was not answered before a kill stays in the log as dropped, and the station asks again', async function* (house) {
  const rows = async () => (await house.rows('CP1')).filter(({ method }) => method === 'VatNumberValidation')
  const request = { vatNumber: 'DE123456789', evseId: 1 }
  const before = await connectStation(house.ocppUrl, 'CP1', 'ocpp2.1')
  await before.ask('BootNotification', BOOT_201)
  const lost = before.call('VatNumberValidation', request, 'v1').catch((error: Error) => error)
  await until(() => service.received.length === 1)
  yield
  expect(await lost).toBeInstanceOf(Error)
  expect(await rows()).toMatchObject([{ status: 'dropped', request }])
  service.respond = (response) => void response.writeHead(200).end('{"valid":true}')
  const after = await connectStation(house.ocppUrl, 'CP1', 'ocpp2.1')
  const answer: Json = { ...request, status: 'Accepted' }
  expect(await after.ask('VatNumberValidation', request, 'v1')).toEqual(answer)
  expect(await rows()).toMatchObject([{ status: 'success', response: answer }, { status: 'dropped' }])
  await after.close()
})
