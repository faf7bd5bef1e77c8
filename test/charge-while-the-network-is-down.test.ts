/** docs/charge-while-the-network-is-down.md and local lists of both versions, on the whole server. */

import { afterAll, beforeAll, expect, it } from 'vitest'
import { commandsOf, runFor } from './documents.ts'
import { type House, type Json, openHouse, until } from './house.ts'
import { Listing } from './listing.ts'
import { acrossRestarts } from './restarts.ts'
import { BOOT_16, bootStation, connectStation, type Station } from './station.ts'

const commands = commandsOf('docs/charge-while-the-network-is-down.md')

let house: House
const [north, south, small] = [new Listing(), new Listing(), new Listing()]
const stations: Station[] = []
const status = async (name = 'drivers'): Promise<Json> =>
  (await house.request('GET', `/2/local-lists/${name}/status`)).body

beforeAll(async () => {
  house = await openHouse()
  const first = await bootStation(house.ocppUrl, 'NORTH-1', 'ocpp1.6', north)
  const second = await bootStation(house.ocppUrl, 'SOUTH-1', 'ocpp2.0.1', south)
  stations.push(first, second)
  await house.request('POST', '/2/id-tokens', { id: '04A2B3C4' })
  const csv = ['id,status', ...Array.from({ length: 44 }, (_, n) => `CARD-${n},Accepted`)].join('\n')
  expect((await house.request('POST', '/2/id-token-imports', { csv })).body).toMatchObject({ created: 44 })
  await house.request('POST', '/2/id-tokens', { id: '1234', type: 'KeyCode' })
  await house.request('POST', '/2/id-tokens', { id: 'DE-8AA-LONGER-THAN-TWENTY' })
})
afterAll(async () => {
  for (const station of stations) await station.close()
  await house.closeClean()
})

const run = (command?: string) => runFor(house, command)

it('LIST-A1, LIST-A3, TC_D_01, TC_D_09, TC_043_4, D01.FR.18: docs: the whole list goes out in parts, the first one Full', async () => {
  expect(commands).toHaveLength(4)
  expect(JSON.parse(await run(commands[0]))).toMatchObject({ name: 'drivers', tokens: 'all' })
  await until(async () => JSON.stringify((await status()).counts) === '{"applied":2}')
  expect(north.updates).toEqual(['version? 0', 'Full 20', 'Differential 20', 'Differential 5'])
  expect(south.updates).toEqual(['version? 0', 'Full 20', 'Differential 20', 'Differential 6'])
  expect([north.version, north.cards.size, south.cards.size]).toEqual([3, 45, 46])
  expect(north.cards.has('1234') || south.cards.has('1234')).toBe(false)
  expect(south.cards.get('DE-8AA-LONGER-THAN-TWENTY')).toBe('Accepted')
  expect(JSON.parse(await run(commands[1]))).toMatchObject({ data: [{ state: 'applied' }, { state: 'applied' }] })
})

it('LIST-A4, D01.FR.17, TC_D_02, TC_D_03, TC_043_5: docs: what changes of a card is sent by itself, and nothing else', async () => {
  north.updates.length = 0
  await run(commands[2])
  await until(() => north.cards.get('04A2B3C4') === 'Blocked' && south.cards.get('04A2B3C4') === 'Blocked')
  expect(north.updates).toEqual(['Differential 1'])
  await house.request('DELETE', '/2/id-tokens/CARD-7')
  await until(() => !north.cards.has('CARD-7') && !south.cards.has('CARD-7'))
  await house.cli(['id-token', 'set', 'CARD-8', '--status', 'Blocked', '--json'])
  await until(() => north.cards.get('CARD-8') === 'Blocked')
  expect(north.updates).toEqual(['Differential 1', 'Differential 1', 'Differential 1'])
})

it('LIST-A5, LIST-A9, TC_D_08, D01.FR.03: docs: refused, the version is asked for and the whole list follows', async () => {
  south.updates.length = 0
  south.version = 90
  south.answers.push('VersionMismatch')
  await house.request('PATCH', '/2/id-tokens/CARD-1', { status: 'Blocked' })
  await until(() => south.cards.get('CARD-1') === 'Blocked' && south.version === 93)
  expect(south.updates).toEqual(['version? 90', 'Full 20', 'Differential 20', 'Differential 5'])
  await until(async () => JSON.stringify((await status()).counts) === '{"applied":2}')
  south.answers.push('Failed', 'Failed')
  await house.request('PATCH', '/2/id-tokens/CARD-2', { status: 'Blocked' })
  await until(async () => JSON.stringify((await status()).counts) === '{"rejected":1,"applied":1}')
  expect((await status()).data).toMatchObject([{ state: 'applied' }, { state: 'rejected', reason: 'Failed' }])
})

it('LIST-A6: docs: a charge point that lost its list at a boot gets it again', async () => {
  north.version = 0
  north.cards.clear()
  await stations[0]?.ask('BootNotification', BOOT_16)
  await until(() => north.cards.size === 44)
  await stations[0]?.ask('BootNotification', BOOT_16)
  await until(() => north.updates.at(-1)?.startsWith('version? ') === true)
  expect(north.updates.at(-1)).toBe(`version? ${north.version}`)
})

it('LIST-A8, LIST-A10: docs: a charge point of another list, and one that takes less, are named', async () => {
  const other = await house.request('PUT', '/2/local-lists/night', { selector: { ids: ['NORTH-1'] }, tokens: 'all' })
  expect([other.status, other.body.code]).toEqual([409, 'has_another_list'])
  expect(other.body.detail).toContain('NORTH-1 has the list drivers')
  const unknown = await house.request('PUT', '/2/local-lists/drivers', { selector: {}, tokens: { ids: ['NOBODY'] } })
  expect([unknown.status, unknown.body.code]).toEqual([422, 'unknown_id_token'])
  small.values = { LocalAuthListMaxLength: '10', SendLocalListMaxLength: '5' }
  const third = await connectStation(house.ocppUrl, 'SMALL-1', 'ocpp1.6', small)
  stations.push(third)
  await third.ask('BootNotification', BOOT_16)
  await house.request('POST', '/2/evse-controllers/SMALL-1/reports', { base: 'FullInventory' })
  const put = () => house.request('PUT', '/2/local-lists/drivers', { selector: {}, tokens: 'all' })
  await until(async () => (await put()).status === 422)
  expect((await put()).body).toMatchObject({ code: 'list_too_long', errors: [{ pointer: '/tokens' }] })
  expect((await put()).body.detail).toContain('SMALL-1 takes 10')
  const ids = ['CARD-3', 'CARD-4', 'CARD-5', 'CARD-6', '04A2B3C4', 'CARD-9']
  small.updates.length = 0
  const few = await house.request('PUT', '/2/local-lists/drivers', { selector: {}, tokens: { ids } })
  expect(few.status).toBe(200)
  await until(() => north.cards.size === 6 && small.cards.size === 6)
})

it('LIST-A2, TC_D_04, D01.FR.04: docs: a list that was deleted is emptied at the charge points', async () => {
  expect(await run(commands[3])).toBe('')
  await until(() => north.cards.size === 0 && small.cards.size === 0)
  expect((await house.request('GET', '/2/local-lists/drivers')).status).toBe(404)
  for (const body of [{}, { selector: {} }, { selector: {}, tokens: 'some' }, { selector: {}, tokens: { ids: [] } }]) {
    expect((await house.request('PUT', '/2/local-lists/x', body)).status).toBe(400)
  }
})

acrossRestarts('SIGKILL')(
  'LIST-A2: what a charge point is to have survives SIGKILL, and is sent when it connects',
  async function* (house) {
    await house.request('POST', '/2/evse-controllers', { id: 'AWAY', password: 'sixteen-letters!' })
    await house.request('POST', '/2/id-tokens', { id: 'CARD' })
    expect((await house.request('PUT', '/2/local-lists/all', { selector: {}, tokens: 'all' })).status).toBe(201)
    yield
    const away = new Listing()
    const options = { ...away, respond: away.respond, password: 'sixteen-letters!' }
    await bootStation(house.ocppUrl, 'AWAY', 'ocpp1.6', options)
    await until(() => away.cards.get('CARD') === 'Accepted')
  },
)
