/** OCPP-LG5 from outside: what the wire carries whole is nowhere in what the server keeps or shows. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { houseOfFile, until } from './house.ts'
import { booted16, booted201, type Frame } from './station.ts'

const PASSWORD = 'hunter2-in-a-url'
const LOCATION = `ftp://station:${PASSWORD}@logs.example:2121/upload?a=b`
const HIDDEN = 'ftp://station:***@logs.example:2121/upload?a=b'

const house = await houseOfFile()

async function exported(id: string): Promise<string> {
  const answer = await fetch(`${house.url}/2/evse-controllers/${id}/commands/search`, {
    method: 'POST',
    headers: { authorization: `Bearer ${house.credential}`, 'content-type': 'application/json' },
    body: JSON.stringify({ from: '2020-01-01T00:00:00Z', format: 'csv' }),
  })
  return answer.text()
}

const firmware = {
  location: LOCATION,
  retrieveDateTime: '2026-11-21T12:00:00Z',
  signingCertificate: 'x',
  signature: 'x',
}

it.each<[string, typeof booted16, Record<string, unknown>]>([
  ['GetDiagnostics', booted16, { location: LOCATION }],
  ['UpdateFirmware', booted201, { requestId: 1, firmware }],
])(
  'OCPP-LG5: the password in the location of %s reaches the station and nobody else',
  async (method, boot, request) => {
    const id = `${method}-${boot.name}`
    const station = await boot(house.ocppUrl, id, { silent: true })
    const wire = (): Frame | undefined => station.frames.find((frame) => frame[0] === 2 && frame[2] === method)
    const path = `/2/evse-controllers/${id}/commands`
    const sent = await house.request('POST', path, { method, request })
    expect(sent.status).toBe(202)
    await until(() => wire() !== undefined)
    expect(wire()?.[3]).toEqual(request)
    // Some stations repeat what they could not do.
    station.send(JSON.stringify([4, wire()?.[1], 'GenericError', `no ${LOCATION}`, { at: LOCATION }]))
    const commandPath = `${path}/${String(sent.body.id)}`
    await until(async () => (await house.request('GET', commandPath)).body.status === 'error')
    expect((await house.request('GET', commandPath)).body).toMatchObject({
      request: JSON.parse(JSON.stringify(request).replace(LOCATION, HIDDEN)),
      error: { description: `no ${HIDDEN}`, details: { at: HIDDEN } },
    })
    const csv = await exported(id)
    expect(csv).toContain(method)
    expect(sent.text + JSON.stringify(await house.rows(id)) + csv).not.toContain(PASSWORD)
  },
)

it('OCPP-LG5: what a station says itself is masked, also where it is no message', async () => {
  const station = await booted16(house.ocppUrl, 'TALKER')
  await station.call('DataTransfer', { vendorId: 'v', data: `upload to ${LOCATION} failed` })
  station.send(`[3,"1",{"configurationKey":[{"key":"AuthorizationKey","readonly":false,"value":"${PASSWORD}"},{"key`)
  await until(async () => (await house.rows('TALKER', { method: 'Malformed' })).length === 1)
  const rows = JSON.stringify(await house.rows('TALKER'))
  expect(rows).toContain(`upload to ${HIDDEN} failed`)
  expect(rows).toContain('AuthorizationKey')
  expect(rows).not.toContain(PASSWORD)
})

it('OCPP-LG5: none of it is in the database file either', () => {
  for (const file of [house.database, `${house.database}-wal`]) {
    expect(readFileSync(file).includes(PASSWORD)).toBe(false)
  }
})
