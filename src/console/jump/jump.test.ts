import { expect, it } from 'vitest'
import { operatorsOfTest } from '../../../test/support/console/testing.ts'
import { aSession, aTransaction } from '../../../test/support/storage-contract/records.ts'
import { keepPreference, preferencesOf } from '../../application/users/preferences.ts'
import { logIdAt } from '../../domain/message-log/log-id.ts'
import type { User } from '../../domain/ports/storage-records.ts'
import { RECENT, recentOf, withOpened } from './jump.tsx'

const SESSION = '019a0001-0000-7000-8000-00000000000a'
const MANY = 12

const sent: unknown[] = []
const { place } = await operatorsOfTest({
  sendCommand: async (command) => {
    sent.push(command)
    return { refused: true, status: 409, code: 'charge_point_offline', detail: 'It is away.' } as never
  },
})
const { writes, core } = place
const createdAt = place.now()
const station = { registrationStatus: 'Accepted' as const, securityProfile: 0 as const, createdAt }
for (let n = 1; n <= MANY; n++) await writes.createChargePoint({ ...station, id: `LOG-${n}`, accountId: 'A' })
await writes.updateChargePoint('A', 'LOG-2', { name: 'Lobby <b>', labels: { site: 'North' } })
await writes.createIdToken({ accountId: 'A', id: 'CARD-7', type: 'ISO14443', status: 'Accepted', createdAt })
const results = await core.commit([
  {
    chargePointId: 'LOG-2',
    status: { protocol: 'ocpp1.6', serialNumber: 'SN-77', bootedAt: createdAt },
    connectors: [1, 2].map((connectorId) => ({ connectorId, status: 'Available', updatedAt: createdAt })),
    sessions: [aSession({ id: SESSION, chargePointId: 'LOG-2', transactionId: '4711' })],
    transactions: [aTransaction({ chargePointId: 'LOG-2', transactionId: '4711', sessionId: SESSION })],
  },
])
for (const result of results) if (!result.ok) throw result.error

const jumpOf = async (user: User, asked: Record<string, string> | string): Promise<Response> =>
  (await place.signedIn(user)).get(`/dashboard/jump?${typeof asked === 'string' ? asked : new URLSearchParams(asked)}`)
const leadsTo = async (user: User, q: string) => (await jumpOf(user, { q })).headers.get('location')
const pageOf = async (user: User, asked: Record<string, string> | string): Promise<string> => {
  const answer = await jumpOf(user, asked)
  expect([asked, answer.status]).toEqual([asked, 200])
  const html = await answer.text()
  return /<main.*<\/main>/s.exec(html)?.[0] ?? ''
}
const linksOf = (html: string): readonly (string | undefined)[] =>
  [...html.matchAll(/href="\/dashboard([^"]*)"/g)].map(([, to]) => to?.replaceAll('&amp;', '&'))

it.each([
  ['LOG-1', '/charge-points/LOG-1'],
  [' LOG-2 ', '/charge-points/LOG-2'],
  [SESSION, `/charging-sessions/${SESSION}`],
  ['CARD-7', '/id-tokens/CARD-7'],
  ['card-7', '/id-tokens/CARD-7'],
  ['4711', `/charging-sessions/${SESSION}`],
  ['North', '/sites/North'],
])('CONSOLE-J1: what is named exactly: “%s” is gone to at once', async (q, path) => {
  expect(await leadsTo(place.bob, q)).toBe(`/dashboard${path}`)
})

it('CONSOLE-J1: what is named exactly: is not found by another account, and not asked by a member', async () => {
  for (const q of ['LOG-1', SESSION, 'CARD-7', '4711', 'Lobby', 'site:North']) {
    expect(linksOf(await pageOf(place.eve, { q }))).toEqual([])
  }
  expect((await jumpOf(place.eve, { station: 'LOG-1' })).status).toBe(404)
  expect((await jumpOf(place.mia, { q: 'LOG-1' })).status).toBe(403)
})

it.each([
  ['lobby', ['/jump?station=LOG-2']],
  ['sn-7', ['/jump?station=LOG-2']],
  ['019A0001', [`/jump?session=${SESSION}`]],
  ['ard-7', ['/jump?card=CARD-7']],
  ['site:North', ['/charge-points?label=site%3ANorth']],
  ['site:South', []],
  ['nort', ['/jump?station=CP1', '/jump?site=North']],
  ['Ladevorgänge', ['/charging-sessions']],
  ['sessions', ['/charging-sessions']],
  ['webhook', []],
])('CONSOLE-J2: what is like it: “%s” leads on', async (q, links) => {
  expect(linksOf(await pageOf(place.bob, { q }))).toEqual(links)
})

it('CONSOLE-J2: what is like it: one that was refused because nobody registered it was called nothing', async () => {
  const id = logIdAt(place.now())
  const why = { reason: 'unknown', detail: 'Nobody registered it.', count: 1, lastAt: undefined }
  for (const [at, station] of ['Neu 1', 'neu 1', 'Neu 1'].entries()) {
    const put = { accountId: 'A', id: id + at, station, at: place.now(), ...why }
    await place.core.commit([{ chargePointId: station, records: [{ kind: 'refused_connections', put }] }])
  }
  const add = ['Neu 1', 'neu 1'].map((station) => `/new-charge-point?${new URLSearchParams({ id: station })}`)
  expect(linksOf(await pageOf(place.ada, { q: 'NEU 1' })).toSorted()).toEqual(add)
  for (const user of [place.eve, place.bob]) expect(linksOf(await pageOf(user, { q: 'Neu 1' }))).toEqual([])
})

it('CONSOLE-J2: what is like it: pages are those that the role may see', async () => {
  expect(linksOf(await pageOf(place.ada, { q: 'webhook' }))).toEqual(['/webhooks'])
})

it('CONSOLE-J2: what is like it: at most ten of a group, and the way to all of them', async () => {
  const links = linksOf(await pageOf(place.bob, { q: 'log-' }))
  expect(links).toHaveLength(11)
  expect(links.at(-1)).toBe('/charge-points?q=log-')
})

it('CONSOLE-J2: what is like it: whatever is asked is inert, and nothing is found that cannot be', async () => {
  expect(await pageOf(place.ada, { q: 'lobby' })).toContain('Lobby &lt;b&gt;')
  for (const q of ['<script>alert(1)</script>', 'x'.repeat(255), '\u05d0\u05d1', '%', "'--", 'a:b:c', '__']) {
    const html = await pageOf(place.ada, { q })
    expect(html).not.toContain('<script')
    expect(linksOf(html)).toEqual([])
  }
  const refused = [
    'q=%00',
    'q=a%00b',
    'q=%E2%80%AELOG-1',
    `q=${'x'.repeat(256)}`,
    'q=%ff%fe',
    `q=${'%F0%9F%98%80'.repeat(900)}`,
  ]
  for (const asked of refused) expect(linksOf(await pageOf(place.ada, asked))).toEqual([])
  for (const asked of ['station=%00', 'session=', `card=${'x'.repeat(300)}`]) {
    expect([asked, (await jumpOf(place.ada, asked)).status]).toEqual([asked, 404])
  }
})

it.each([
  ['reset LOG-2', ['order=reset&value=Soft', 'order=reset&value=Hard']],
  ['LOG-2 neu starten', ['order=reset&value=Soft', 'order=reset&value=Hard']],
  ['unlock lobby', ['order=unlock&connectorId=1', 'order=unlock&connectorId=2']],
  ['entriegeln LOG-2 2', ['order=unlock&connectorId=2']],
  ['reset LOG-1', []],
  ['unlock LOG-2 9', []],
])('CONSOLE-J3: an order: “%s” leads to its question', async (q, orders) => {
  const links = orders.map((order) => `/charge-points/LOG-2/orders?${order}`)
  expect(linksOf(await pageOf(place.otto, { q }))).toEqual(links)
  expect(linksOf(await pageOf(place.bob, { q }))).toEqual([])
})

it('CONSOLE-J3: an order: is sent by the answer alone', async () => {
  const otto = await place.signedIn(place.otto)
  const path = '/dashboard/charge-points/LOG-2/orders'
  const html = await (await otto.get(`${path}?order=unlock&connectorId=2&confirmed=yes`)).text()
  expect(html).toContain('Unlock (Connector 2): LOG-2')
  expect(sent).toEqual([])
  const form = /<form class="card".*?<\/form>/s.exec(html)?.[0] ?? ''
  const fields = [...form.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value])
  await otto.post(path, { ...Object.fromEntries(fields), ttl: '60' })
  expect(sent).toMatchObject([{ chargePointId: 'LOG-2', method: 'UnlockConnector', request: { connectorId: 2 } }])
  for (const wrong of ['order=explode', 'order=unlock&connectorId=-1', '']) {
    expect([wrong, (await otto.get(`${path}?${wrong}`)).status]).toEqual([wrong, 404])
  }
  expect((await otto.get('/dashboard/charge-points/LOG-1/orders?order=reset')).status).toBe(409)
  expect((await (await place.signedIn(place.bob)).get(`${path}?order=reset`)).status).toBe(403)
  expect((await (await place.signedIn(place.eve)).get(`${path}?order=reset`)).status).not.toBe(200)
})

it('CONSOLE-J4: what was opened most recently is shown for an empty field, to whom it was that opened it', async () => {
  const { writes, reads, otto, ada } = place
  await keepPreference(writes, otto.id, RECENT, undefined)
  expect(linksOf(await pageOf(otto, 'q='))).toEqual([])
  for (const asked of ['q=LOG-1', 'q=4711', 'card=CARD-7', 'station=LOG-1', 'q=lobby']) await jumpOf(otto, asked)
  const opened = ['/jump?station=LOG-1', '/jump?card=CARD-7', `/jump?session=${SESSION}`]
  expect(linksOf(await pageOf(otto, ''))).toEqual(opened)
  await keepPreference(writes, ada.id, RECENT, [{ kind: 'station', id: 'GONE' }, { kind: 'user', id: 'ada' }, null])
  expect(linksOf(await pageOf(ada, 'q=%20'))).toEqual([])
  expect(recentOf((await preferencesOf(reads, otto.id)).get(RECENT))).toHaveLength(3)
})

it('CONSOLE-J4: what was opened most recently has ten at most, each once, the latest first', () => {
  const ids = Array.from({ length: 30 }, (_, n) => ({ kind: 'card' as const, id: String(n % 15) }))
  const kept = ids.reduce(withOpened, recentOf('nothing of the kind'))
  expect(kept.map(({ id }) => id)).toEqual(['14', '13', '12', '11', '10', '9', '8', '7', '6', '5'])
})
