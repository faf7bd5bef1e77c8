import { expect, it } from 'vitest'
import { operatorsOfTest } from '../../../test/support/console/testing.ts'
import { expectTexts } from '../../../test/support/texts.ts'
import { logIdAt } from '../../domain/message-log/log-id.ts'
import type { HistoryEntry } from '../../domain/timeline/records.ts'

const XSS = '<script>alert(1)</script>'
const NEW = new URLSearchParams({ id: `NEW"${XSS}` })
const { place, ada, bob } = await operatorsOfTest()

const page = (path: string, browser = bob): Promise<string> => browser.page(`/dashboard${path}`)

async function happened(minutesAgo: number, kind: HistoryEntry['kind'], details: HistoryEntry['details'], count = 1) {
  const at = place.now() - minutesAgo * 60_000
  const lastAt = count > 1 ? at + 30_000 : undefined
  const put = { chargePointId: 'CP1', id: logIdAt(at), part: 0, kind, at, details, count, lastAt }
  await place.core.commit([{ chargePointId: 'CP1', records: [{ kind: 'connection_history', put }] }])
}

async function said(minutesAgo: number, method: string): Promise<void> {
  const id = logIdAt(place.now() - minutesAgo * 60_000)
  const rest = { direction: 'in', protocol: 'ocpp1.6', status: 'success', request: '{}', response: '{}' } as const
  const command = { id, chargePointId: 'CP1', method, messageId: `m${id}`, ...rest }
  await place.core.commit([{ chargePointId: 'CP1', command }])
}

async function refused(minutesAgo: number, station: string, reason: string, count = 1, accountId = 'A') {
  const at = place.now() - minutesAgo * 60_000
  const put = { accountId, id: logIdAt(at), station, at, lastAt: undefined, count, reason, detail: `${reason} ${XSS}` }
  await place.core.commit([{ chargePointId: station, records: [{ kind: 'refused_connections', put }] }])
}

it('CONSOLE-A15, CONSOLE-A16: what happened to a charge point: stands on its page, and connections between the messages of its log', async () => {
  await happened(50, 'connected', { protocol: 'ocpp1.6' })
  await said(40, 'BootNotification')
  await happened(30, 'status', { connectorId: 2, status: 'Faulted', previousStatus: 'Available' })
  await happened(20, 'disconnected', { code: 1006, reason: XSS }, 7)
  await said(10, 'Heartbeat')
  const html = await page('/charge-points/CP1')
  expect(html).not.toContain(XSS)
  const [lately = '', log = ''] = html.split('data-live="messages"')
  expectTexts(lately, 'connector 2 · free → faulted', '7 times, until ', 'close code 1006')
  expect(await page('/charge-points/CP1?ui_locales=de')).toContain('Anschluss 2 · frei → gestört')
  const order = [...log.matchAll(/<strong>(\w+)<\/strong>|class="chip[^"]*">(connected|disconnected|status)</g)]
  expect(order.map(([, method, kind]) => method ?? kind)).toEqual([
    'Heartbeat',
    'disconnected',
    'BootNotification',
    'connected',
  ])
  const [, narrowed = ''] = (await page('/charge-points/CP1?method=Heartbeat')).split('data-live="messages"')
  expect(narrowed).not.toContain('disconnected')
  expect(await page('/charge-points/CP1?ui_locales=de')).toContain('getrennt')
})

it('CONSOLE-A17: the overview says that nobody was refused, and then who was, why and how often, and fills in the form for who may register', async () => {
  expect(await page('')).not.toContain('>refused</bdi>')
  await refused(25 * 60, 'CP1', 'disabled')
  await refused(120, 'CP1', 'wrongPassword', 30)
  await refused(60, 'CP1', 'wrongPassword', 12)
  await refused(30, `NEW"${XSS}`, 'unknownStation')
  await refused(10, 'CPB', 'unknownStation', 1, 'B')
  const html = await page('', ada)
  expect(html).not.toContain(XSS)
  const rows = [...html.matchAll(/<tr><td[^>]*><a class="[^"]*" href="([^"]*)">(.*?)<\/tr>/gs)]
  expect(rows.map(([, href, row = '']) => [href, /<td[^>]*title="([^"]*)"[^>]*><bdi>([^<]*)/.exec(row)?.[2]])).toEqual([
    [`/dashboard/new-charge-point?${NEW}`, 'the identity is unknown · not registered'],
    ['/dashboard/charge-points/CP1', 'wrong password · 42 times'],
  ])
  expect(await page('?ui_locales=de', ada)).toContain('falsches Passwort · 42-mal')
  const form = await page(`/new-charge-point?${NEW}`, ada)
  expect(form).toContain('name="id" value="NEW&quot;&lt;script&gt;alert(1)&lt;/script&gt;"')
  expect(await page('')).not.toContain('new-charge-point')
})
