import { afterAll, beforeEach, expect, it } from 'vitest'
import { openOperatorPlace, SALT } from '../../../test/support/console/testing.ts'
import { csrfOf } from '../../../test/support/oidc/browser.ts'
import type { Place } from '../../../test/support/oidc/testing.ts'
import { aCommand } from '../../../test/support/storage-contract/records.ts'
import { expectTexts, expectWithout } from '../../../test/support/texts.ts'
import { logIdAt, logIdToUuid } from '../../domain/message-log/log-id.ts'
import type { SendCommandOrder, StartSessionOrder } from '../../domain/ports/core.ts'
import type { Session } from '../../domain/ports/sessions.ts'
import type { Command, Refusal } from '../../domain/ports/storage-records.ts'

const HOSTILE = `"><script>alert(1)</script>\u202e${'x'.repeat(450)}`
const ANSWER = '{"status":"Accepted"}'

let online = true
let protocol = 'ocpp1.6'
let answer: Partial<Command> = {}
const commands: SendCommandOrder[] = []
const starts: StartSessionOrder[] = []
const stops: string[] = []
const offlineRefusal: Refusal = { refused: true, status: 409, code: 'charge_point_offline', detail: 'It is away.' }

function session(id: string, change: Partial<Session> = {}): Session {
  const at = place.now()
  const rest = { accountId: 'A', state: 'charging', energyMilliWh: 1_500_000, version: 1, flags: [] } as const
  return { id, chargePointId: 'CP1', connectorId: 1, createdAt: at, startedAt: at, ...rest, ...change }
}

async function commit(change: Parameters<Place['core']['commit']>[0][number]): Promise<void> {
  const [result] = await place.core.commit([change])
  if (result && !result.ok) throw result.error
}

let messages = 0
const place: Place = await openOperatorPlace({
  connectivity: async (ids) => ids.map((chargePointId) => ({ chargePointId, online, protocol })),
  async sendCommand(order) {
    commands.push(order)
    const id = logIdAt(place.now()) + messages++
    const command: Command = aCommand(0, {
      id,
      chargePointId: order.chargePointId,
      direction: 'out',
      method: order.method,
      messageId: `m${id}`,
      protocol,
      request: JSON.stringify(order.request),
      response: ANSWER,
      ...answer,
    })
    await commit({ chargePointId: order.chargePointId, command })
    return command
  },
  async startSession(order) {
    starts.push(order)
    if (!online && order.ttlMs === undefined) return offlineRefusal
    const started = session('019a0000-0000-7000-8000-00000000000a', { state: 'pending' })
    await commit({ chargePointId: 'CP1', sessions: [started] })
    return started
  },
  async stopSession(_, id) {
    stops.push(id)
    return session(id, { state: 'finishing' })
  },
})
const ada = await place.signedIn(place.ada)
const bob = await place.signedIn(place.bob)
await commit({
  chargePointId: 'CP1',
  status: { protocol: 'ocpp1.6', bootedAt: 1, vendor: HOSTILE, model: HOSTILE },
  connectors: [
    { connectorId: 1, status: 'Available', updatedAt: place.now() },
    { connectorId: 2, status: 'Faulted', errorCode: 'GroundFailure', info: HOSTILE, updatedAt: place.now() },
  ],
})
beforeEach(() => {
  commands.length = 0
  starts.length = 0
  stops.length = 0
  online = true
  protocol = 'ocpp1.6'
  answer = {}
})
afterAll(() => place.close())

const CP1 = '/dashboard/charge-points/CP1'
const read = (path: string, browser = ada): Promise<string> => browser.page(path)

/** The fields of the form that leads there, as they stand. */
function form(html: string, ending: string, having = ''): Record<string, string> {
  const found = html.split('<form').find((part) => part.includes(`${ending}"`) && part.includes(having)) ?? ''
  const fields = [...(found.split('</form')[0] ?? '').matchAll(/type="hidden" name="([^"]*)" value="([^"]*)"/g)]
  return Object.fromEntries(fields.map(([, name = '', value = '']) => [name, value]))
}

it('CONSOLE-A9: a start names connector, card and reference, and the answer stands inline', async () => {
  const html = await read(CP1)
  const fields = { ...form(html, '/CP1/start'), idToken: 'CARD1', externalReference: 'order-7' }
  const done = await ada.post(`${CP1}/start`, fields)
  expect(done.status).toBe(303)
  expect(starts).toEqual([
    { accountId: 'A', chargePointId: 'CP1', connectorId: 1, idToken: 'CARD1', externalReference: 'order-7' },
  ])
  const after = await read((done.headers.get('location') ?? '').split('#')[0] ?? '')
  expectTexts(after, 'Start requested', 'data-connector="1"', '/CP1/stop"')
  expect(after).not.toContain('/CP1/start"')
})

it('CONSOLE-A9, CONSOLE-A11: the same form posted twice acts once, at once and later', async () => {
  await commit({
    chargePointId: 'CP1',
    sessions: [session('019a0000-0000-7000-8000-00000000000a', { state: 'failed' })],
  })
  const fields = form(await read(CP1), '/CP1/start')
  const [first, second] = await Promise.all([ada.post(`${CP1}/start`, fields), ada.post(`${CP1}/start`, fields)])
  const third = await ada.post(`${CP1}/start`, fields)
  expect([first.status, second.status, third.status]).toEqual([303, 303, 303])
  expect(second.headers.get('location')).toBe(first.headers.get('location'))
  expect(starts).toHaveLength(1)
  // What the page offers now is another order.
  const fresh = form(await read(CP1), '/CP1/stop')
  const asked = await ada.post(`${CP1}/stop`, fresh)
  expect([asked.status, stops.length]).toEqual([200, 0])
  await ada.post(`${CP1}/stop`, form(await asked.text(), '/CP1/stop'))
  expect(stops).toHaveLength(0)
  await ada.post(`${CP1}/stop`, { ...fresh, once: 'again', confirmed: 'yes' })
  expect(stops).toHaveLength(1)
})

it('CONSOLE-A9: on an offline station a start is offered as a wait', async () => {
  await commit({
    chargePointId: 'CP1',
    sessions: [session('019a0000-0000-7000-8000-00000000000a', { state: 'failed' })],
  })
  online = false
  const html = await read(CP1)
  expect(html).toContain('name="ttl"')
  const waits = await ada.post(`${CP1}/start`, form(html, '/CP1/start'))
  expect([waits.status, (await waits.text()).includes('It is offline')]).toEqual([409, true])
  const done = await ada.post(`${CP1}/start`, { ...form(html, '/CP1/start'), ttl: '60' })
  expect([done.status, starts.at(-1)?.ttlMs]).toEqual([303, 60_000])
})

it('CONSOLE-A9: nobody stops a session of another charge point or account here', async () => {
  const html = await read(CP1)
  const csrf = csrfOf(html, '/CP1/orders')
  expect((await ada.post(`${CP1}/stop`, { csrf, session: 'no-such' })).status).toBe(404)
  expect(stops).toEqual([])
})

it.each<[string, Partial<Command>, string, string]>([
  ['accepted', {}, 'answer good', 'It carries out the order.'],
  ['rejected', { response: '{"status":"Rejected"}' }, 'answer bad', 'It refused.'],
  [
    'an error',
    { status: 'error', error: { code: 'NotImplemented', description: HOSTILE, details: {} } },
    'answer bad',
    'It does not implement this command.',
  ],
  ['no answer', { status: 'timeout' }, 'answer bad', 'It did not answer in time.'],
  ['pending', { status: 'pending' }, 'answer ', 'It waits for the charge point.'],
])('CONSOLE-A12: %s is shown with its meaning', async (_, change, tone, meaning) => {
  answer = change
  const done = await ada.post(`${CP1}/orders`, {
    ...form(await read(CP1), '/CP1/orders', 'clear cache'),
    order: 'clearCache',
    confirmed: 'yes',
  })
  expect([done.status, commands.map(({ method }) => method)]).toEqual([303, ['ClearCache']])
  const html = await read((done.headers.get('location') ?? '').split('#')[0] ?? '')
  expectTexts(html, tone, meaning)
  expect(html).not.toContain('<script>alert')
})

it('CONSOLE-A12: what interrupts somebody is asked once, and sent when it is confirmed', async () => {
  const fields = { ...form(await read(CP1), '/CP1/orders', 'reset Hard'), order: 'reset' }
  const asked = await ada.post(`${CP1}/orders`, fields)
  const page = await asked.text()
  expect([asked.status, page.includes('Reset (hard): CP1</bdi></button>'), commands.length]).toEqual([200, true, 0])
  const done = await ada.post(`${CP1}/orders`, { ...form(page, '/CP1/orders'), confirmed: 'yes' })
  expect([done.status, commands]).toMatchObject([303, [{ method: 'Reset', request: { type: 'Hard' } }]])
})

it('CONSOLE-A12: a command to an offline station says so and waits as long as is said', async () => {
  online = false
  const fields = { ...form(await read(CP1), '/CP1/orders', 'clear cache'), order: 'clearCache' }
  const reported = await ada.post(`${CP1}/orders`, fields)
  const page = await reported.text()
  expect([reported.status, page.includes('“Clear its cache” was not sent'), commands.length]).toEqual([409, true, 0])
  await ada.post(`${CP1}/orders`, { ...form(page, '/CP1/orders'), ttl: '600', confirmed: 'yes' })
  expect(commands).toMatchObject([{ method: 'ClearCache', ttlMs: 600_000 }])
})

it('CONSOLE-A12: 2.0.1 is reset in its own words', async () => {
  protocol = 'ocpp2.0.1'
  const html = await read(CP1)
  expect(html).toContain('Reset (when idle)')
  const fields = { ...form(html, '/CP1/orders', 'reset OnIdle'), order: 'reset', confirmed: 'yes' }
  await ada.post(`${CP1}/orders`, fields)
  expect(commands).toMatchObject([{ method: 'Reset', request: { type: 'OnIdle' } }])
})

const path = `${CP1}/command?method=ChangeConfiguration`
const METHOD = 'name="method" value="ChangeConfiguration"'

it('CONSOLE-A10: any command: offers the commands of the version, with examples', async () => {
  const html = await read(path)
  expectTexts(html, '<option value="GetConfiguration"', 'name="/key"', 'HeartbeatInterval')
})

it('CONSOLE-A10: any command: keeps what was typed when it cannot be sent', async () => {
  const typed = { ...form(await read(path), '/CP1/command', METHOD), '/key': HOSTILE, '/value': '' }
  const refused = await ada.post(`${CP1}/command`, typed)
  const html = await refused.text()
  expect([refused.status, commands.length]).toEqual([400, 0])
  expectTexts(html, 'id="/value-fault">is required', 'value="&quot;&gt;&lt;script&gt;')
  expect(html).not.toContain('<script>alert')
})

it('CONSOLE-A10: any command: is sent as typed once it is confirmed', async () => {
  const fields = form(await read(path), '/CP1/command', METHOD)
  const asked = await ada.post(`${CP1}/command`, { ...fields, '/key': 'HeartbeatInterval', '/value': '300' })
  const done = await ada.post(`${CP1}/command`, { ...form(await asked.text(), '/CP1/command'), confirmed: 'yes' })
  const request = { key: 'HeartbeatInterval', value: '300' }
  expect([done.status, commands]).toMatchObject([303, [{ method: 'ChangeConfiguration', request }]])
  const id = new URL(done.headers.get('location') ?? '', place.baseUrl).searchParams.get('answer')
  expect(id).toMatch(/^[0-9a-f-]{36}$/)
  expect(logIdToUuid(1, SALT)).not.toBe(id)
})

it('CONSOLE-A10: any command: refuses a method of the other version', async () => {
  const fields = form(await read(path), '/CP1/command', METHOD)
  const refused = await ada.post(`${CP1}/command`, { ...fields, method: 'SetVariables' })
  expect([refused.status, commands.length]).toEqual([400, 0])
})

it('CONSOLE-A8: who may not act: sees no buttons, and is refused by hand', async () => {
  const html = await read(CP1, bob)
  expectWithout(html, '/CP1/orders', '/CP1/start')
  expect((await bob.get(`${CP1}/command`)).status).toBe(403)
  expect((await bob.get('/dashboard/new-charge-point')).status).toBe(403)
  for (const step of ['start', 'stop', 'orders', 'command', 'edit', 'password', 'delete']) {
    expect([step, (await bob.post(`${CP1}/${step}`, { csrf: 'x', order: 'reset' })).status]).toEqual([step, 403])
  }
  expect([commands, starts, stops]).toEqual([[], [], []])
})

it('CONSOLE-A8: who may not act: a form without its token is refused', async () => {
  expect((await ada.post(`${CP1}/orders`, { order: 'clearCache' })).status).toBe(403)
  expect(commands).toEqual([])
})
