import { afterAll, expect, it } from 'vitest'
import { openOperatorPlace, SALT } from '../../../test/support/console/testing.ts'
import { aChargePoint, aCommand } from '../../../test/support/storage-contract/records.ts'
import { expectTexts, expectWithout } from '../../../test/support/texts.ts'
import { keepPreference } from '../../application/users/preferences.ts'
import { logIdAt, logIdToUuid } from '../../domain/message-log/log-id.ts'
import type { Command } from '../../domain/ports/storage-records.ts'
import { addLogPages } from './page.tsx'

const XSS = '"><script>alert(1)</script>'
const T0 = Date.UTC(2026, 7, 1, 12)

let counter = 0

async function said(chargePointId: string, method: string, change: Partial<Command> = {}): Promise<string> {
  const id = logIdAt(T0 + counter++ * 1000)
  const command: Command = aCommand(0, { id, chargePointId, method, messageId: `m${id}`, response: '{}', ...change })
  const [result] = await place.core.commit([{ chargePointId, command }])
  if (result && !result.ok) throw result.error
  return logIdToUuid(command.id, SALT)
}

const place = await openOperatorPlace({}, { extraPages: [addLogPages] })
const bob = await place.signedIn(place.bob)
for (const id of ['N 1', 'N2']) {
  await place.writes.createChargePoint(aChargePoint({ id, createdAt: T0 }))
}
await place.writes.createChargePoint(aChargePoint({ id: 'FOREIGN', accountId: 'B', createdAt: T0 }))
await said('N 1', 'BootNotification', { request: `{"chargePointModel":"Säule ${XSS.replace('"', '')}"}` })
await said('N2', 'StopTransaction', { transactionId: '4711', request: '{"transactionId":4711,"meterStop":1}' })
await said('FOREIGN', 'Authorize', { request: '{"idTag":"their card"}' })
await said('N2', 'Reset', { direction: 'out', request: '{"type":"Hard"}', status: 'timeout', response: undefined })
afterAll(() => place.close())

const pageOf = (query = '', browser = bob): Promise<string> => browser.page(`/dashboard/log${query}`)

function shown(html: string): readonly string[] {
  const rows = html.matchAll(/<bdi class="of"[^>]*>([^<]*)<\/bdi>.*?<strong>([^<]*)<\/strong>/g)
  return [...rows].map(([, of, method]) => `${of} ${method}`)
}

it('CONSOLE-M1: shows all of the account, the newest first, with what was answered and the ways on', async () => {
  const html = await pageOf()
  expect(shown(html)).toEqual(['N2 Reset', 'N2 StopTransaction', 'N 1 BootNotification'])
  expectWithout(html, 'their card', '<script>alert')
  expectTexts(html, 'href="/dashboard/charge-points/N%201"', 'href="/dashboard/jump?q=4711"')
  expect(html).toMatch(/curl -H [^<]*\/2\/evse-controllers\/N%201\/commands\/[0-9a-f-]{36}/)
  expect(html).toContain('<div data-live="messages"><details class="message"')
})

it.each([
  ['?evseControllerId=N2', ['N2 Reset', 'N2 StopTransaction']],
  ['?evseControllerId=FOREIGN', []],
  ['?direction=out', ['N2 Reset']],
  ['?direction=out&method=stoptransaction', []],
  ['?direction=in', ['N2 StopTransaction', 'N 1 BootNotification']],
  ['?method=bootnotification', ['N 1 BootNotification']],
  ['?status=timeout', ['N2 Reset']],
  ['?q=S%C3%A4ule', ['N 1 BootNotification']],
  ['?q=%25', []],
  ['?q=%22type%22:%22hard%22', ['N2 Reset']],
  ['?transactionId=4711', ['N2 StopTransaction']],
  ['?schemaErrors=true', []],
  ['?from=2026-08-01T12:00:01Z&to=2026-08-01T12:00:03Z', ['N2 StopTransaction']],
  ['?from=2999-01-01T00:00', []],
])('CONSOLE-M1: %s leaves %j', async (query, expected) => {
  expect(shown(await pageOf(query))).toEqual(expected)
  const file = await bob.get(`/dashboard/log.csv${query}`)
  expect([file.status, (await file.text()).trim().split('\r\n').length]).toEqual([200, 1 + expected.length])
})

it.each([
  ['?direction=up', 'Direction = up'],
  [`?q=${'🔌'.repeat(128)}`, `Text in a message = ${'🔌'.repeat(128)}`],
  ['?status=broken&last=ever', 'State = broken; last = ever'],
])('CONSOLE-L1: %s is 400, named, on the page and in its file', async (query, fault) => {
  const page = await bob.get(`/dashboard/log${query}`)
  expect([page.status, (await page.text()).includes(`cannot be searched for: ${fault}</p>`)]).toEqual([400, true])
  expect((await bob.get(`/dashboard/log.csv${query}`)).status).toBe(400)
})

it('CONSOLE-M1: times that narrow it are those of the user’s zone, in the user’s language', async () => {
  await keepPreference(place.writes, 'bob', 'timeZone', 'Europe/Berlin')
  const html = await pageOf('?from=2026-08-01T14:00:01&to=2026-08-01T14:00:03')
  expect(shown(html)).toEqual(['N2 StopTransaction'])
  expect(html).toContain('From: <b><bdi>1 Aug 2026, 14:00</bdi>')
})

it('CONSOLE-M1: leads page by page to the oldest message; a position that nobody was given begins anew', async () => {
  for (let n = 0; n < 120; n++) await said(n % 2 ? 'N 1' : 'N2', 'Heartbeat')
  const methods: string[] = []
  for (let path: string | undefined = '?method=Heartbeat'; path !== undefined; ) {
    const html = await pageOf(path)
    methods.push(...shown(html))
    path = /href="\/dashboard\/log([^"]*)" rel="next"/.exec(html)?.[1]?.replaceAll('&amp;', '&')
  }
  expect(methods).toEqual(Array.from({ length: 120 }, (_, n) => `${n % 2 ? 'N2' : 'N 1'} Heartbeat`))
  expect(shown(await pageOf('?before=nonsense'))).toHaveLength(50)
  const file = await (await bob.get('/dashboard/log.csv?method=Heartbeat')).text()
  expect(file.trim().split('\r\n')).toHaveLength(121)
})

it('CONSOLE-M1: says how far it looked where the work was over before the log was', async () => {
  const lookedTo = logIdAt(T0 + 5000)
  const asked: unknown[] = []
  const slow = await openOperatorPlace(
    {},
    {
      extraPages: [addLogPages],
      searchLog: () => ({
        ...place.reads,
        searchNetwork: async (query) => {
          asked.push(query.belowId)
          return query.belowId === undefined ? { rows: [], lookedTo } : { rows: [] }
        },
      }),
    },
  )
  const any = { chargePointId: 'N2', fromId: 0, toId: Number.MAX_SAFE_INTEGER, filter: {}, limit: 1 }
  const [command] = await place.reads.searchCommands(any)
  await slow.core.commit([{ chargePointId: 'N2', command }])
  const ann = await slow.signedIn(slow.bob)
  const html = await (await ann.get('/dashboard/log?q=rare')).text()
  expect(html).toContain('Searched back to 1 Aug, 12:00:05.000.')
  const next = /href="(\/dashboard\/log\?q=rare&amp;before=[^"]*)" rel="next"/.exec(html)?.[1] ?? ''
  const last = await (await ann.get(next.replaceAll('&amp;', '&'))).text()
  expect(asked).toEqual([undefined, lookedTo])
  expect(last).toContain('No message matches.')
  await slow.close()
})
