/** What was ordered of a charge point and a killed server: it goes on waiting, and is sent at most once (OCPP-RP15). */
import { expect } from 'vitest'
import { type HouseProcess, type Json, until } from './house.ts'
import { acrossRestarts } from './restarts.ts'
import { booted16, bootStation, connectStation, type Frame, type Station } from './station.ts'

const it = acrossRestarts('SIGKILL')
const itEndsOrderly = acrossRestarts('SIGTERM')

async function command(house: HouseProcess, id: string, body: Json): Promise<Json> {
  const { status, body: row } = await house.request('POST', `/2/evse-controllers/${id}/commands`, body)
  expect([200, 202], JSON.stringify(row)).toContain(status)
  return row
}

const rowOf = async (house: HouseProcess, id: string, row: Json): Promise<Json> =>
  (await house.request('GET', `/2/evse-controllers/${id}/commands/${String(row.id)}`)).body

/** The server's CALLs that this station received. */
const calls = ({ frames }: Station): readonly Frame[] => frames.filter((frame) => frame[0] === 2)

/** A station that booted and has gone. */
async function away(house: HouseProcess, id: string, password?: string): Promise<void> {
  const station = await booted16(house.ocppUrl, id, { password })
  await station.close()
}

it('OCPP-RP15: a command for a charge point that is away survives kill -9 and is delivered once', async function* (house) {
  await away(house, 'AWAY')
  const row = await command(house, 'AWAY', { method: 'ChangeConfiguration', request: { key: 'K', value: 'V' } })
  expect(row).toMatchObject({ status: 'pending' })
  yield
  expect(await rowOf(house, 'AWAY', row)).toMatchObject({ status: 'pending' })
  const station = await booted16(house.ocppUrl, 'AWAY', { answer: { status: 'Accepted' } })
  await until(async () => (await rowOf(house, 'AWAY', row)).status === 'success')
  await station.close()
  yield
  const again = await booted16(house.ocppUrl, 'AWAY', { answer: { status: 'Accepted' } })
  await command(house, 'AWAY', { method: 'ClearCache', request: {}, wait: 30 })
  expect(calls(station).map(([, id, method]) => [id, method])).toEqual([[row.messageId, 'ChangeConfiguration']])
  expect(calls(again).map(([, , method]) => method)).toEqual(['ClearCache'])
})

it('OCPP-RP9, OCPP-RP15: a remote start that was sent when the server was killed is not sent again', async function* (house) {
  const station = await booted16(house.ocppUrl, 'SENT', { silent: true })
  const order = { evseControllerId: 'SENT', connectorId: 1, ttl: 60 }
  const { status, body: session } = await house.request('POST', '/2/sessions', order)
  expect(status).toBe(202)
  await until(() => calls(station).length === 1)
  yield
  const again = await booted16(house.ocppUrl, 'SENT', { answer: { status: 'Accepted' } })
  await command(house, 'SENT', { method: 'ClearCache', request: {}, wait: 30 })
  expect(calls(again).map(([, , method]) => method)).toEqual(['ClearCache'])
  const [start] = await house.rows('SENT', { method: ['RemoteStartTransaction'] })
  expect(start).toMatchObject({ status: 'dropped' })
  // SESSION-S4: the station may have understood it; only the deadline ends the wait.
  const [, , , request] = calls(station)[0] ?? []
  const { idTag } = request as Json
  await again.ask('StartTransaction', { connectorId: 1, idTag, meterStart: 0, timestamp: new Date().toISOString() })
  expect(await house.session(String(session.id))).toMatchObject({ state: 'charging' })
})

it('OCPP-AU6, OCPP-RP16: a password whose command waited over a restart is the only one once it was taken', async function* (house) {
  const registered = await house.request('POST', '/2/evse-controllers', { id: 'LOCKED', password: 'the-old-password' })
  expect(registered.status).toBe(201)
  await away(house, 'LOCKED', 'the-old-password')
  const value = '30313233343536373839414243444546'
  const change = { method: 'ChangeConfiguration', request: { key: 'AuthorizationKey', value } }
  const row = await command(house, 'LOCKED', change)
  yield
  const station = await bootStation(house.ocppUrl, 'LOCKED', 'ocpp1.6', {
    password: 'the-old-password',
    answer: { status: 'Accepted' },
  })
  await until(async () => (await rowOf(house, 'LOCKED', row)).status === 'success')
  expect(calls(station)[0]?.[3]).toEqual(change.request)
  await station.close()
  const connect = (password: string) => connectStation(house.ocppUrl, 'LOCKED', 'ocpp1.6', { password })
  const fresh = await connect(value)
  await fresh.close()
  await expect(connect('the-old-password')).rejects.toMatchObject({ status: 401 })
})

// Behind the others: its second must not be over before the server is killed.
it('SESSION-O5: a command that expired while the server was down is dropped, though its charge point never returns', async function* (house) {
  await away(house, 'GONE')
  const row = await command(house, 'GONE', { method: 'ClearCache', request: {}, ttl: 1 })
  yield
  await until(async () => (await rowOf(house, 'GONE', row)).status === 'dropped')
  const station = await booted16(house.ocppUrl, 'GONE', { answer: {} })
  await command(house, 'GONE', { method: 'GetConfiguration', request: {}, wait: 30 })
  expect(calls(station).map(([, , method]) => method)).toEqual(['GetConfiguration'])
})

itEndsOrderly('OCPP-RP15: a planned stop keeps what waits as well, and drops what is open', async function* (house) {
  const station = await booted16(house.ocppUrl, 'PLANNED', { silent: true })
  const open = await command(house, 'PLANNED', { method: 'ClearCache', request: {} })
  const waiting = await command(house, 'PLANNED', { method: 'GetConfiguration', request: {} })
  await until(() => calls(station).length === 1)
  yield
  expect(await rowOf(house, 'PLANNED', open)).toMatchObject({ status: 'dropped' })
  expect(await rowOf(house, 'PLANNED', waiting)).toMatchObject({ status: 'pending' })
  const again = await booted16(house.ocppUrl, 'PLANNED', { answer: { configurationKey: [] } })
  await until(async () => (await rowOf(house, 'PLANNED', waiting)).status === 'success')
  expect(calls(again).map(([, , method]) => method)).toEqual(['GetConfiguration'])
})
