import { expect, it } from 'vitest'
import { keepRecords, operatorsOfTest } from '../../test/support/console/testing.ts'
import { csrfOf } from '../../test/support/oidc/browser.ts'
import { anAlert } from '../../test/support/records.ts'
import { keepPreference } from '../application/users/preferences.ts'
import { logIdAt } from '../domain/message-log/log-id.ts'
import type { User } from '../domain/ports/storage-records.ts'
import { alertPages } from './alerts/page.tsx'
import { addStationCertificatePages } from './certificates/station-pages.tsx'
import { addVariablePages } from './device-model/page.tsx'
import { addTimelinePage } from './timeline/page.tsx'

const extraPages = [alertPages(async () => []), addTimelinePage, addVariablePages, addStationCertificatePages]
const { place } = await operatorsOfTest({}, { extraPages })

async function pageOf(user: User, path: string): Promise<string> {
  const browser = await place.signedIn(user)
  const response = await browser.get(`/dashboard${path}`)
  expect([path, response.status]).toEqual([path, 200])
  return response.text()
}

const sideOf = (html: string): string => /<nav class="side".*?<\/nav>/s.exec(html)?.[0] ?? ''
const namesOf = (html: string): readonly (string | undefined)[] =>
  [...sideOf(html).matchAll(/<\/svg>([^<]+)/g)].map(([, name]) => name)

it('CONSOLE-F4: the side bar and the head show each role its pages, and which one is looked at', async () => {
  const operators = [
    'Pilotwire',
    'Overview',
    'Charge points',
    'Sessions',
    'Alerts',
    'Log',
    'Uptime',
    'Reports',
    'Sites',
    'Locations',
    'Limits',
    'Tariffs',
    'Cards',
  ]
  expect(namesOf(await pageOf(place.otto, '/charge-points'))).toEqual([
    ...operators,
    ...['Bulk orders', 'Settings', 'Firmware', 'Certificates', 'Monitors'],
  ])
  const html = await pageOf(place.ada, '/charge-points/CP1')
  expect(namesOf(html)).toEqual(expect.arrayContaining(['Users', 'Webhooks', 'Credentials', 'Audit', 'Nodes']))
  expect([...sideOf(html).matchAll(/href="([^"]*)" aria-current="page"/g)].map(([, to]) => to)).toEqual([
    '/dashboard/charge-points',
  ])
  expect(namesOf(await pageOf(place.mia, '/applications'))).toEqual(['Pilotwire'])
})

it('CONSOLE-F4: the side bar and the head count the alerts that nobody has taken, for those who may see them', async () => {
  expect(await pageOf(place.otto, '/charge-points')).not.toContain('open-count')
  const at = place.now()
  await place.writes.putRecords(
    'alerts',
    ['1', '2', '3'].map((id) => anAlert(id)),
  )
  await place.writes.putRecords('alert_acknowledgements', [{ accountId: 'A', alertId: '2', at, by: 'otto' }])
  expect(await pageOf(place.otto, '/charge-points')).toContain('<span class="open-count">2<')
  expect(await pageOf(place.mia, '/applications')).not.toContain('open-count')
  expect(await pageOf(place.eve, '/charge-points')).not.toContain('open-count')
})

it('CONSOLE-F4, CONSOLE-F2: the side bar and the head speak the user’s language in the user’s zone, whatever the browser asks for', async () => {
  await keepPreference(place.writes, place.bob.id, 'language', 'de')
  await keepPreference(place.writes, place.bob.id, 'timeZone', 'Asia/Kathmandu')
  const html = await pageOf(place.bob, '/charge-points')
  expect(html).toContain('<html lang="de">')
  expect(html).toContain('Asia/Kathmandu')
  await keepPreference(place.writes, place.bob.id, 'language', { not: 'a text' })
  await keepPreference(place.writes, place.bob.id, 'timeZone', 'Nowhere/At-All')
  expect(await pageOf(place.bob, '/charge-points')).toMatch(/<html lang="en">.*data-zone="UTC"/s)
})

it('CONSOLE-F9: the side bar: says in grey how long lists are, of the account alone, and nothing where there is none', async () => {
  const html = await pageOf(place.ada, '/alerts')
  const counts = [...html.matchAll(/<\/svg>([A-Z][^<]*)<span class="count">([^<]*)/g)].map(([, name, count]) => [
    name,
    count,
  ])
  const { users, chargePoints } = await place.reads.countAccount('A')
  expect(counts).toContainEqual(['Charge points', String(chargePoints)])
  expect(counts).toContainEqual(['Users', String(users)])
  expect(counts.map(([name]) => name)).not.toContain('Tariffs')
  expect(await pageOf(place.bob, '/alerts')).not.toMatch(/Users<span class="count"/)
  expect(await pageOf(place.eve, '/alerts')).toMatch(/Charge points<span class="count">1</)
})

it('CONSOLE-F7: the pages of one charge point: say what it is, have each other’s tabs, and lead from a fault to its message', async () => {
  const connectors = [{ connectorId: 1, status: 'Faulted', errorCode: 'GroundFailure', updatedAt: place.now() }]
  await place.core.commit([{ chargePointId: 'CP1', connectors }])
  const html = await pageOf(place.bob, '/charge-points/CP1')
  expect(html).toMatch(
    /<div class="stays">.*<span class="chip bad">faulted<.*GroundFailure.*aria-current="page">Status</s,
  )
  expect(html).toContain('/charge-points/CP1?method=StatusNotification#messages')
  expect(await pageOf(place.bob, '/charge-points/CP1/timeline')).toMatch(/aria-current="page">Timeline</)
  expect(await pageOf(place.otto, '/charge-points/CP1/edit')).toMatch(/aria-current="page">Access</)
  const [, to = ''] = /href="\/dashboard([^"]*)">Sessions<\/a><a [^>]*>Log</.exec(html) ?? []
  expect((await pageOf(place.bob, to)).includes('evseControllerId=CP1" aria-current="page">Sessions<')).toBe(true)
  expect(await pageOf(place.bob, '/charging-sessions')).not.toContain('class="stays"')
})

it('CONSOLE-F7, CONSOLE-F5: the pages of one charge point: the list has the vendor’s error code among the words of a station', async () => {
  const connector = { connectorId: 1, status: 'Faulted', errorCode: 'OtherError', updatedAt: place.now() }
  const connectors = [{ ...connector, vendorErrorCode: 'E-47"', info: 'relay welded' }]
  await place.core.commit([{ chargePointId: 'CP1', connectors }])
  expect(await pageOf(place.bob, '/charge-points')).toContain('title="1: Faulted OtherError E-47&quot; relay welded"')
})

it('CONSOLE-F7: the pages of one charge point: showed its id alone on all of them but the first', async () => {
  const at = { id: 'HEAD-1', accountId: 'A', securityProfile: 0 as const, createdAt: place.now() }
  const stored = { ...at, registrationStatus: 'Accepted' as const, name: 'Pier 4', labels: { site: 'harbour' } }
  await place.writes.createChargePoint(stored)
  await place.core.commit([{ chargePointId: 'HEAD-1', status: { protocol: 'ocpp1.6' } }])
  const pages = ['', '/timeline', '/variables', '/certificates'].map((page) => `/charge-points/HEAD-1${page}`)
  for (const path of [...pages, '/charging-sessions?evseControllerId=HEAD-1']) {
    const head = /<div class="stays">.*?<nav/s.exec(await pageOf(place.otto, path))?.[0]
    expect([path, head]).toEqual([path, expect.stringMatching(/harbour.*HEAD-1.*class="chip.*Pier 4.*Reset…/s)])
    expect(await pageOf(place.bob, path)).not.toContain('Reset…')
  }
  expect(await pageOf(place.otto, '/charge-points/HEAD-1/edit')).toMatch(/harbour.*class="chip.*Pier 4.*Reset…/s)
})

it('CONSOLE-F7: the pages of one charge point: led from the sessions of one that was deleted to pages that are not there', async () => {
  const id = '01900000-0000-7000-8000-0000000000f7'
  const figures = { state: 'completed' as const, energyMilliWh: 1000, createdAt: place.now(), version: 1, flags: [] }
  const sessions = [{ id, accountId: 'A', chargePointId: 'DELETED', ...figures }]
  await place.core.commit([{ chargePointId: 'DELETED', sessions }])
  expect(await pageOf(place.otto, '/charging-sessions?evseControllerId=DELETED')).not.toContain('class="stays"')
})

it('CONSOLE-F7, CONSOLE-F8: the pages of one charge point: show what a running session drew, and when the station was online', async () => {
  const now = place.now()
  const history = { chargePointId: 'CP1', part: 0, details: {}, count: 1 } as const
  const from = now - 6 * 3_600_000
  await keepRecords(place, 'CP1', [
    { kind: 'connection_history', put: { ...history, id: logIdAt(from), kind: 'disconnected', at: from } },
    { kind: 'connection_history', put: { ...history, id: logIdAt(now - 1000), kind: 'connected', at: now - 1000 } },
  ])
  const html = await pageOf(place.bob, '/charge-points/CP1')
  expect(html).toMatch(/<svg class="bar"[^>]* aria-label="online 7\d\.\d % of the last 24 hours"/)
  expect(await pageOf(place.bob, '/charge-points/CP1?ui_locales=de')).toMatch(/7\d,\d % der letzten 24 Stunden online/)
})

const keep = async (user: User, fields: Record<string, string> | URLSearchParams): Promise<string | null> => {
  const browser = await place.signedIn(user)
  const html = await (await browser.get('/dashboard/charge-points?q=no-view')).text()
  const csrf = csrfOf(html, '/list-settings')
  const answer = await browser.post(
    '/dashboard/list-settings',
    new URLSearchParams([...new URLSearchParams(fields), ['csrf', csrf]]),
  )
  expect(answer.status).toBe(303)
  return answer.headers.get('location')
}
const headsOf = (html: string) =>
  [...html.matchAll(/<th scope="col"[^>]*>(?:<a[^>]*>)?([^<]+)/g)].map(([, name]) => name)

it('CONSOLE-F6: what a user keeps of the list: columns', async () => {
  const chosen = new URLSearchParams([
    ['columns', 'lastSeen'],
    ['columns', 'site'],
    ['columns', 'nonsense'],
    ['columns', 'label:bay'],
    ['columns', 'label:No Key'],
  ])
  expect(await keep(place.otto, chosen)).toBe('/dashboard/charge-points')
  expect(headsOf(await pageOf(place.otto, '/charge-points'))).toEqual(['Charge point', 'Site', 'Last seen', 'bay'])
  expect(headsOf(await pageOf(place.ada, '/charge-points'))).toContain('Firmware')
})

it('CONSOLE-F6: what a user keeps of the list: views, which lead to what was narrowed', async () => {
  const query = 'label=a%3Ab&site=N%26S&evil=1'
  expect(await keep(place.otto, { view: ' <b>Round ', query })).toBe('/dashboard/charge-points?site=N%26S&label=a%3Ab')
  const html = await pageOf(place.otto, '/charge-points?label=a:b&site=N%26S')
  expect(html).toContain('aria-current="page"><bdi>&lt;b&gt;Round</bdi>')
  expect(await pageOf(place.ada, '/charge-points')).not.toContain('Round')
  await keep(place.otto, { forget: '<b>Round', query })
  expect(await pageOf(place.otto, '/charge-points')).not.toContain('Round')
})
