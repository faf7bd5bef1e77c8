/** One thing ordered of many charge points, by the pages and the API of a running server, and what may go wrong. */
import { afterEach, expect, it } from 'vitest'
import { type House, type Json, openHouse } from './house.ts'
import { ADMIN, orderedOnPage, signedIn, WITH_ADMIN, words } from './operator.ts'
import { BOOT_16, booted16, booted201, type Station, type StationOptions } from './station.ts'
import type { Browser } from './support/oidc/browser.ts'

const OTTO = 'otto@example.com'
const ACCEPTS: StationOptions = { answer: { status: 'Accepted' } }

let house: House
const stations: Station[] = []
afterEach(async () => {
  for (const { socket } of stations.splice(0)) socket.terminate()
  await house.close()
  expect(house.errors).toEqual([])
})

async function open(environment = {}): Promise<Browser> {
  house = await openHouse({ ...WITH_ADMIN, ...environment })
  await asked('POST', '/2/users', { email: OTTO, role: 'operator', password: ADMIN.password })
  return signedIn(house, OTTO)
}

async function asked(method: string, path: string, body?: unknown): Promise<Json> {
  const answer = await house.request(method, path, body)
  if (answer.status >= 300) throw new Error(`${method} ${path} was answered ${answer.status}: ${answer.text}`)
  return answer.body
}

async function there(id: string, options: StationOptions = ACCEPTS): Promise<Station> {
  const station = await booted16(house.ocppUrl, id, options)
  stations.push(station)
  return station
}

async function fleet(count: number): Promise<readonly string[]> {
  const ids = Array.from({ length: count }, (_, at) => `LOG-${String(at).padStart(4, '0')}`)
  for (const id of ids) await there(id)
  return ids
}

const ticked = (ids: readonly string[]): string => ids.map((id) => `id=${encodeURIComponent(id)}`).join('&')
const orderAt = (path: string): Promise<Json> => asked('GET', path.replace('/dashboard/', '/2/'))
const rowOf = async (path: string, id: string): Promise<Json | undefined> =>
  ((await orderAt(path)).data as readonly Json[]).find(({ evseControllerId }) => evseControllerId === id)
const resets = ({ frames }: Station): number =>
  frames.filter(([kind, , method]) => kind === 2 && method === 'Reset').length

it('BULK-B10: what became of a bulk order is told in the words of each station, on its page and over the API', async () => {
  const otto = await open({ PILOTWIRE_OCPP_CALL_TIMEOUT: '2' })
  await there('KIND')
  const statusInfo = { reasonCode: 'NotNow', additionalInfo: '\u202eשלום 👩‍🔧 <b>busy</b>' }
  const firm = await booted201(house.ocppUrl, 'FIRM', { answer: { status: 'Rejected', statusInfo } })
  stations.push(firm, await booted16(house.ocppUrl, 'MUTE', { silent: true }))
  const path = await orderedOnPage(otto, `kind=reset&type=hard&${ticked(['KIND', 'FIRM', 'MUTE'])}`)
  await expect.poll(() => rowOf(path, 'MUTE')).toMatchObject({ state: 'failed', reason: 'no answer in 2 s' })
  const answer = 'Rejected: NotNow:  שלום 👩‍🔧 <b>busy</b>'
  await expect
    .poll(() => rowOf(path, 'FIRM'))
    .toMatchObject({ state: 'failed', answer, reason: `the charge point answered ${answer}` })
  await expect.poll(() => rowOf(path, 'KIND')).toMatchObject({ state: 'done', answer: 'Accepted' })
  await there('KIND')
  await expect.poll(() => rowOf(path, 'KIND')).toMatchObject({ backAfterSeconds: expect.any(Number) })
  const english = await (await otto.get(path)).text()
  expect(words(english)).toMatch(/Accepted, back after \d+ (?:s|min)/)
  expect(words(english)).toContain('no answer in 2 s')
  expect(english).toContain('<bdi>Rejected: NotNow:  שלום 👩‍🔧 &lt;b&gt;busy&lt;/b&gt;</bdi>')
  const german = words(await (await otto.get(`${path}?ui_locales=de`)).text())
  expect(german).toMatch(/Accepted, nach \d+ (?:s|min) zurück/)
  expect(german).toContain('keine Antwort in 2 s')
})

it('BULK-B5: two operators who reset the same 59 at once: the second waits until each is back', async () => {
  const otto = await open()
  const ada = await signedIn(house)
  const ids = await fleet(59)
  const query = `kind=reset&type=hard&${ticked(ids)}`
  const paths = await Promise.all([otto, ada].map((browser) => orderedOnPage(browser, query)))
  const counts = async () => (await Promise.all(paths.map(orderAt))).map((order) => order.counts as Json)
  const sum = async (state: string): Promise<number> =>
    (await counts()).reduce((all, one) => all + Number(one[state] ?? 0), 0)
  await expect.poll(() => sum('done')).toBe(59)
  expect(await sum('waiting')).toBe(59)
  expect(stations.map(resets)).toEqual(ids.map(() => 1))
  await Promise.all(stations.map((station) => station.ask('BootNotification', BOOT_16)))
  await expect.poll(() => sum('done')).toBe(118)
  expect(stations.map(resets)).toEqual(ids.map(() => 2))
})

it('BULK-B2: ids and values of 255 characters, of any script, are ordered and shown as they are', async () => {
  const otto = await open()
  const name = `${'n'.repeat(190)}שלום👩‍🔧`
  const value = `${'v'.repeat(240)}مرحبا👩‍🔧`
  await asked('POST', '/2/evse-controllers', { id: 'LONG', name })
  const ids = ['LONG', '👩‍🔧'.repeat(20), 'x'.repeat(255), '<b>"']
  const path = await orderedOnPage(otto, `kind=label&key=note&value=${encodeURIComponent(value)}&${ticked(ids)}`)
  await expect.poll(() => orderAt(path)).toMatchObject({ state: 'done', counts: { done: 1, refused: 3 } })
  expect((await asked('GET', '/2/evse-controllers/LONG')).labels).toEqual({ note: value })
  const html = await (await otto.get(path)).text()
  expect(html).toContain('👩‍🔧'.repeat(20))
  expect(html).not.toContain('<b>"')
  const tooLong = { ids: ['x'.repeat(256)], order: { kind: 'reset', type: 'soft' } }
  expect((await house.request('POST', '/2/bulk-orders', tooLong)).status).toBe(400)
})
